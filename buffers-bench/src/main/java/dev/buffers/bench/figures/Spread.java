package dev.buffers.bench.figures;

import java.util.Arrays;

/** One metric of one server over the rounds. Not a record: its array is its own. */
public final class Spread {
    private final double[] values;

    public Spread(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no rounds");
        }
        this.values = values.clone();
    }

    public double[] values() {
        return values.clone();
    }

    public double median() {
        return Median.of(values);
    }

    public double min() {
        return Arrays.stream(values).min().getAsDouble();
    }

    public double max() {
        return Arrays.stream(values).max().getAsDouble();
    }

    /** Half the distance between the least and the greatest, in percent of the median. */
    public double percent() {
        return (max() - min()) / 2 / median() * 100;
    }
}
