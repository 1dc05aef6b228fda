// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The common part of all benchmarks: a state for each thread, which is opened before a fork's first iteration and closed after its last.
 * The annotations are for JMH without the bench:
 * {@code java -cp buffers-bench/target/buffers-bench.jar org.openjdk.jmh.Main MixedBenchmark -prof gc}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
public abstract class Timed {

    /** Prepares the measured work; JMH has set the parameters. */
    @Setup(Level.Trial)
    public void open() throws Exception {}

    /** Checks the work, and that nothing is left. */
    @TearDown(Level.Trial)
    public void close() throws Exception {}

    /** Lets two collections promote what there is: in a young heap G1's barriers are free. */
    static void promote() {
        System.gc();
        System.gc();
    }
}
