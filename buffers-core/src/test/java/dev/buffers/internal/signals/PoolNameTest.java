// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PoolNameTest {

    @Test
    void aTakenNameGetsTheFirstFreeNumber() {
        PoolName first = PoolName.of("name-test");
        PoolName second = PoolName.of("name-test");
        PoolName third = PoolName.of("name-test");
        assertEquals("name-test", first.toString());
        assertEquals("name-test-2", second.toString());
        assertEquals("name-test-3", third.toString());
        second.free();
        PoolName again = PoolName.of("name-test");
        assertEquals("name-test-2", again.toString());
        first.free();
        third.free();
        again.free();
    }

    @Test
    void secondFreeDoesNotTakeNameFromOtherPool() {
        PoolName closed = PoolName.of("name-twice");
        closed.free();
        PoolName open = PoolName.of("name-twice");
        closed.free();
        PoolName next = PoolName.of("name-twice");
        assertEquals("name-twice-2", next.toString());
        open.free();
        next.free();
    }
}
