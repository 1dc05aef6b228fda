// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakReport.Acquisition;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a pool that are out: how many of each age, and the oldest. Ages are known of those leases whose stack was kept.
 *
 * <p>One thread. Reports, which have the stacks, are made of the oldest alone.
 */
public final class OpenLeases {
    /** The bounds between the ages that are counted together, in the form of a setting. */
    static final List<String> BOUNDS = List.of("1s", "10s", "1m", "10m", "1h");

    private static final int MOST_PLACES = 10;

    /** Of each place, in the log: below these are mostly the server's frames, or a test runner's. */
    private static final int MOST_FRAMES = 10;

    /** Each report makes an array of its stack's frames. */
    private static final int MOST_REPORTS = 1000;

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

        /** The line of its user: the first frame that is not the JDK's, such as those of a reader over a stream; or else the first. */
        String at() {
            List<StackTraceElement> stack = oldest.acquisition().orElseThrow().stack();
            return stack.stream()
                    .filter(frame -> !isOfJdk(frame))
                    .findFirst()
                    .or(() -> stack.stream().findFirst())
                    .map(frame -> "at " + frame)
                    .orElse("");
        }

        private static boolean isOfJdk(StackTraceElement frame) {
            String module = frame.getModuleName();
            return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
        }

        /** The upper frames of its stack, one a line. */
        private String top() {
            List<String> frames = oldest.stackText().lines().toList();
            int more = frames.size() - MOST_FRAMES;
            String end = System.lineSeparator();
            return frames.stream().limit(MOST_FRAMES).collect(Collectors.joining(end))
                    + (more > 0 ? end + "\t... " + more + " more" : "");
        }
    }

    /** How many are below the first bound, from there to the second, and so on. */
    final long[] ages = new long[BOUNDS.size() + 1];

    /** How many there are whose age is not known. */
    long ageless;

    /** Those whose age is known, or the oldest of them; the oldest first. */
    final List<LeakReport> known = new ArrayList<>();

    private OpenLeases() {}

    /** A summary of these leases. */
    public static OpenLeases ofLeases(List<OpenLease> leases) {
        long now = System.nanoTime();
        OpenLeases open = new OpenLeases();
        for (OpenLease lease : oldestFirst(leases, now)) {
            AcquireTrace trace = lease.trace();
            open.count(trace == null ? null : trace.age(now));
            if (trace != null && open.known.size() < MOST_REPORTS) {
                open.known.add(lease.report(false, now));
            }
        }
        return open;
    }

    /** The same of the leases that these reports describe. */
    public static OpenLeases ofReports(List<LeakReport> reports) {
        OpenLeases open = new OpenLeases();
        for (LeakReport report : reports) {
            open.count(report.acquisition().map(Acquisition::age).orElse(null));
            report.acquisition().ifPresent(acquisition -> open.known.add(report));
        }
        open.known.sort(Comparator.comparing(
                report -> report.acquisition().orElseThrow().age(), Comparator.reverseOrder()));
        return open;
    }

    /** A report of each in a new list, the oldest first, those of unknown age last. */
    public static List<LeakReport> reports(List<OpenLease> leases) {
        List<LeakReport> reports = new ArrayList<>();
        long now = System.nanoTime(); // one time for all, because a report takes longer than many acquires
        oldestFirst(leases, now).forEach(lease -> reports.add(lease.report(false, now)));
        return reports;
    }

    private static List<OpenLease> oldestFirst(List<OpenLease> leases, long now) {
        List<OpenLease> sorted = new ArrayList<>(leases);
        sorted.sort(Comparator.comparingLong(
                lease -> lease.trace() == null ? Long.MAX_VALUE : lease.trace().nanoTime - now));
        return sorted;
    }

    private void count(@Nullable Duration age) {
        if (age == null) {
            ageless++;
            return;
        }
        int at = 0;
        while (at < BOUNDS.size() && age.compareTo(DurationText.parse(BOUNDS.get(at))) >= 0) {
            at++;
        }
        ages[at]++;
    }

    /**
     * The line for the log when the pool of that name closes while {@code count} leases are out.
     *
     * @param tracking the setting with which the pool would know where they were acquired
     */
    public String atClose(String pool, String tracking, long count, long bytes) {
        String line = "a pool was closed while leases are out: pool=" + pool + ", leases=" + count + ", leased=" + bytes
                + "; the memory of each goes once it is released";
        if (known.isEmpty()) {
            return line + "; set " + tracking + " to see where such leases were acquired";
        }
        List<Place> places = places();
        boolean all = places.stream().mapToInt(Place::leases).sum() >= count;
        String end = System.lineSeparator();
        return places.stream()
                .map(place -> end + place + end + place.top())
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
