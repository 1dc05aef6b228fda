// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The numbers of pairs after which a comparison may be decided, and the level that each of these analyses has.
 *
 * <p>Five analyses at intervals of 95 % are wrong in one run of eight. So each analysis uses a stricter level, the same for all of
 * them (Pocock 1977), for which all five intervals hold the true value in 95 % of the runs: they are repeated confidence intervals
 * (Jennison and Turnbull 1991, for t statistics), and stay right for whatever reason a run is stopped. Bounds in the manner of O'Brien and
 * Fleming would spend next to nothing at five pairs, where t has four degrees of freedom, and could not stop there.
 *
 * <p>The levels are quantiles of the least p value of the five analyses in 3 million simulated runs of normal data, rounded down.
 */
public final class InterimAnalyses {
    static final List<Integer> PAIRS = List.of(5, 7, 9, 12, 16);

    /** The least pairs that say anything. */
    public static final int FIRST = PAIRS.get(0);

    /** The most pairs that a comparison gets. */
    static final int LAST = PAIRS.get(PAIRS.size() - 1);

    /** For the error that a whole run may make, the error of one analysis. */
    private static final NavigableMap<Double, Double> LEVELS = new TreeMap<>(Map.of(
            0.2, 0.0755, 0.1, 0.0337, 0.05, 0.0154, 0.025, 0.0071, 0.01, 0.0026, 0.005, 0.00124, 0.0025, 0.00059, 0.001,
            0.000227));

    /** They are few, and a simulation asks for them often. */
    private static final Map<Analysis, Double> CRITICAL = new ConcurrentHashMap<>();

    private InterimAnalyses() {}

    static boolean isAnalysis(int pairs) {
        return PAIRS.contains(pairs);
    }

    /** The last analysis after so many pairs; 0 if there was none. */
    public static int last(int pairs) {
        return PAIRS.stream().filter(analysis -> analysis <= pairs).reduce(0, Math::max);
    }

    /** The first analysis with at least so many pairs; with more than the last one has, the last. */
    public static int next(int pairs) {
        return PAIRS.stream().filter(analysis -> analysis >= pairs).findFirst().orElse(LAST);
    }

    /**
     * The error that one analysis may make so that the whole makes no more than {@code whole}. Between the simulated levels it is in
     * proportion to the next smaller one, which is on the safe side; below all of them it is shared out evenly (Bonferroni).
     */
    static double level(double whole) {
        Map.Entry<Double, Double> known = LEVELS.floorEntry(whole);
        return known == null ? whole / PAIRS.size() : whole * known.getValue() / known.getKey();
    }

    /** How many standard errors on either side an interval of one analysis has. */
    static double critical(int freedom, double whole) {
        return CRITICAL.computeIfAbsent(
                new Analysis(freedom, whole),
                analysis -> TDistribution.of(analysis.freedom).inverseSurvivalProbability(level(analysis.whole) / 2));
    }

    private record Analysis(int freedom, double whole) {}
}
