package dev.buffers.bench.duet;

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
        double sum = 0;
        for (double log : logs) {
            sum += log;
        }
        double mean = n == 0 ? 0 : sum / n;
        double squares = 0;
        for (double log : logs) {
            squares += (log - mean) * (log - mean);
        }
        return new Estimate(n, mean, n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n));
    }

    public double ratio() {
        return Math.exp(mean);
    }

    /** The same in the other direction. */
    public Estimate inverse() {
        return new Estimate(pairs, -mean, error);
    }

    /** The interval that holds the true ratio at every look of a run, but for a share of {@code wrong} of the runs. */
    public Interval interval(double wrong) {
        if (pairs < 2) {
            return new Interval(0, Double.POSITIVE_INFINITY);
        }
        double half = error * Looks.critical(pairs, wrong);
        return new Interval(Math.exp(mean - half), Math.exp(mean + half));
    }

    /** The ratio and its interval. */
    public String text() {
        Interval interval = interval(Verdict.WRONG);
        return pairs < 2
                ? "unknown"
                : String.format(Locale.ROOT, "%.3f [%.3f, %.3f]", ratio(), interval.low(), interval.high());
    }

    /** From and to. */
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
