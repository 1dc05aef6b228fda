// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.AcquireOutcome;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Linked;
import org.junit.jupiter.api.Test;

/** Where the slot of each release that misses goes. */
class SlowReleaseTest {
    private static final int SIZE = 100;

    private PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private Slot slot;

    private Lease lease() {
        slot = parts.carve(SIZE);
        parts.owner.counters.acquired(AcquireOutcome.CARVED, slot.sizeClass());
        return parts.lease(slot);
    }

    private Magazine own() {
        return parts.own();
    }

    @Test
    void fullMagazineGivesBatchToDepot() {
        Magazine own = own();
        while (!own.isFull()) {
            own.put(parts.carve(SIZE));
        }
        int full = own.size();
        lease().release();
        assertSame(slot, own.take(), "the slot itself stays here");
        assertEquals(full / 2, own.size());
        assertEquals(full / 2, Linked.list(parts.depot(0).takeBatch()).size());
    }
}
