// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakReport.Acquisition;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The leases of a pool that are out: how many of each age, and the oldest. Ages are known of those leases whose stack was kept.
 *
 * <p>One thread. Reports, which have the stacks, are made of the oldest alone.
 */
public final class OpenLeases {
    /** The bounds between the ages that are counted together, in the form of a setting. */
    static final List<String> BOUNDS = List.of("1s", "10s", "1m", "10m", "1h");

    private static final int MOST_PLACES = 10;

    /** Each report makes an array of its stack's frames. */
    private static final int MOST_REPORTS = 1000;

    private static final Comparator<LeakReport> OLDEST_FIRST =
            Comparator.comparing(OpenLeases::age).reversed();

    /** The leases that were acquired at one place. */
    record Place(LeakReport oldest, int leases) {

        /** In one line, without the stack. */
        @Override
        public String toString() {
            Acquisition known = oldest.acquisition().orElseThrow();
            return (leases == 1 ? "1 lease, " : leases + " leases, the oldest ") + known.size() + " of "
                    + oldest.capacity() + " bytes for " + inSeconds(known.age()) + ", acquired by thread "
                    + known.thread();
        }
    }

    /** How many are below the first bound, from there to the second, and so on. */
    final long[] ages = new long[BOUNDS.size() + 1];

    /** How many there are whose age is not known. */
    long ageless;

    /** Those whose age is known, or the oldest of them; the oldest first. */
    final List<LeakReport> known = new ArrayList<>();

    private OpenLeases() {}

    /** Those of a pool with these slabs. */
    public static OpenLeases in(SlabStore slabs) {
        record Traced(Slot slot, AcquireTrace trace) {}
        OpenLeases open = new OpenLeases();
        long now = System.nanoTime();
        List<Traced> all = new ArrayList<>();
        slabs.eachOut(slot -> {
            long state = slot.stateVolatile();
            if (SlotState.isHeld(state)) {
                AcquireTrace trace = LeakTracker.traceOf(slot, state);
                if (trace == null) {
                    open.ageless++;
                } else {
                    open.count(trace.age(now));
                    all.add(new Traced(slot, trace));
                }
            }
        });
        all.sort(Comparator.comparingLong(one -> one.trace.nanoTime - now));
        all.stream()
                .limit(MOST_REPORTS)
                .forEach(one -> open.known.add(LeakTracker.reportOf(one.slot, false, one.trace, now)));
        return open;
    }

    /** Those that these reports describe. */
    public static OpenLeases of(List<LeakReport> reports) {
        OpenLeases open = new OpenLeases();
        for (LeakReport report : reports) {
            if (report.acquisition().isPresent()) {
                open.count(age(report));
                open.known.add(report);
            } else {
                open.ageless++;
            }
        }
        open.known.sort(OLDEST_FIRST);
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

    private void count(Duration age) {
        int at = 0;
        while (at < BOUNDS.size() && age.compareTo(DurationText.parse(BOUNDS.get(at))) >= 0) {
            at++;
        }
        ages[at]++;
    }

    private static Duration age(LeakReport report) {
        return report.acquisition().map(Acquisition::age).orElse(Duration.ZERO);
    }

    /** The line for the log when the pool of that name closes while {@code count} leases are out. */
    public String atClose(String pool, String settingsName, long count, long bytes) {
        String line = "a pool was closed while leases are out: pool=" + pool + ", leases=" + count + ", leased=" + bytes
                + "; the memory of each goes once it is released";
        if (known.isEmpty()) {
            return line + "; set -Dbuffers." + settingsName + ".leaks=all to see where such leases were acquired";
        }
        List<Place> places = places();
        boolean all = places.stream().mapToInt(Place::leases).sum() >= count;
        String end = System.lineSeparator();
        return places.stream()
                .map(place -> end + place + end + place.oldest.stackText())
                .collect(Collectors.joining("", line + (all ? ":" : "; the oldest of them that are known:"), ""));
    }

    /** Where the known ones were acquired: the places of the oldest, the oldest first. */
    List<Place> places() {
        Map<List<StackTraceElement>, List<LeakReport>> byStack = new LinkedHashMap<>();
        for (LeakReport report : known) {
            byStack.computeIfAbsent(report.acquisition().orElseThrow().stack(), stack -> new ArrayList<>())
                    .add(report);
        }
        return byStack.values().stream()
                .limit(MOST_PLACES)
                .map(reports -> new Place(reports.get(0), reports.size()))
                .toList();
    }

    private static String inSeconds(Duration age) {
        return DurationText.of(
                age.toSeconds() == 0
                        ? Duration.ofMillis(Math.max(1, age.toMillis()))
                        : Duration.ofSeconds(age.toSeconds()));
    }
}
