// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.LoadContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A web server in a separate JVM; the cells are {@link HttpLoad}'s. */
public final class HttpContestant extends LoadContestant {
    /** As many threads carry virtual threads as there are workers otherwise. */
    private static final List<String> CARRIERS =
            List.of("-Djdk.virtualThreadScheduler.parallelism=5", "-Djdk.virtualThreadScheduler.maxPoolSize=5");

    /** While others have their turns its connections are silent, and the client would take their end for a failure. */
    private static final String STAYS_OPEN = "--idle-seconds=3600";

    private final HttpLoad load;
    private final int port;

    /** One that was started, and the load for it. */
    public HttpContestant(Comparison comparison, Variant side, ChildJvm jvm, int port, HttpLoad load) {
        super(side.name(), jvm, comparison.pace());
        this.load = load;
        this.port = port;
    }

    /**
     * Starts the bench's on a folder. The side's parameters are {@code policy}, or {@code source} for buffers that are not the pool's,
     * {@code virtual} for a virtual thread for each connection, and {@code metrics}, a port.
     */
    public static HttpContestant start(Comparison comparison, Variant side, Path root, Documents documents)
            throws IOException, InterruptedException {
        Map<String, String> parameters = side.parameters();
        List<String> jvm = new ArrayList<>(comparison.jvmArguments());
        List<String> options =
                new ArrayList<>(List.of(STAYS_OPEN, "--source", parameters.getOrDefault("source", "pool")));
        String policy = parameters.get("policy");
        if (policy != null) {
            jvm.add("-Dbuffers.policy=" + policy);
        }
        if (parameters.containsKey("virtual")) {
            jvm.addAll(CARRIERS);
            options.add("--virtual");
        }
        String metrics = parameters.get("metrics");
        if (metrics != null) {
            options.add("--metrics=" + metrics);
        }
        ServerProcess server = ServerProcess.start(side.name(), jvm, root, options);
        server.metrics().ifPresent(url -> System.out.println(side.name() + ": metrics at " + url));
        HttpLoad load = new HttpLoad(documents, side.name(), null);
        return new HttpContestant(comparison, side, server.jvm(), server.port(), load);
    }

    /** At a low rate it would take a minute. */
    @Override
    protected String warming(String its) {
        return its.equals(HttpLoad.OPEN) ? HttpLoad.STAYING : its;
    }

    @Override
    protected Load connect(String work, Map<String, String> parameters) throws IOException, InterruptedException {
        return load.session(work, parameters, port);
    }
}
