// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.PoolStats;
import dev.buffers.PoolStats.SizeClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A pool's figures as maps and lists of texts and numbers, which every writer of JSON knows. */
final class PoolFigures {
    private static final int MOST_PLACES = 100;

    private PoolFigures() {}

    /** What a person looks at first. */
    static Map<String, Object> brief(BufferPool pool) {
        return brief(pool.stats());
    }

    private static Map<String, Object> brief(PoolStats stats) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("maxBytes", stats.maxBytes());
        figures.put("reservedBytes", stats.reservedBytes());
        figures.put("leasedBytes", stats.leasedBytes());
        figures.put("droppedBytes", stats.droppedBytes());
        figures.put("lostBytes", stats.lostBytes());
        figures.put("leases", stats.leases());
        figures.put("waiters", stats.waiters());
        figures.put("leaks", stats.leaks());
        figures.put("rejected", stats.acquires(AcquireOutcome.REJECTED));
        return figures;
    }

    /** All there is: these settings, figures, size classes, and where the oldest of the leases that are out were acquired. */
    static Map<String, Object> all(BufferPool pool) {
        PoolStats stats = pool.stats();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", pool.name());
        all.put("settings", pool.settings().toString().lines().skip(1).toList());
        all.putAll(brief(stats));
        all.put("cachedBytes", stats.cachedBytes());
        all.put("uncarvedBytes", stats.uncarvedBytes());
        all.put("regions", stats.regions());
        all.put("slabs", stats.slabs());
        all.put("waits", stats.waits());
        all.put("waitedMillis", stats.waitedNanos() / 1_000_000);
        all.put("trimmedBytes", stats.trimmedBytes());
        all.put("acquires", byName(stats.acquiresByOutcome()));
        all.put("releases", byName(stats.releasesByOutcome()));
        all.put(
                "sizeClasses",
                stats.sizeClasses().stream().map(PoolFigures::sizeClass).toList());
        all.put("openLeases", byStack(pool.openLeases()));
        return all;
    }

    /** One entry for each stack: its oldest lease, and how many leases have it. */
    private static List<Map<String, Object>> byStack(List<LeakReport> oldestFirst) {
        Map<List<StackTraceElement>, List<LeakReport>> places = oldestFirst.stream()
                .collect(Collectors.groupingBy(
                        report -> report.acquisition()
                                .map(LeakReport.Acquisition::stack)
                                .orElse(List.of()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return places.values().stream()
                .limit(MOST_PLACES)
                .map(reports -> lease(reports.get(0), reports.size()))
                .toList();
    }

    private static Map<String, Object> byName(Map<? extends Enum<?>, Long> counts) {
        Map<String, Object> named = new LinkedHashMap<>();
        counts.forEach((outcome, count) -> named.put(outcome.toString(), count));
        return named;
    }

    private static Map<String, Object> sizeClass(SizeClass sizeClass) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("size", sizeClass.size());
        figures.put("leased", sizeClass.leased());
        figures.put("cached", sizeClass.cached());
        figures.put("slabs", sizeClass.slabs());
        figures.put("hits", sizeClass.hits());
        figures.put("misses", sizeClass.misses());
        return figures;
    }

    private static Map<String, Object> lease(LeakReport report, int leases) {
        Map<String, Object> lease = new LinkedHashMap<>();
        lease.put("leases", leases);
        lease.put("capacity", report.capacity());
        report.acquisition().ifPresent(known -> {
            lease.put("size", known.size());
            lease.put("ageMillis", known.age().toMillis());
            lease.put("thread", known.thread());
            List<String> stack = new ArrayList<>();
            known.stack().forEach(frame -> stack.add(frame.toString()));
            lease.put("stack", stack);
            List<String> touches = new ArrayList<>();
            known.touches().forEach(touch -> touches.add(touch.toString()));
            lease.put("touches", touches);
        });
        return lease;
    }
}
