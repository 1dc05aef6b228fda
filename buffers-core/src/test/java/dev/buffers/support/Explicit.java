// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.internal.settings.ExplicitSettings;

/** The explicit settings of a builder, without a pool to build. */
public final class Explicit extends ExplicitSettings {

    public Explicit() {
        super("explicit", (settings, listener) -> {
            throw new UnsupportedOperationException("settings alone");
        });
    }
}
