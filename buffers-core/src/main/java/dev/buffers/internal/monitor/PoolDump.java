// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.internal.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A pool as a person reads it, in a table. Any pool, a user's own too. */
public final class PoolDump {
    private static final int GAP = 2;

    private final List<String> lines = new ArrayList<>();

    private PoolDump() {}

    /**
     * The table of {@link BufferPool#dump}.
     *
     * @param name the pool's name and the rest of the first line
     */
    public static String of(String name, PoolStats stats, OpenLeases open) {
        PoolDump dump = new PoolDump();
        dump.lines.add("pool " + name + ", cap " + ByteSize.text(stats.maxBytes()));
        dump.memory(stats);
        dump.sizes(stats);
        dump.counts(stats);
        dump.open(open, stats.leases());
        return String.join("\n", dump.lines) + "\n";
    }

    private void memory(PoolStats stats) {
        table(List.of(
                List.of("memory", "bytes", "of cap"),
                bytes("cap", stats.maxBytes(), stats),
                bytes("reserved", stats.reservedBytes(), stats),
                bytes("  leased", stats.leasedBytes(), stats),
                bytes("  cached", stats.cachedBytes(), stats),
                bytes("  uncarved", stats.uncarvedBytes(), stats),
                bytes("  lost", stats.lostBytes(), stats),
                bytes("dropped", stats.droppedBytes(), stats)));
    }

    private static List<String> bytes(String what, long bytes, PoolStats stats) {
        return List.of(what, number(bytes), percent(bytes, stats.maxBytes()));
    }

    private void sizes(PoolStats stats) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("size", "leased", "cached", "slabs", "hits", "misses"));
        long other = stats.leases();
        for (PoolStats.SizeClass size : stats.sizeClasses()) {
            other -= size.leased();
            rows.add(List.of(
                    number(size.size()),
                    number(size.leased()),
                    number(size.cached()),
                    number(size.slabs()),
                    number(size.hits()),
                    number(size.misses())));
        }
        rows.add(List.of("other", number(Math.max(0, other)), "", "", "", ""));
        table(rows);
    }

    private void counts(PoolStats stats) {
        lines.add("regions: " + number(stats.regions()) + " now; " + number(stats.trimmedBytes()) + " bytes trimmed, "
                + number(stats.collections()) + " collections asked for");
        lines.add("waiters: " + number(stats.waiters()) + " now; " + number(stats.waits()) + " waits before, "
                + number(stats.waitedNanos() / 1_000_000) + " ms in all");
        lines.add("acquires: " + counts(stats.acquiresByOutcome()));
        lines.add("releases: " + counts(stats.releasesByOutcome()));
        lines.add("lost leases: " + number(stats.leaks()));
    }

    private static String counts(Map<? extends Enum<?>, Long> byOutcome) {
        String text = new TreeMap<>(byOutcome)
                .entrySet().stream()
                        .filter(entry -> entry.getValue() > 0)
                        .map(entry -> entry.getKey().name().toLowerCase(Locale.ROOT) + " " + number(entry.getValue()))
                        .collect(Collectors.joining(", "));
        return text.isEmpty() ? "none" : text;
    }

    private void open(OpenLeases open, long leases) {
        lines.add("open leases: " + number(leases));
        if (open.known.isEmpty()) {
            if (open.ageless > 0) {
                lines.add("  of unknown age: leaks=all or sample:<n> keeps when and where leases were acquired");
            }
            return;
        }
        List<String> bounds = OpenLeases.BOUNDS;
        List<String> head = new ArrayList<>(List.of("  age", "below " + bounds.get(0)));
        List<String> row = new ArrayList<>(List.of("  leases", number(open.ages[0])));
        for (int i = 1; i < open.ages.length; i++) {
            head.add("from " + bounds.get(i - 1));
            row.add(number(open.ages[i]));
        }
        head.add("unknown");
        row.add(number(open.ageless));
        table(List.of(head, row));
        for (OpenLeases.Place place : open.places()) {
            lines.add(("  " + place + " " + place.at()).stripTrailing());
        }
    }

    /** Adds the rows with their columns one below the other: the first to the left, the others to the right. */
    private void table(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(row.get(0));
            line.append(" ".repeat(widths[0] - line.length()));
            for (int i = 1; i < widths.length; i++) {
                line.append(" ".repeat(GAP + widths[i] - row.get(i).length())).append(row.get(i));
            }
            lines.add(line.toString().stripTrailing());
        }
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String percent(long part, long whole) {
        return whole <= 0 ? "" : String.format(Locale.ROOT, "%.1f%%", 100.0 * part / whole);
    }
}
