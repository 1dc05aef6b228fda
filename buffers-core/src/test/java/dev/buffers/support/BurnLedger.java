// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** The actions of a burn, counted by itself and apart from the pool: at the end the pool must say the same. */
public final class BurnLedger {
    private static final String PEAK = "peak-reserved";

    /** Tenancies that are out: acquired, and not all of their leases ended. */
    final LongAdder out = new LongAdder();

    /** Tenancies that were dropped without release, and cannot be reached. */
    final LongAdder lost = new LongAdder();

    final LongAdder discarded = new LongAdder();
    final LongAdder refused = new LongAdder();

    /** Releases and discards of leases that had ended, tried on purpose. */
    final LongAdder invalid = new LongAdder();

    /** Each use that was tried on purpose with a lease that had ended. */
    final LongAdder stale = new LongAdder();

    /** Leases that were ended, and how many of them by a thread other than the acquiring one. */
    final LongAdder ended = new LongAdder();

    final LongAdder foreign = new LongAdder();
    final LongAdder checks = new LongAdder();
    final LongAdder checkedBytes = new LongAdder();
    final LongAdder patient = new LongAdder();
    final LongAdder registered = new LongAdder();
    final LongAdder woken = new LongAdder();
    final LongAdder channels = new LongAdder();
    final LongAdder handOffs = new LongAdder();
    final LongAdder trims = new LongAdder();
    final LongAdder threads = new LongAdder();
    final LongAdder quiescent = new LongAdder();

    /** Used by the thread that runs the burn alone. */
    long peakReserved;

    /** All figures, beside the counts of the pool. */
    Map<String, Long> figures(PoolStats stats, long waits) {
        Map<String, Long> figures = new TreeMap<>();
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            figures.put("acquires-" + outcome.name().toLowerCase(Locale.ROOT), stats.acquires(outcome));
        }
        for (ReleaseOutcome outcome : ReleaseOutcome.values()) {
            figures.put("releases-" + outcome.name().toLowerCase(Locale.ROOT), stats.releases(outcome));
        }
        figures.put("leaks", stats.leaks());
        figures.put("trimmed-bytes", stats.trimmedBytes());
        figures.put(PEAK, peakReserved);
        figures.put("waits", waits);
        figures.put("waits-patient", patient.sum());
        figures.put("wake-ups", woken.sum());
        figures.put("leases-ended", ended.sum());
        figures.put("leases-ended-elsewhere", foreign.sum());
        figures.put("misuses", stale.sum());
        figures.put("channels", channels.sum());
        figures.put("hand-offs", handOffs.sum());
        figures.put("trims", trims.sum());
        figures.put("threads", threads.sum());
        figures.put("quiescent-checks", quiescent.sum());
        figures.put("stamps-checked", checks.sum());
        figures.put("bytes-checked", checkedBytes.sum());
        return figures;
    }

    /** In one line, which {@link #parse} reads. */
    public static String line(Map<String, Long> figures) {
        return figures.entrySet().stream()
                .map(figure -> figure.getKey() + "=" + String.format(Locale.ROOT, "%,d", figure.getValue()))
                .collect(Collectors.joining(" "));
    }

    public static Map<String, Long> parse(String line) {
        Map<String, Long> figures = new TreeMap<>();
        for (String figure : line.strip().split(" ")) {
            String[] sides = figure.split("=");
            figures.put(sides[0], Long.parseLong(sides[1].replace(",", "")));
        }
        return figures;
    }

    /** The figures of two burns together. */
    public static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
        Map<String, Long> sum = new TreeMap<>(one);
        other.forEach((name, value) -> sum.merge(name, value, name.equals(PEAK) ? Math::max : Long::sum));
        return sum;
    }
}
