// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
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
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeakTrackerTest {
    private final List<Callbacks.Callback> called = new ArrayList<>();
    private final List<LeakReport> told = new ArrayList<>();
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
        return tracker(tracking, told::add);
    }

    private LeakTracker tracker(LeakTracking tracking, Consumer<LeakReport> listener) {
        RegionAllocator regions = new RegionAllocator(owner, owner.settings().policy(), new Budget(1 << 20));
        owner.leaks(tracking);
        return new LeakTracker(owner, new SlabStore(2, regions, 0), listener);
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

    /** I8. The test gives the collector's word that a view is gone, while the tick stands still and hears of nothing first. */
    @Test
    void lossIsCountedOnReportOfCollector() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = pool()) {
            assertNotNull(tick);
            PooledBuffer lease = pool.acquire(4096);
            pool.acquire(4096).release(); // into the magazine: the region stays
            Peek.slot(lease).enqueue();
            assertEquals(1, pool.stats().leaks());
            PoolStats stats = Conservation.check(pool);
            assertEquals(1, stats.leaks());
            assertEquals(4096, stats.lostBytes());
            assertEquals(1, stats.releases(ReleaseOutcome.RECYCLED), "a loss is no release");
            Reference.reachabilityFence(lease);
        }
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
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.leaks());
            assertEquals(0, stats.lostBytes());
        }
    }

    @Test
    void countKeepsNoStack() {
        assertNotNull(tracker(LeakTracking.all()).trace(1, 100));
    }

    /** Which acquires are traced, with at most 99 of them: the bound for one second is 100. */
    private static String traced(LeakTracker tracker, int acquires) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < acquires; i++) {
            text.append(tracker.trace(1, 100) == null ? '0' : '1');
        }
        return text.toString();
    }

    private static long ones(String text) {
        return text.chars().filter(c -> c == '1').count();
    }

    @Test
    void sampleTracesOneOfSoManyOnAverage() {
        LeakTracker tracker = tracker(LeakTracking.sample(100));
        long traced = ones(traced(tracker, 5_000)); // 50 on average, with a standard deviation of 7
        assertTrue(traced >= 20 && traced < 90, () -> "traced: " + traced);
        assertEquals(50, ones(traced(tracker(LeakTracking.sample(1)), 50)));
    }

    /** A program that acquires three buffers in each turn, and loses always the second, is found. */
    @Test
    void sampleMeetsEveryAcquireOfRegularProgram() {
        Set<Integer> met = new HashSet<>();
        for (int round = 0; round < 100 && met.size() < 3; round++) {
            String traced = traced(tracker(LeakTracking.sample(3)), 90);
            for (int i = 0; i < 90; i++) {
                if (traced.charAt(i) == '1') {
                    met.add(i % 3);
                }
            }
        }
        assertEquals(Set.of(0, 1, 2), met);
    }

    @Test
    void sampleKeepsAtMostOneHundredStacksInOneSecond() {
        LeakTracker tracker = tracker(LeakTracking.sample(1));
        long begin = System.nanoTime() / 1_000_000_000;
        long traced = ones(traced(tracker, 5_000));
        long seconds = System.nanoTime() / 1_000_000_000 - begin + 1;
        assertTrue(traced >= 100 && traced <= 100 * seconds, () -> traced + " in " + seconds + " s");
    }

    @Test
    void trackAppliesToLaterAcquires() {
        LeakTracker tracker = tracker(LeakTracking.count());
        assertNull(tracker.trace(1, 100));
        owner.leaks(LeakTracking.all());
        assertNotNull(tracker.trace(1, 100));
        owner.leaks(LeakTracking.sample(1));
        assertNotNull(tracker.trace(1, 100));
    }

    /** Only the pool's own thread calls the user's code. */
    @Test
    void lossIsReportedOnceByCallback() {
        LeakTracker tracker = tracker(LeakTracking.all());
        Slot slot = held();
        slot.trace = tracker.trace(slot.stateVolatile(), 100);
        lose(tracker, slot);
        assertTrue(called.isEmpty(), "not before the tick");
        assertFalse(tracker.isAllReported());
        tracker.report(false);
        tracker.report(false);
        assertEquals(1, called.size(), "one at a time");
        assertTrue(told.isEmpty());
        owner.callbacks().call(called.get(0));
        assertEquals(1, told.size());
        assertEquals(owner.name(), told.get(0).pool());
        assertEquals(128, told.get(0).capacity());
        assertEquals(100, told.get(0).acquisition().orElseThrow().size());
        assertTrue(tracker.isAllReported());
        assertEquals(1, log.lines("a lease was lost").size());
        tracker.report(false);
        assertEquals(1, called.size(), "nothing new");
    }

    @Test
    void logStatesNumberOfLosses() {
        LeakTracker tracker = tracker(LeakTracking.count());
        for (int i = 0; i < 3; i++) {
            lose(tracker, held());
        }
        tracker.report(false);
        owner.callbacks().call(called.get(0));
        assertEquals(3, told.size());
        assertEquals(1, log.lines("; and 2 more").size(), () -> log.lines("").toString());
        assertEquals(1, log.lines("leaks=sample:128").size(), "how to learn more");
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

    @Test
    void traceOfEarlierTenancyIsNotReported() {
        LeakTracker tracker = tracker(LeakTracking.all());
        Slot slot = held();
        slot.trace = tracker.trace(slot.stateVolatile(), 100);
        slot.endUnused(ByteBuffer.allocate(128));
        assertTrue(slot.begin());
        lose(tracker, slot);
        tracker.report(false);
        owner.callbacks().call(called.get(0));
        assertTrue(told.get(0).acquisition().isEmpty());
    }

    @Test
    void throwingListenerIsNotifiedOfOtherLosses() {
        LeakTracker tracker = tracker(LeakTracking.count(), report -> {
            told.add(report);
            throw new IllegalStateException("mine");
        });
        lose(tracker, held());
        lose(tracker, held());
        tracker.report(false);
        owner.callbacks().call(called.get(0));
        assertEquals(2, told.size());
        assertEquals(1, log.lines("the leak listener has thrown").size());
        lose(tracker, held());
        tracker.report(false);
        assertEquals(2, called.size(), "it goes on");
    }

    @Test
    void unreportedLossesAreBounded() {
        LeakTracker tracker = tracker(LeakTracking.count());
        Slot slot = held();
        for (int i = 0; i < 10_100; i++) {
            lose(tracker, slot);
        }
        tracker.report(false);
        owner.callbacks().call(called.get(0));
        assertEquals(10_000, told.size());
        assertEquals(
                1, log.lines("; and 10099 more").size(), () -> log.lines("").toString());
        assertNull(slot.trace);
    }
}
