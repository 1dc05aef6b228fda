// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/**
 * A ratio of costs, from one logarithm for each pair of JVMs: pairs are the unit, because two JVMs differ more than two slices of one do.
 *
 * @param pairs how many
 * @param mean of the logarithms
 * @param error the standard error of that mean
 * @param freedom the degrees of freedom of that error
 */
public record Estimate(int pairs, double mean, double error, int freedom) {

    /** One whose error comes from its own pairs alone. */
    public Estimate(int pairs, double mean, double error) {
        this(pairs, mean, error, pairs - 1);
    }

    /** The ratio that a pair says, as a logarithm, for each pair. */
    static Estimate of(double... logs) {
        int n = logs.length;
        double mean = Arrays.stream(logs).average().orElse(0);
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        return new Estimate(n, mean, n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n));
    }

    /**
     * The same with the error of all alternatives that were measured beside it, as in an analysis of variance by pairs and sides: servers
     * that differ in their buffers alone vary alike, and together they tell the error from few pairs.
     *
     * @param alternatives for each, this one among them, the logarithm of each pair
     */
    Estimate pooled(Collection<double[]> alternatives) {
        if (!isKnown() || alternatives.size() < 2) {
            return this;
        }
        double[][] rows = new double[alternatives.size() + 1][pairs];
        alternatives.toArray(rows);
        rows[alternatives.size()] = new double[pairs]; // the base's ratio to itself
        double squares = 0;
        for (int pair = 0; pair < pairs; pair++) {
            int its = pair;
            double ofPair = Arrays.stream(rows)
                    .mapToDouble(row -> row[its] - average(row))
                    .average()
                    .orElse(0);
            for (double[] row : rows) {
                squares += Math.pow(row[pair] - average(row) - ofPair, 2);
            }
        }
        int degrees = alternatives.size() * (pairs - 1);
        return new Estimate(pairs, mean, Math.sqrt(2 * squares / degrees / pairs), degrees);
    }

    private static double average(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    /** The middle of an odd number of values, the mean of the middle two of an even number. */
    public static double median(double... values) {
        return Arrays.stream(values)
                .sorted()
                .skip((values.length - 1) / 2)
                .limit(2 - values.length % 2)
                .average()
                .orElse(Double.NaN);
    }

    public double ratio() {
        return Math.exp(mean);
    }

    public Estimate inverse() {
        return new Estimate(pairs, -mean, error, freedom);
    }

    /** The same ratio, less surely: with so many times the error. */
    Estimate widened(double times) {
        return new Estimate(pairs, mean, error * times, freedom);
    }

    /** Whether it has an interval: one pair says nothing of its error. */
    public boolean isKnown() {
        return pairs >= 2;
    }

    /** The interval that counts. */
    public Interval interval() {
        return interval(Verdict.WRONG);
    }

    /** The interval that holds the true ratio at every analysis of a run, but for a share of {@code wrong} of the runs. */
    Interval interval(double wrong) {
        if (!isKnown()) {
            return new Interval(0, Double.POSITIVE_INFINITY);
        }
        double half = error * InterimAnalyses.critical(freedom, wrong);
        return new Interval(Math.exp(mean - half), Math.exp(mean + half));
    }

    /** The ratio and its interval. */
    public String text() {
        return isKnown() ? factor(ratio()) + " (" + intervalText() + ")" : "-";
    }

    /** The interval; empty where there is none. */
    public String intervalText() {
        return isKnown() ? factor(interval().low) + " to " + factor(interval().high) : "";
    }

    /** A round number as short as it can be. */
    public static String plain(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : String.valueOf((float) value);
    }

    /** A ratio, in three places. */
    public static String factor(double value) {
        return value >= 10 ? number(value) : String.format(Locale.ROOT, "%.3f", value);
    }

    /** Three digits: 0.0123, 1.20, 123, 12,345, 1.2e9. */
    public static String number(double value) {
        return Double.isNaN(value)
                ? "-"
                : String.format(Locale.ROOT, value >= 100 && value < 1e7 ? "%,.0f" : "%.3g", value);
    }

    public record Interval(double low, double high) {
        boolean isAbove(double bound) {
            return low > bound;
        }

        boolean isBelow(double bound) {
            return high < bound;
        }

        public boolean holds(double value) {
            return low <= value && value <= high;
        }
    }
}
