// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Comparison.Engine;
import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Journal.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A figure of one side, over all JVMs of a run: of a connection that waits, where the figures of both sides count, not only their ratio.
 *
 * @param runs how many JVMs
 * @param median in bytes, as the others
 */
record Spread(String cell, String side, String figure, int runs, double median, double least, double most) {
    private static final List<String> FIGURES = List.of("held", "heap", "direct", "leased", "resident");

    /** The figures of all connections that wait, as far as they were measured. */
    static List<Spread> all(Claim claim, Journal journal) {
        List<Spread> all = new ArrayList<>();
        for (Comparison comparison : journal.header().comparisons()) {
            if (comparison.engine() == Engine.WAITING
                    && claim.comparisons().stream().anyMatch(its -> its.name().equals(comparison.name()))) {
                comparison.cells().forEach(cell -> all.addAll(ofCell(cell.name(), journal)));
            }
        }
        return all;
    }

    private static List<Spread> ofCell(String cell, Journal journal) {
        Map<String, Map<Integer, Slice>> sides = new TreeMap<>();
        for (Slice slice : journal.slices(cell)) {
            sides.computeIfAbsent(slice.side(), none -> new TreeMap<>()).putIfAbsent(slice.pair(), slice);
        }
        List<Spread> all = new ArrayList<>();
        sides.forEach((side, pairs) -> FIGURES.forEach(figure -> {
            double[] values = pairs.values().stream()
                    .mapToDouble(slice -> slice.turn().cost(figure))
                    .sorted()
                    .toArray();
            all.add(new Spread(
                    cell, side, figure, values.length, Estimate.median(values), values[0], values[values.length - 1]));
        }));
        return all;
    }

    /** A row for each side of each cell, in KB. */
    static List<String[]> table(List<Spread> spreads) {
        Map<String, List<Spread>> rows = spreads.stream()
                .collect(Collectors.groupingBy(
                        spread -> spread.cell + ": " + spread.side, TreeMap::new, Collectors.toList()));
        List<String[]> table = new ArrayList<>();
        table.add(new String[] {"KB a connection", "held", "heap", "direct", "leased", "resident"});
        rows.forEach((name, figures) -> {
            List<String> row = new ArrayList<>(List.of(name));
            figures.forEach(spread -> row.add(spread.text()));
            table.add(row.toArray(String[]::new));
        });
        return table;
    }

    private String text() {
        return String.format(Locale.ROOT, "%.1f (%.1f to %.1f)", median / 1e3, least / 1e3, most / 1e3);
    }
}
