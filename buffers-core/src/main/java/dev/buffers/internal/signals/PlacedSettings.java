// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.PoolSettings;

/** A pool's settings, each with the place where its user can change it. Messages name that place. Immutable, for any thread. */
public interface PlacedSettings extends PoolSettings {

    /**
     * What to change for another value of that setting: where the present value comes from or, if that is the default, the pool's own system
     * property. Such as {@code -Dbuffers.web.max}, {@code the builder's max}, {@code BUFFERS_MAX in the environment}.
     */
    String where(String key);

    /** The same with the value to set, such as {@code -Dbuffers.web.leaks=all}. */
    String where(String key, String value);
}
