// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.internal.memory.DirectLimit;

/**
 * Direct memory that earlier tests have dropped counts against the JVM's limit until the collector has run, and a pool does not
 * run it. So that no test depends on those before it, each starts with room.
 */
public final class DirectRoom {
    private static final long ENOUGH = 128 << 20;

    private DirectRoom() {}

    public static void make() {
        if (DirectLimit.limit() - DirectLimit.used() < ENOUGH) {
            Eventually.collected("the collector takes dropped direct memory", () -> DirectLimit.used() < ENOUGH / 2);
        }
    }
}
