// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEventsTest;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Logged;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the lease that was found to the event, the log and the listener; the test plays the tick and the callback's thread. */
class LeakReportsTest {
    private static final int MOST = 10_000;
    private static final String BEGIN = "a lease was lost, dropped without release: ";
    private static final String ADVICE =
            "; set -Dbuffers.bare.leaks=sample:128, or all, to see where such leases were acquired";

    private final List<Callbacks.Callback> due = new ArrayList<>();
    private final List<String> received = new ArrayList<>();
    private final BareOwner owner = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            due.add(callback);
        }
    };
    private final Logged log = new Logged(owner.name());
    private final LeakReports reports =
            new LeakReports(owner, true, LeakTracking::count, report -> received.add("listener " + report.capacity()));

    @AfterEach
    void free() {
        log.close();
        owner.close();
    }

    private void add(int capacity) {
        assertTrue(reports.count());
        reports.add(new LeakReport(owner.name(), capacity, true, Optional.empty()));
    }

    private static long events(Path file) throws IOException {
        return FlightEventsTest.names(FlightEventsTest.ours(file)).stream()
                .filter("dev.buffers.Leak"::equals)
                .count();
    }

    private void callback() {
        owner.callbacks().call(due.remove(0));
    }

    @Test
    void addRecordsEventAndCallbackNotifiesListener(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("leaks.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            add(1);
            add(2);
            recording.dump(file);
            assertEquals(2, events(file));
        }
        reports.report();
        assertEquals(List.of(), received);
        assertFalse(reports.isAllReported());
        reports.report();
        assertEquals(1, due.size(), "one callback at a time");
        callback();
        assertEquals(List.of("listener 1", "listener 2"), received);
        assertTrue(reports.isAllReported());
        reports.report();
        assertEquals(0, due.size(), "nothing new");
    }

    /** The report of a lease that was acquired in a method of that name. */
    private void addFrom(String method) {
        StackTraceElement frame = new StackTraceElement("Server", method, "Server.java", 1);
        assertTrue(reports.count());
        reports.add(new LeakReport(
                owner.name(),
                1024,
                true,
                Optional.of(new LeakReport.Acquisition(1000, Duration.ofSeconds(1), "w", List.of(frame), List.of()))));
    }

    private String line() {
        reports.report();
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
    void logLineShowsEachStackOnceTheMostFrequentFirst() {
        add(64);
        addFrom("first");
        for (int i = 0; i < 3; i++) {
            addFrom("second");
        }
        addFrom("third");
        add(64);
        String begin =
                "pool=" + owner.name() + ", capacity=1024, size=1000, age=1s, acquired by thread w\n\tat Server.";
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

    @Test
    void logHasOneLineAMinute() {
        add(1);
        reports.report();
        callback();
        add(2);
        reports.report();
        callback();
        assertEquals(1, log.records().size());
        assertEquals("listener 2", received.get(received.size() - 1), "the listener hears of each");
    }

    /** Found and counted, but there was no heap for its report. */
    @Test
    void leaseWithoutReportIsCountedInLog() {
        reports.count();
        add(7);
        reports.report();
        callback();
        assertEquals(1, log.lines("; and 1 more").size());
    }

    @Test
    void reportsAreBoundedUntilCallback() {
        for (int i = 0; i < MOST; i++) {
            assertFalse(reports.isFull());
            add(1);
        }
        assertTrue(reports.isFull());
        assertFalse(reports.count());
        reports.report();
        callback();
        assertEquals(MOST, received.size());
        assertFalse(reports.isFull());
        assertTrue(reports.count());
    }
}
