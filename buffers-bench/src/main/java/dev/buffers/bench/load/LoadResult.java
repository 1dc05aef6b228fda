// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The result of a load. Every answer was checked, to its last byte.
 *
 * @param seconds from the start to the last answer
 * @param bytes of answers, heads left out
 * @param connects connections opened since those of the plan were
 * @param latencies in nanoseconds, from the time of sending, or in an open loop from the time at which sending was intended
 */
public record LoadResult(long responses, double seconds, long bytes, long connects, Histogram latencies) {
    private static final long MAX_LATENCY_SECONDS = 120;
    private static final int LATENCY_DIGITS = 3;

    static Histogram histogram() {
        return new Histogram(TimeUnit.SECONDS.toNanos(MAX_LATENCY_SECONDS), LATENCY_DIGITS);
    }

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
