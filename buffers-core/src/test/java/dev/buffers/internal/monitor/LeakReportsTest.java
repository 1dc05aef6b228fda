// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Conservation;
import dev.buffers.support.Logged;
import dev.buffers.support.Peek;
import dev.buffers.support.WaitHeldTick;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** From the lease that was found to the event, the log and the listener; the test plays the tick and the callback's thread. */
class LeakReportsTest {
    private static final int MOST = 10_000;
    private static final String BEGIN = "a lease was lost, dropped without release: ";
    private static final String ADVICE = "; set -Dbuffers.bare.leaks=all to see where such leases were acquired";

    private final List<Callbacks.Callback> due = new ArrayList<>();
    private final List<String> received = new ArrayList<>();

    @AutoClose
    private final BareOwner owner = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            due.add(callback);
        }
    };

    @AutoClose
    private final Logged log = new Logged(owner.name());

    private final LeakReports reports =
            new LeakReports(owner, true, report -> received.add("listener " + report.capacity()));

    private boolean add(int capacity) {
        return reports.found(capacity, null, 0);
    }

    private void callback() {
        owner.callbacks().call(due.remove(0));
    }

    /** The report of a lease that was acquired in a method of that name. */
    private void addFrom(String method) {
        AcquireTrace trace = new AcquireTrace(0, 1000);
        StackTraceElement frame = new StackTraceElement("Server", method, "Server.java", 1);
        trace.acquired.setStackTrace(new StackTraceElement[] {frame});
        assertTrue(reports.found(1024, trace, trace.nanoTime + TimeUnit.SECONDS.toNanos(1)));
    }

    private String line() {
        reports.report(false);
        callback();
        return log.records().get(log.records().size() - 1).getMessage().replace("\r\n", "\n");
    }

    @Test
    void logLineCountsLeasesWithoutStacks() {
        for (int i = 1; i <= 5; i++) {
            add(i);
        }
        assertEquals(BEGIN + "pool=" + owner.name() + ", capacity=1; and 4 more" + ADVICE, line());
        assertEquals(1, log.records().size());
    }

    @Test
    void sampleWithoutStackSuggestsAllStacks() {
        owner.leaks(LeakTracking.sample(1_000));
        add(1);
        String line = line();
        assertTrue(line.contains("; none of them had its stack kept: wait for more, or set -D"), line);
    }

    @Test
    void logLineShowsEachStackOnceTheMostFrequentFirst() {
        add(64);
        addFrom("first");
        for (int i = 0; i < 3; i++) {
            addFrom("second");
        }
        addFrom("third");
        add(64);
        String begin = "pool=" + owner.name() + ", capacity=1024, size=1000, age=1s, acquired by thread "
                + Thread.currentThread().getName() + "\n\tat Server.";
        assertEquals(
                BEGIN + begin + "second(Server.java:1)\n\t(and 2 more with this stack)\n"
                        + begin + "first(Server.java:1)\n"
                        + begin + "third(Server.java:1); and 2 more" + ADVICE,
                line());
    }

    @Test
    void logLineShowsTenStacksAndCountsTheOthers() {
        for (int i = 0; i < 300; i++) {
            addFrom("frame" + i);
        }
        String line = line();
        assertEquals(10, line.split("capacity=1024", -1).length - 1, line);
        assertTrue(line.contains("Server.frame9("), line);
        assertTrue(line.endsWith("; and 290 more" + ADVICE), line);
    }

    /** A trace whose report finds no heap. */
    private static AcquireTrace withoutHeap() {
        AcquireTrace trace = new AcquireTrace(0, 100);
        acquired(trace, new Throwable() {
            @Override
            public StackTraceElement[] getStackTrace() {
                throw new OutOfMemoryError("for the test");
            }
        });
        return trace;
    }

    private static void acquired(AcquireTrace trace, Throwable at) {
        Peek.setField(trace, AcquireTrace.class, "acquired", at);
    }

    @Test
    void lostLeaseWithoutHeapForReportIsCountedInLog() {
        assertFalse(reports.found(1024, withoutHeap(), 0));
        add(7);
        assertEquals(BEGIN + "pool=" + owner.name() + ", capacity=7; and 1 more" + ADVICE, line());
        assertEquals(List.of("listener 7"), received);
    }

    @Test
    void lostLeaseWithoutReportIsLoggedAlone() {
        reports.found(1024, withoutHeap(), 0);
        assertFalse(reports.isAllReported());
        assertEquals(BEGIN + "pool=" + owner.name() + "; and 1 more" + ADVICE, line());
        assertTrue(reports.isAllReported());
    }

    @Test
    void reportsAreBoundedUntilCallback() {
        for (int i = 0; i < MOST; i++) {
            assertTrue(add(1));
        }
        assertFalse(add(1));
        reports.report(false);
        callback();
        assertEquals(MOST, received.size());
        assertEquals(1, log.lines("; and " + MOST + " more").size());
        assertTrue(add(1));
    }

    private LeakReports overdue(LeakTracking tracking) {
        owner.leaks(tracking);
        return new LeakReports(owner, false, report -> received.add("overdue " + report.capacity()));
    }

    private void callbackOf(LeakReports overdue) {
        overdue.report(false);
        callback();
    }

    @Test
    void overdueLineNamesTrackingThatFoundLease() {
        LeakReports overdue = overdue(LeakTracking.older(Duration.ofSeconds(1)));
        AcquireTrace trace = new AcquireTrace(0, 100);
        overdue.findOverdue(
                () -> List.of(new OpenLease(owner.name(), 1, trace)), trace.nanoTime + TimeUnit.SECONDS.toNanos(2));
        owner.leaks(LeakTracking.older(Duration.ofHours(1)));
        overdue.findOverdue(List::of, trace.nanoTime + TimeUnit.SECONDS.toNanos(3));
        owner.leaks(LeakTracking.all());
        callbackOf(overdue);
        String line = log.records().get(0).getMessage();
        assertTrue(line.startsWith("a lease is out for longer than leaks=older:1s allows: "), line);
    }

    @Test
    void overdueLeasesAreNotListedUnlessWanted() {
        overdue(LeakTracking.all()).findOverdue(() -> fail("the list takes time"), System.nanoTime());
    }

    /** The first has no heap for its report at first; the list of the second call has none at all. */
    @Test
    void overdueLeaseWithoutHeapForReportIsFoundAgain() {
        LeakReports overdue = overdue(LeakTracking.older(Duration.ofMillis(1)));
        AcquireTrace trace = withoutHeap();
        List<OpenLease> open = List.of(new OpenLease(owner.name(), 1, trace));
        long later = trace.nanoTime + TimeUnit.SECONDS.toNanos(1);
        overdue.findOverdue(() -> open, later);
        overdue.findOverdue(
                () -> {
                    throw new OutOfMemoryError("for the test");
                },
                later);
        assertTrue(overdue.isAllReported(), "not counted either");
        assertFalse(trace.reported);
        acquired(trace, new Throwable());
        overdue.findOverdue(() -> open, later);
        callbackOf(overdue);
        assertEquals(List.of("overdue 1"), received);
    }

    // ---------------------------------------------------------------- LeakTracker

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
        RegionAllocator regions = new RegionAllocator(owner, owner.settings().policy(), new Budget(1 << 20));
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
