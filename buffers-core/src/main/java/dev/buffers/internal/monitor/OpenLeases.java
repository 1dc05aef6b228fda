// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakReport.Acquisition;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The leases of a pool that are out: how many of each age, and the oldest. Ages are known of those leases whose stack was kept.
 *
 * <p>One thread. A report, which has the stack, is made of the oldest alone.
 */
public final class OpenLeases {
    /** The bounds between the ages that are counted together, in the form of a setting. */
    static final List<String> BOUNDS = List.of("1s", "10s", "1m", "10m", "1h");

    private static final int MOST = 10;

    private static final Comparator<LeakReport> OLDEST_FIRST =
            Comparator.comparing(OpenLeases::age).reversed();

    /** How many are below the first bound, from there to the second, and so on. */
    final long[] ages = new long[BOUNDS.size() + 1];

    /** How many there are whose age is not known. */
    long ageless;

    /** The oldest whose age is known, the oldest first. */
    final List<LeakReport> oldest = new ArrayList<>();

    private OpenLeases() {}

    /** Those of a pool with these slabs. */
    public static OpenLeases in(SlabStore slabs) {
        OpenLeases open = new OpenLeases();
        long now = System.nanoTime();
        slabs.eachOut(slot -> {
            long state = slot.stateVolatile();
            if (SlotState.isHeld(state)) {
                AcquireTrace trace = LeakTracker.traceOf(slot, state);
                long age = trace == null ? -1 : trace.age(now).toNanos();
                open.add(age, () -> LeakTracker.reportOf(slot, false, trace, now));
            }
        });
        return open;
    }

    /** Those that these reports describe. */
    public static OpenLeases of(List<LeakReport> reports) {
        OpenLeases open = new OpenLeases();
        for (LeakReport report : reports) {
            open.add(report.acquisition().isEmpty() ? -1 : age(report).toNanos(), () -> report);
        }
        return open;
    }

    /** A report of each, the oldest first, those of unknown age last. */
    public static List<LeakReport> reports(SlabStore slabs) {
        List<LeakReport> reports = new ArrayList<>();
        long now = System.nanoTime(); // one time for all, because a report takes longer than many acquires
        slabs.eachOut(slot -> {
            long state = slot.stateVolatile();
            if (SlotState.isHeld(state)) {
                reports.add(LeakTracker.reportOf(slot, false, LeakTracker.traceOf(slot, state), now));
            }
        });
        reports.sort(OLDEST_FIRST);
        return reports;
    }

    /** Counts a lease of that age, less than 0 when it is not known; {@code report} is asked if it is among the oldest so far. */
    private void add(long nanos, Supplier<LeakReport> report) {
        if (nanos < 0) {
            ageless++;
            return;
        }
        int at = 0;
        while (at < BOUNDS.size() && nanos >= DurationText.parse(BOUNDS.get(at)).toNanos()) {
            at++;
        }
        ages[at]++;
        if (oldest.size() < MOST || nanos > age(oldest.get(MOST - 1)).toNanos()) {
            oldest.add(report.get());
            oldest.sort(OLDEST_FIRST);
            if (oldest.size() > MOST) {
                oldest.remove(MOST);
            }
        }
    }

    private static Duration age(LeakReport report) {
        return report.acquisition().map(Acquisition::age).orElse(Duration.ZERO);
    }

    /** The line for the log when the pool of that name closes while {@code count} leases are out. */
    public String atClose(String pool, String settingsName, long count, long bytes) {
        StringBuilder line = new StringBuilder("a pool was closed while leases are out: pool=" + pool + ", leases="
                + count + ", leased=" + bytes + "; the memory of each goes once it is released");
        if (oldest.isEmpty()) {
            return line.append("; set -Dbuffers.")
                    .append(settingsName)
                    .append(".leaks=all to see where such leases were acquired")
                    .toString();
        }
        Map<String, List<LeakReport>> places = new LinkedHashMap<>();
        oldest.forEach(report -> places.computeIfAbsent(report.stackText(), stack -> new ArrayList<>())
                .add(report));
        line.append(oldest.size() < count ? "; the oldest of them that are known:" : ":");
        places.forEach((stack, reports) -> {
            LeakReport first = reports.get(0);
            line.append(System.lineSeparator())
                    .append(reports.size())
                    .append(reports.size() == 1 ? " lease, " : " leases, the oldest ")
                    .append(describe(first))
                    .append(System.lineSeparator())
                    .append(stack);
        });
        return line.toString();
    }

    /** One whose age is known, in one line, without its stack. */
    static String describe(LeakReport report) {
        Acquisition known = report.acquisition().orElseThrow();
        return known.size() + " of " + report.capacity() + " bytes for " + inSeconds(known.age())
                + ", acquired by thread " + known.thread();
    }

    private static String inSeconds(Duration age) {
        return DurationText.of(
                age.toSeconds() == 0
                        ? Duration.ofMillis(Math.max(1, age.toMillis()))
                        : Duration.ofSeconds(age.toSeconds()));
    }
}
