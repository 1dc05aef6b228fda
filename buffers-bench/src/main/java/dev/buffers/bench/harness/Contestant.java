// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A measured JVM, which stays up while it waits for its turns. For each cell: {@link #begin}, {@link #warm}, {@link #prepare},
 * {@link #ready}, as many {@link #slice slices} as were announced, {@link #finished}. For a benchmark a slice is an iteration
 * of JMH; for a server it is some milliseconds of load; work done once gives the same figures in each slice. One thread drives all
 * contestants.
 */
public interface Contestant extends AutoCloseable {

    /**
     * Begins to warm up for a cell, and does not wait.
     *
     * @param parameters this side's
     */
    void begin(Cell cell, Map<String, String> parameters) throws IOException, InterruptedException;

    /** Warms up a little further. Its warmth once that is enough, before that nothing. */
    Optional<Warmth> warm() throws IOException, InterruptedException;

    /** Announces how many slices come, how long they are, and by which clock; does not wait. */
    void prepare(Slices slices) throws IOException, InterruptedException;

    /** Waits until the first slice can begin. */
    default void ready() throws IOException, InterruptedException {}

    /** Has its turn. */
    Turn slice() throws IOException, InterruptedException;

    /** Waits until the cell's work is torn down, and says whether the clocks agree on the CPU time of all turns. */
    boolean finished() throws IOException, InterruptedException;

    /** The CPU time that its process has used. */
    Duration cpu();

    /** Ends the process. */
    @Override
    void close();

    /**
     * The turns in one cell.
     *
     * @param threadClock whether CPU time is the sum over threads; otherwise it is the process clock's
     */
    record Slices(int count, int millis, boolean threadClock) {}

    /**
     * How warm a process is.
     *
     * @param cpuMillis CPU time that it has spent on the cell
     * @param quietMillis for how long next to nothing has been compiled
     * @param warm whether that is enough
     * @param threadClock whether the sum over threads is available, and agrees with the process clock
     * @param core where the pool's classes come from
     */
    record Warmth(long cpuMillis, long quietMillis, boolean warm, boolean threadClock, String core) {}

    /**
     * What disturbs a slice: how long the process's threads waited for a processor, how often one got it, and CPU time of its JIT
     * compilers.
     */
    record Noise(long delayNanos, long switches, long compilingNanos) {}

    /**
     * What a process did in one slice.
     *
     * @param startMicros when it began, since 1970
     * @param cpuNanos CPU time of the process, without the thread that reads the clocks, and without the JIT compilers where threads are
     *     counted
     * @param noise what else happened, for readers of the journal; null where it is not known
     * @param figures what else is known of it
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Turn(
            long startMicros,
            long wallNanos,
            long cpuNanos,
            long ops,
            @Nullable Noise noise,
            @Nullable Map<String, Double> figures) {

        /** Now, as a turn says it. */
        static long micros() {
            return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        }

        /** The figure for one operation. */
        public double cost(String figure) {
            if (figure.equals(Trial.CPU)) {
                return (double) cpuNanos / ops;
            }
            if (figure.equals(Trial.WALL)) {
                return (double) wallNanos / ops;
            }
            Double value = figures == null ? null : figures.get(figure);
            if (value == null) {
                throw new IllegalArgumentException("no such figure: " + figure + "; there are cpu, wall, " + figures);
            }
            return value;
        }
    }
}
