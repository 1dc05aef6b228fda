package dev.buffers.bench.figures;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;

/**
 * How many times better one side's figures are than another's: the estimate and its interval.
 *
 * <p>The estimate is that of Hodges and Lehmann (1963) on the ratios' logarithms. Where both sides were measured in the same rounds
 * the interval is the one that belongs to Wilcoxon's signed ranks: what disturbs a round disturbs both. Where each figure comes from
 * a fork of its own it is the one that belongs to Wilcoxon's rank sum (Mann and Whitney). Either is exact whatever the distribution;
 * it is never stretched to a confidence that so few figures cannot give.
 *
 * @param confidence what share of such intervals holds the true ratio
 */
public record Ratio(double low, double estimate, double high, double confidence) {

    private static final double WANTED_CONFIDENCE = 0.95;

    /**
     * Compares figures of the same rounds where more is better; for the others swap the two.
     *
     * @param claimant one positive figure for each round
     * @param other the figures of the same rounds
     */
    public static Ratio ofRounds(double[] claimant, double[] other) {
        int rounds = claimant.length;
        if (rounds == 0 || other.length != rounds) {
            throw new IllegalArgumentException("not the same rounds: claimant=" + rounds + ", other=" + other.length);
        }
        double[] logs = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            logs[i] = logOfRatio(claimant[i], other[i]);
        }
        double[] walsh = walshAverages(logs);
        return cut(walsh, signedRanks(rounds));
    }

    /**
     * Compares figures of independent forks where more is better; for the others swap the two.
     *
     * @param claimant one positive figure for each fork
     * @param other one positive figure for each fork, not necessarily as many
     */
    public static Ratio ofForks(double[] claimant, double[] other) {
        if (claimant.length == 0 || other.length == 0) {
            throw new IllegalArgumentException("no forks: claimant=" + claimant.length + ", other=" + other.length);
        }
        double[] logs = new double[claimant.length * other.length];
        int n = 0;
        for (double mine : claimant) {
            for (double theirs : other) {
                logs[n++] = logOfRatio(mine, theirs);
            }
        }
        Arrays.sort(logs);
        return cut(logs, rankSums(claimant.length, other.length));
    }

    /** The same ratio in the other direction. */
    public Ratio inverse() {
        return new Ratio(1 / high, 1 / estimate, 1 / low, confidence);
    }

    /** The word for it, by the rule. */
    @JsonProperty
    public Verdict verdict() {
        return Verdict.ofBetter(this, Verdict.MATTERS);
    }

    private static double logOfRatio(double claimant, double other) {
        if (!(claimant > 0 && other > 0)) {
            throw new IllegalArgumentException("not positive: claimant=" + claimant + ", other=" + other);
        }
        return Math.log(claimant / other);
    }

    /** Leaves out as many of the sorted averages at either end as the wanted confidence allows. */
    private static Ratio cut(double[] averages, double[] ways) {
        int cut = 0;
        while (confidence(ways, cut + 1) >= WANTED_CONFIDENCE) {
            cut++;
        }
        return new Ratio(
                Math.exp(averages[cut]),
                Math.exp(Median.of(averages)),
                Math.exp(averages[averages.length - 1 - cut]),
                confidence(ways, cut));
    }

    /** The means of all pairs, each value paired with itself too, in ascending order. */
    private static double[] walshAverages(double[] values) {
        double[] averages = new double[values.length * (values.length + 1) / 2];
        int n = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = i; j < values.length; j++) {
                averages[n++] = (values[i] + values[j]) / 2;
            }
        }
        Arrays.sort(averages);
        return averages;
    }

    /** The share of intervals that hold the true ratio when {@code cut} averages are left out at either end. */
    private static double confidence(double[] ways, int cut) {
        double tail = 0;
        for (int sum = 0; sum <= Math.min(cut, ways.length - 1); sum++) {
            tail += ways[sum];
        }
        return 1 - 2 * tail / Arrays.stream(ways).sum();
    }

    /** In how many ways each sum of signed ranks comes about. */
    private static double[] signedRanks(int rounds) {
        double[] ways = new double[rounds * (rounds + 1) / 2 + 1];
        ways[0] = 1;
        for (int rank = 1; rank <= rounds; rank++) {
            for (int sum = ways.length - 1; sum >= rank; sum--) {
                ways[sum] += ways[sum - rank];
            }
        }
        return ways;
    }

    /** In how many ways each value of Mann and Whitney's U comes about: the coefficients of the Gaussian binomial. */
    private static double[] rankSums(int m, int n) {
        double[] ways = new double[m * n + 1];
        ways[0] = 1;
        for (int i = 1; i <= m; i++) {
            for (int u = ways.length - 1; u >= n + i; u--) {
                ways[u] -= ways[u - n - i];
            }
            for (int u = i; u < ways.length; u++) {
                ways[u] += ways[u - i];
            }
        }
        return ways;
    }
}
