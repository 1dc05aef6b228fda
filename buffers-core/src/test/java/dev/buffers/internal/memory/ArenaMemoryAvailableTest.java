// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Arenas are there from Java 22 on, and asking for them earlier does no harm. */
class ArenaMemoryAvailableTest {
    private static final boolean SINCE_22 = Runtime.version().feature() >= 22;

    @Test
    void arenasAreAvailableFromJava22On() {
        assertEquals(SINCE_22, ArenaMemory.available());
    }

    @Test
    void constructorRefusesBeforeJava22() {
        if (SINCE_22) {
            assertEquals(1, new ArenaMemory().allocate(1).capacity());
        } else {
            IllegalStateException refused = assertThrows(IllegalStateException.class, ArenaMemory::new);
            assertEquals("arenas need Java 22: java.version=" + Runtime.version(), refused.getMessage());
        }
    }
}
