// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Peek;
import org.junit.jupiter.api.Test;

class ReclaimingTest {
    private static final int SIZE = 4096;

    private PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final int sizeClass = parts.classes.classOf(SIZE);

    private void cacheHere(Slot slot) {
        Peek.prepare(parts.threads, sizeClass);
        parts.owner.current(sizeClass).put(slot);
    }

    /** A thread that looks while another one moves slots would miss them, and refuse. */
    @Test
    void moveThatBeginsOrEndsIsNoticed() {
        int sizeClass = parts.classes.classOf(SIZE);
        long moves = parts.reclaiming.finishedMoves(sizeClass);
        assertFalse(parts.reclaiming.hasMovedSince(sizeClass, moves));
        parts.reclaiming.reclaim();
        assertFalse(parts.reclaiming.hasMovedSince(sizeClass, moves), "nothing was cached");
        cacheHere(parts.carve(SIZE));
        parts.reclaiming.reclaim();
        assertTrue(parts.reclaiming.hasMovedSince(sizeClass, moves));
        assertFalse(parts.reclaiming.hasMovedSince(sizeClass, parts.reclaiming.finishedMoves(sizeClass)));
    }
}
