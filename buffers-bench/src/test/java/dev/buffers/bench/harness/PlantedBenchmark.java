// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Work of known cost, against which the result of a comparison can be checked. */
@State(Scope.Thread)
public class PlantedBenchmark {
    /** How much work. */
    @Param("100")
    public long tokens;

    /** Where the end of a run is written down. */
    @Param("")
    public String ended;

    /** The work. */
    @Benchmark
    public void work() {
        Blackhole.consumeCPU(tokens);
    }

    /** The same, and four times as much that is not to count. */
    @Benchmark
    public void checked() throws IOException {
        Blackhole.consumeCPU(tokens);
        Outside.run(() -> Blackhole.consumeCPU(4 * tokens));
    }

    /** Fails. */
    @Benchmark
    public void broken() {
        throw new IllegalStateException("planted");
    }

    /** Writes down the end. */
    @TearDown(Level.Trial)
    public void end() throws Exception {
        if (!ended.isEmpty()) {
            Files.writeString(Path.of(ended), "ended");
        }
    }
}
