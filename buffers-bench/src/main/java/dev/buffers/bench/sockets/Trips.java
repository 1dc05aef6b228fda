package dev.buffers.bench.sockets;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The round trips of a load.
 *
 * @param seconds from the start to the last one's end
 * @param latencies in nanoseconds, from when a message was sent, or in an open loop from when it was due
 */
record Trips(long count, double seconds, Histogram latencies) {
    private static final long MAX_LATENCY_SECONDS = 60;
    private static final int LATENCY_DIGITS = 3;

    static Histogram histogram() {
        return new Histogram(TimeUnit.SECONDS.toNanos(MAX_LATENCY_SECONDS), LATENCY_DIGITS);
    }

    double rate() {
        return count / seconds;
    }

    double micros(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e3;
    }

    Trips plus(Trips other) {
        Histogram both = latencies.copy();
        both.add(other.latencies);
        return new Trips(count + other.count, Math.max(seconds, other.seconds), both);
    }
}
