// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.Footprint;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Explicit;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ReclaimingTest {
    private static final int SIZE = 4096;

    private PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final int sizeClass = parts.classes.classOf(SIZE);

    private void cacheHere(Slot slot) {
        parts.threads.prepare(sizeClass);
        parts.owner.current(sizeClass).put(slot);
    }

    /** Runs while another thread that sleeps has this slot in its magazine. */
    private void whileCachedElsewhere(Slot slot, Runnable check) throws Exception {
        CountDownLatch cached = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread sleeper = Threads.start(() -> {
            cacheHere(slot);
            cached.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        cached.await();
        try {
            check.run();
        } finally {
            end.countDown();
            Threads.join(sleeper);
        }
    }

    @Test
    void reclaimReturnsSlotsThatThisThreadReaches() {
        Slot here = parts.carve(SIZE);
        cacheHere(here);
        parts.depot(sizeClass).putLoose(parts.carve(SIZE));
        parts.reclaiming.reclaim();
        assertTrue(here.slab.isUnused());
    }

    @Test
    void revokeElsewhereRevokesSlotsOfSleepingThreads() throws Exception {
        Slot slot = parts.carve(SIZE);
        whileCachedElsewhere(slot, () -> {
            parts.reclaiming.reclaim();
            assertFalse(slot.slab.isUnused());
            assertNotNull(Peek.view(slot));
            parts.reclaiming.revokeElsewhere();
            assertTrue(slot.slab.isUnused());
        });
    }

    @Test
    void sweepReturnsSlotsOfDeadThreads() throws Exception {
        Slot slot = parts.carve(SIZE);
        Threads.run(() -> cacheHere(slot));
        parts.reclaiming.sweep();
        assertTrue(slot.slab.isUnused());
    }

    @Test
    void reapDepotsReturnsSlotsNotNeededSinceLastTick() {
        Slot slot = parts.carve(SIZE);
        parts.depot(sizeClass).putLoose(slot);
        parts.reclaiming.reapDepots();
        assertFalse(slot.slab.isUnused(), "since the last tick");
        parts.reclaiming.reapDepots();
        assertTrue(slot.slab.isUnused());
    }

    @Test
    void trimDropsFreeSlotsWhereverTheyAre() throws Exception {
        parts.acquire(128);
        Slot slot = parts.carve(SIZE);
        long reserved = parts.regions.reservedBytes();
        whileCachedElsewhere(slot, () -> {
            long trimmed = parts.reclaiming.trim();
            assertEquals(64 << 10, trimmed);
            assertEquals(reserved - trimmed, parts.regions.reservedBytes());
            assertEquals(trimmed, parts.owner.stats().trimmedBytes());
        });
    }

    @Test
    void trimKeepsPreallocatedBytes() {
        parts = new PoolParts(new Explicit().policy("heap-view").max(1 << 20).preallocate(256 << 10));
        parts.growth.preallocate();
        assertEquals(0, parts.reclaiming.trim());
        assertEquals(256 << 10, parts.regions.reservedBytes());
    }

    @Test
    void lossServesWaiter() {
        parts = new PoolParts("heap-view", 64 << 10);
        Slot lost = parts.carve(64 << 10);
        Footprint footprint = lost.slab.region.footprint(0);
        assertTrue(lost.begin());
        WaitQueue.Waiter waiter = parts.waiter(64 << 10, new Thread());
        lost.enqueue(); // as the collector does
        assertTrue(parts.reclaiming.collect());
        assertEquals(1, parts.owner.stats().leaks());
        assertNull(waiter.slot(), "the memory of the lost lease is still charged");
        footprint.enqueue();
        parts.reclaiming.reclaim();
        assertNotNull(waiter.slot());
        assertFalse(parts.reclaiming.collect(), "nothing new");
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

    @Test
    void closeDropsFreeMemory() throws Exception {
        Slot slot = parts.carve(SIZE);
        parts.wakeUp(1 << 18, () -> {});
        whileCachedElsewhere(slot, () -> {
            parts.owner.beginClose();
            parts.reclaiming.close();
            assertEquals(0, parts.regions.reservedBytes());
            assertEquals(1, parts.called.size(), "the wake-up is called");
        });
    }
}
