// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.WaitHeldTick;
import org.junit.jupiter.api.Test;

class LeakTrackerTest {
    @Test
    void revokedSlotIsNoLoss() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("collected")
                        .policy("heap-view")
                        .max(1 << 20)
                        .build()) {
            assertNotNull(tick);
            PooledBuffer lease = pool.acquire(4096);
            Slot slot = Peek.slot(lease);
            lease.release();
            pool.trim(); // revokes the slot
            slot.enqueue();
            Peek.findLost(pool);
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.leaks());
            assertEquals(0, stats.lostBytes());
        }
    }

    @Test
    void refusedThreadRequestsTickOncePerCollection() {
        try (BareOwner owner = new BareOwner()) {
            RegionAllocator regions =
                    new RegionAllocator(owner, owner.settings().policy(), new Budget(1 << 20));
            LeakTracker tracker = new LeakTracker(owner, new SlabStore(2, regions, 0), null);
            tracker.collect();
            assertFalse(tracker.isDue());
            System.gc();
            assertTrue(tracker.isDue());
            assertFalse(tracker.isDue(), "it is requested by now");
            tracker.collect();
            System.gc();
            assertTrue(tracker.isDue());
        }
    }
}
