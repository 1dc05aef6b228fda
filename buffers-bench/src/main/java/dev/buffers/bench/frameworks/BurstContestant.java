// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.OnceContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.load.LoadPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The memory that a framework's JVM keeps of a burst. 600 connections at once ask a user's code for answers of up to 1 MiB, and close. Then
 * no request comes for 15 seconds, which is longer than the pool's {@code trim-after}. Counted after one collection, against the memory
 * before the burst. The side's parameters are {@link FrameworkContestant}'s.
 */
public final class BurstContestant extends OnceContestant {
    private static final int CONNECTIONS = 600;
    private static final Duration BURST = Duration.ofSeconds(3);
    private static final Duration QUIET = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FIRST_REQUESTS = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ChildJvm jvm;
    private final HttpLoad load;
    private final int port;
    private boolean little;

    /** Starts the server on a folder. */
    public BurstContestant(Comparison comparison, Variant side, Path root, Documents documents)
            throws IOException, InterruptedException {
        jvm = FrameworkContestant.jvm(comparison, side, root);
        load = new HttpLoad(documents, side.name(), null);
        port = Integer.parseInt(jvm.firstLine(""));
    }

    @Override
    protected void start(String work, Map<String, String> parameters) {
        little = parameters.containsKey(Comparison.LITTLE);
    }

    @Override
    protected Map<String, Double> await() throws IOException, InterruptedException {
        load.run(LoadPlan.closed(2, BURST).withMaxResponses(FIRST_REQUESTS), port);
        Footprint before = collected();
        load.run(LoadPlan.closed(little ? 2 : CONNECTIONS, little ? Duration.ofMillis(50) : BURST), port);
        Thread.sleep(little ? 1 : QUIET.toMillis());
        Footprint after = collected();
        return Map.of("kept", after.growth(before), "resident", after.residentGrowth(before));
    }

    private Footprint collected() throws IOException, InterruptedException {
        jvm.tell(FrameworkProgram.COLLECTED);
        return JSON.readValue(jvm.line(PATIENCE), Footprint.class);
    }

    @Override
    public Duration cpu() {
        return jvm.cpu();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
