// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.slab.SlabParts;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Conservation;
import dev.buffers.support.Logged;
import dev.buffers.support.Peek;
import dev.buffers.support.WaitHeldTick;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeakTrackerTest {
    private final List<Callbacks.Callback> called = new ArrayList<>();
    private final BareOwner owner = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            called.add(callback);
        }
    };
    private final Logged log = new Logged(owner.name());

    @AfterEach
    void free() {
        log.close();
        owner.close();
    }

    private LeakTracker tracker(LeakTracking tracking) {
        RegionAllocator regions = new RegionAllocator(owner, owner.settings().policy(), new Budget(1 << 20));
        owner.leaks(tracking);
        return new LeakTracker(owner, new SlabStore(2, regions, 0), null);
    }

    private Slot held() {
        Slot slot = SlabParts.take(owner.slab(0, 1));
        SlabParts.beginAndTake(slot);
        return slot;
    }

    private static void lose(LeakTracker tracker, Slot slot) {
        tracker.lost(slot, slot.stateVolatile());
    }

    private static BufferPool pool() {
        return BufferPool.builder("collected").policy("heap-view").max(1 << 20).build();
    }

    @Test
    void revokedSlotIsNoLoss() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = pool()) {
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
        LeakTracker tracker = tracker(LeakTracking.count());
        tracker.collect();
        assertFalse(tracker.isDue());
        System.gc();
        assertTrue(tracker.isDue());
        assertFalse(tracker.isDue(), "it is requested by now");
        tracker.collect();
        System.gc();
        assertTrue(tracker.isDue());
    }

    @Test
    void sampleWithoutStackSuggestsAllStacks() {
        LeakTracker tracker = tracker(LeakTracking.sample(1_000));
        lose(tracker, held());
        tracker.report(false);
        owner.callbacks().call(called.get(0));
        assertEquals(
                1,
                log.lines("none of them had its stack kept: wait for more, or set -D")
                        .size());
    }
}
