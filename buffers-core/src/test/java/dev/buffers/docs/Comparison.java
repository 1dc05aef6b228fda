// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A comparison in the {@code results.json} of a committed run, its figures without their unit: the base's, the alternative's, and the 95 %
 * interval of the first over the second.
 */
record Comparison(double base, double alternative, double low, double high) {
    static Comparison of(String run, String label) throws IOException {
        List<Comparison> all = all(run, label);
        if (all.isEmpty()) {
            throw new IllegalStateException("not in " + run + ": " + label);
        }
        return all.get(0);
    }

    /** Each of that label, of a run that was repeated. Runs before December 2026 call the alternative {@code challenger}. */
    static List<Comparison> all(String run, String label) throws IOException {
        Matcher figures = Pattern.compile("\"label\" ?: ?\"" + label
                        + "\",\\s*\"base\" ?: ?\"([^ \"]+)[^}]*?\"(?:challenger|alternative)\" ?: ?\"([^ \"]+)"
                        + "[^}]*?\"ratio\" ?: ?\"[^ ]+ \\(([^ ]+) to ([^)]+)\\)")
                .matcher(Manual.page("docs/benchmarks/" + run + "/results.json"));
        return figures.results().map(Comparison::of).toList();
    }

    private static Comparison of(MatchResult figures) {
        double[] all = Stream.of(1, 2, 3, 4)
                .mapToDouble(i -> Double.parseDouble(figures.group(i).replace(",", "")))
                .toArray();
        return new Comparison(all[0], all[1], all[2], all[3]);
    }
}
