// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.LeakReport;
import dev.buffers.internal.slab.AcquireTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OpenLeasesTest {
    private static LeakReport report(Duration age, String method) {
        return report(age, List.of(new StackTraceElement("app.Handler", method, "Handler.java", 7)));
    }

    private static LeakReport report(Duration age, List<StackTraceElement> stack) {
        LeakReport.Acquisition known = new LeakReport.Acquisition(100, age, "worker", stack, List.of());
        return new LeakReport("web", 128, false, Optional.of(known));
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
        Collections.shuffle(reports, new Random(7));
        List<Long> seconds = OpenLeases.ofReports(reports).places().stream()
                .map(place -> place.oldest().acquisition().orElseThrow().age().toSeconds())
                .toList();
        assertEquals(List.of(25L, 24L, 23L, 22L, 21L, 20L, 19L, 18L, 17L, 16L), seconds);
    }

    @Test
    void closeMessageHasUpperFramesOfDeepStack() {
        List<StackTraceElement> deep = new ArrayList<>();
        for (int i = 1; i <= 63; i++) {
            deep.add(new StackTraceElement("app.Handler", "depth" + i, "Handler.java", i));
        }
        List<String> lines = OpenLeases.ofReports(List.of(report(Duration.ofSeconds(1), deep)))
                .atClose("web", "-Dbuffers.web.leaks=all", 1, 128)
                .lines()
                .toList();
        assertEquals(2 + 10 + 1, lines.size());
        assertTrue(lines.get(11).contains("depth10("), lines.get(11));
        assertEquals("\t... 53 more", lines.get(12));
    }

    /** Each report copies a stack. */
    @Test
    void allLeasesAreCountedAndOldestThousandHaveReports() {
        AcquireTrace trace = new AcquireTrace(0, 100);
        List<OpenLease> leases = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            leases.add(new OpenLease("web", i, trace));
        }
        leases.add(new OpenLease("web", 1, null));
        OpenLeases open = OpenLeases.ofLeases(leases);
        assertEquals(1500, Arrays.stream(open.ages).sum());
        assertEquals(1, open.ageless);
        assertEquals(1000, open.known.size());
        assertEquals(999, open.known.get(999).capacity(), "in order");
    }
}
