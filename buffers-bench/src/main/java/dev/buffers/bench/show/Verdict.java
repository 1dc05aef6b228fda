package dev.buffers.bench.show;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;

/**
 * What a comparison over paired rounds says: the ratio of a claimant's figure to the other's, its interval, and the word for it.
 *
 * <p>Each round gives one ratio; both sides were measured in it under the same load, so that what disturbs a round disturbs both.
 * The estimate is that of Hodges and Lehmann (1963) on the ratios' logarithms, the interval the one that belongs to Wilcoxon's
 * signed ranks, exact whatever the distribution if only it is symmetric: with 6 rounds the least and the greatest ratio, at 96.9 %.
 *
 * @param confidence what share of such intervals holds the true ratio
 */
record Verdict(double low, double estimate, double high, double confidence) {

    /** A difference of less than this factor counts as none. */
    static final double MATTERS = 1.05;

    private static final double WANTED_CONFIDENCE = 0.95;

    /** The four words. */
    enum Word {
        HOLDS("holds"),
        REVERSED("reversed"),
        NO_DIFFERENCE("no difference"),
        INCONCLUSIVE("inconclusive");

        private final String text;

        Word(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Compares figures where more is better; for the others swap the two.
     *
     * @param claimant one positive figure for each round
     * @param other the figures of the same rounds
     */
    static Verdict of(double[] claimant, double[] other) {
        int rounds = claimant.length;
        if (rounds == 0 || other.length != rounds) {
            throw new IllegalArgumentException("not the same rounds: claimant=" + rounds + ", other=" + other.length);
        }
        double[] logs = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            if (!(claimant[i] > 0 && other[i] > 0)) {
                throw new IllegalArgumentException("not positive: claimant=" + claimant[i] + ", other=" + other[i]);
            }
            logs[i] = Math.log(claimant[i] / other[i]);
        }
        double[] walsh = walshAverages(logs);
        int cut = 0;
        while (confidence(rounds, cut + 1) >= WANTED_CONFIDENCE) {
            cut++;
        }
        return new Verdict(
                Math.exp(walsh[cut]),
                Math.exp(Median.of(walsh)),
                Math.exp(walsh[walsh.length - 1 - cut]),
                confidence(rounds, cut));
    }

    @JsonProperty
    Word word() {
        if (low > MATTERS) {
            return Word.HOLDS;
        }
        if (high < 1 / MATTERS) {
            return Word.REVERSED;
        }
        return low >= 1 / MATTERS && high <= MATTERS ? Word.NO_DIFFERENCE : Word.INCONCLUSIVE;
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
    private static double confidence(int rounds, int cut) {
        double[] ways = new double[rounds * (rounds + 1) / 2 + 1];
        ways[0] = 1;
        for (int rank = 1; rank <= rounds; rank++) {
            for (int sum = ways.length - 1; sum >= rank; sum--) {
                ways[sum] += ways[sum - rank];
            }
        }
        double tail = 0;
        for (int sum = 0; sum <= Math.min(cut, ways.length - 1); sum++) {
            tail += ways[sum];
        }
        return 1 - 2 * tail / Math.pow(2, rounds);
    }
}
