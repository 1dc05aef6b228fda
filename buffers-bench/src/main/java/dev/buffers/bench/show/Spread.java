package dev.buffers.bench.show;

import java.util.Arrays;

/** One metric of one server over the rounds. Not a record: its array is its own. */
final class Spread {
    private final double[] values;

    Spread(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no rounds");
        }
        this.values = values.clone();
    }

    double[] values() {
        return values.clone();
    }

    double median() {
        return Median.of(values);
    }

    double min() {
        return Arrays.stream(values).min().getAsDouble();
    }

    double max() {
        return Arrays.stream(values).max().getAsDouble();
    }

    /** Half the distance between the least and the greatest, in percent of the median. */
    double percent() {
        return (max() - min()) / 2 / median() * 100;
    }
}
