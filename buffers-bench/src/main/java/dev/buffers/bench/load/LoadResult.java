package dev.buffers.bench.load;

import org.HdrHistogram.Histogram;

/**
 * What came of a load. Every answer was checked: status, length, and the CRC-32C of all its bytes.
 *
 * @param seconds from the start to the last answer
 * @param bytes of bodies
 * @param connects connections opened
 * @param latencies in nanoseconds, from the time of sending, or in an open loop from the time at which sending was intended
 */
public record LoadResult(long responses, double seconds, long bytes, long connects, Histogram latencies) {

    public double rate() {
        return responses / seconds;
    }

    public double latencyMicros(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e3;
    }

    LoadResult plus(LoadResult other) {
        Histogram both = latencies.copy();
        both.add(other.latencies);
        return new LoadResult(
                responses + other.responses,
                Math.max(seconds, other.seconds),
                bytes + other.bytes,
                connects + other.connects,
                both);
    }
}
