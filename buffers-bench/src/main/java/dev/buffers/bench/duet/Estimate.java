package dev.buffers.bench.duet;

import java.util.Arrays;
import java.util.Locale;

/**
 * A ratio of costs, from one logarithm for each pair of JVMs: pairs are the unit, because two JVMs differ more than two slices of one do.
 *
 * @param pairs how many
 * @param mean of the logarithms
 * @param error the standard error of that mean
 */
public record Estimate(int pairs, double mean, double error) {

    /** The ratio that a pair says, as a logarithm, for each pair. */
    static Estimate of(double... logs) {
        int n = logs.length;
        double mean = Arrays.stream(logs).average().orElse(0);
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        return new Estimate(n, mean, n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n));
    }

    /** The middle of an odd number of values, the mean of the middle two of an even number. */
    static double median(double... values) {
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
        return new Estimate(pairs, -mean, error);
    }

    /** Whether it has an interval: one pair says nothing of its error. */
    public boolean isKnown() {
        return pairs >= 2;
    }

    /** The interval that counts. */
    public Interval interval() {
        return interval(Verdict.WRONG);
    }

    /** The interval that holds the true ratio at every look of a run, but for a share of {@code wrong} of the runs. */
    Interval interval(double wrong) {
        if (!isKnown()) {
            return new Interval(0, Double.POSITIVE_INFINITY);
        }
        double half = error * Looks.critical(pairs, wrong);
        return new Interval(Math.exp(mean - half), Math.exp(mean + half));
    }

    /** The ratio and its interval. */
    public String text() {
        Interval interval = interval();
        return isKnown() ? factor(ratio()) + " (" + factor(interval.low) + " to " + factor(interval.high) + ")" : "-";
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
