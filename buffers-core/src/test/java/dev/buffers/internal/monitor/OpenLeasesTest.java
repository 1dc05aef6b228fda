// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenLeasesTest {

    private static LeakReport report(Duration age, String method) {
        StackTraceElement frame = new StackTraceElement("app.Handler", method, "Handler.java", 7);
        return new LeakReport(
                "web",
                128,
                false,
                Optional.of(new LeakReport.Acquisition(100, age, "worker", List.of(frame), List.of())));
    }

    private static LeakReport ageless() {
        return new LeakReport("web", 128, false, Optional.empty());
    }

    @Test
    void leasesAreCountedByAge() {
        OpenLeases open = OpenLeases.ofReports(List.of(
                report(Duration.ZERO, "a"),
                report(Duration.ofMillis(999), "a"),
                report(Duration.ofSeconds(1), "a"),
                report(Duration.ofSeconds(59), "a"),
                report(Duration.ofMinutes(1), "a"),
                report(Duration.ofHours(30), "a"),
                ageless()));
        assertArrayEquals(new long[] {2, 1, 1, 1, 0, 1}, open.ages);
        assertEquals(1, open.ageless);
    }

    @Test
    void placesOfOldestAreGivenOldestFirst() {
        List<LeakReport> reports = new ArrayList<>();
        for (int i = 1; i <= 25; i++) {
            reports.add(report(Duration.ofSeconds(i), "place" + i));
        }
        Collections.shuffle(reports, new java.util.Random(7));
        List<Long> seconds = OpenLeases.ofReports(reports).places().stream()
                .map(place -> place.oldest().acquisition().orElseThrow().age().toSeconds())
                .toList();
        assertEquals(List.of(25L, 24L, 23L, 22L, 21L, 20L, 19L, 18L, 17L, 16L), seconds);
    }

    /** A leak that is 2,000 leases by now must not hide a second one. */
    @Test
    void placeCountsAllItsLeases() {
        List<LeakReport> reports = new ArrayList<>();
        for (int i = 1; i <= 2000; i++) {
            reports.add(report(Duration.ofSeconds(i), "often"));
        }
        reports.add(report(Duration.ofSeconds(1), "other"));
        assertEquals(
                List.of(
                        "2000 leases, the oldest 100 of 128 bytes for 2000s, acquired by thread worker",
                        "1 lease, 100 of 128 bytes for 1s, acquired by thread worker"),
                OpenLeases.ofReports(reports).places().stream()
                        .map(Object::toString)
                        .toList());
    }

    @Test
    void closeMessageNamesEachPlaceOnce() {
        OpenLeases open = OpenLeases.ofReports(List.of(
                report(Duration.ofSeconds(3), "read"),
                report(Duration.ofSeconds(9), "write"),
                report(Duration.ofSeconds(4), "read")));
        List<String> lines = open.atClose("web", "web", 5, 640).lines().toList();
        assertEquals(
                "a pool was closed while leases are out: pool=web, leases=5, leased=640;"
                        + " the memory of each goes once it is released; the oldest of them that are known:",
                lines.get(0));
        assertEquals("1 lease, 100 of 128 bytes for 9s, acquired by thread worker", lines.get(1));
        assertTrue(lines.get(2).contains("app.Handler.write(Handler.java:7)"), lines.get(2));
        assertEquals("2 leases, the oldest 100 of 128 bytes for 4s, acquired by thread worker", lines.get(3));
        assertTrue(lines.get(4).contains("app.Handler.read(Handler.java:7)"), lines.get(4));
        assertEquals(5, lines.size());
    }

    @Test
    void closeMessageNamesOldestOfManyPlaces() {
        List<LeakReport> reports = new ArrayList<>();
        for (int i = 1; i <= 11; i++) {
            reports.add(report(Duration.ofSeconds(i), "place" + i));
        }
        String said = OpenLeases.ofReports(reports).atClose("web", "web", 11, 1408);
        assertTrue(said.contains("; the oldest of them that are known:"), said);
        assertFalse(said.contains("place1("), said);
    }

    @Test
    void closeMessageWithoutStackNamesSetting() {
        String said = OpenLeases.ofReports(List.of(ageless())).atClose("web#2", "web", 1, 128);
        assertTrue(said.endsWith("; set -Dbuffers.web.leaks=all to see where such leases were acquired"), said);
    }

    private static OpenLease lease(int capacity, AcquireTrace trace) {
        return new OpenLease("web", capacity, trace);
    }

    @Test
    void reportsBeginWithOldestAndEndWithoutAge() {
        AcquireTrace first = new AcquireTrace(0, 100);
        AcquireTrace second = new AcquireTrace(0, 100);
        while (second.nanoTime == first.nanoTime) {
            second = new AcquireTrace(0, 100);
        }
        List<OpenLease> leases = List.of(lease(3, null), lease(2, second), lease(1, first), lease(4, null));
        assertEquals(
                List.of(1, 2, 3, 4),
                OpenLeases.reports(leases).stream().map(LeakReport::capacity).toList());
    }

    /** Each report copies a stack. */
    @Test
    void allLeasesAreCountedAndOldestThousandHaveReports() {
        AcquireTrace trace = new AcquireTrace(0, 100);
        List<OpenLease> leases = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            leases.add(lease(i, trace));
        }
        leases.add(lease(1, null));
        OpenLeases open = OpenLeases.ofLeases(leases);
        assertEquals(1500, Arrays.stream(open.ages).sum());
        assertEquals(1, open.ageless);
        assertEquals(1000, open.known.size());
        assertEquals(999, open.known.get(999).capacity(), "in order");
    }

    /** To format 60,000 stacks takes seconds, for which no acquire may wait. Here a report waits for its trace. */
    @Test
    void reportsHoldNoMonitorOfSlabsWhileTheyFormat() throws Exception {
        try (BufferPool pool = BufferPool.builder("open-leases")
                .policy("heap-view")
                .max(1 << 20)
                .leaks(LeakTracking.all())
                .build()) {
            PooledBuffer lease = pool.acquire(100);
            AcquireTrace trace = Peek.slot(lease).trace;
            Thread reporting;
            synchronized (trace) {
                reporting = Threads.start(pool::openLeases);
                Eventually.holds("it formats", () -> reporting.getState() == Thread.State.BLOCKED);
                Threads.run(() -> pool.acquire(5000).release()); // takes the monitor: its slab is cut
            }
            Threads.join(reporting);
            assertEquals(1, pool.openLeases().size());
            lease.release();
            assertEquals(0, pool.openLeases().size());
        }
    }
}
