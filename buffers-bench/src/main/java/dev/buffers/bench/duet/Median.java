package dev.buffers.bench.duet;

import java.util.Arrays;

/** The median: the middle of an odd number of values, the mean of the middle two of an even number. */
public final class Median {
    private Median() {}

    public static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
