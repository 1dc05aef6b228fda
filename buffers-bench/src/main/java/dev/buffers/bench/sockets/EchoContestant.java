// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.LoadContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.load.LoadPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * An echo server in a separate JVM, which reads and writes through direct buffers of 4,096 bytes. The side's parameters are {@code server}
 * and {@code memory}; the cell's are {@code connections}, {@code in-flight} and {@code bytes}, and its work is {@link #CLOSED} or
 * {@link #OPEN}.
 */
public final class EchoContestant extends LoadContestant {
    /** As fast as the server answers. */
    public static final String CLOSED = "closed";

    /** At a rate far below what any server can do, the same for all: what counts is the latency. */
    public static final String OPEN = "open";

    private static final double RATE_OF_ONE = 4000;
    private static final double RATE = 8000;

    private final String name;
    private final int port;

    private EchoContestant(String name, ChildJvm jvm, Comparison.Pace pace) throws IOException, InterruptedException {
        super(name, jvm, pace);
        this.name = name;
        this.port = Integer.parseInt(jvm.firstLine(""));
    }

    /** Starts one. */
    public static EchoContestant start(Comparison comparison, Variant side) throws IOException, InterruptedException {
        String server = side.parameters().getOrDefault("server", "nio");
        String memory = side.parameters().getOrDefault("memory", "channel");
        ChildJvm jvm = ChildJvm.start("echo " + server, comparison.jvmArguments(), Echo.class, List.of(server, memory));
        return new EchoContestant(side.name(), jvm, comparison.pace());
    }

    /** At a low rate it would take a minute. */
    @Override
    protected String warming(String its) {
        return CLOSED;
    }

    @Override
    protected Load connect(String work, Map<String, String> parameters) throws IOException, InterruptedException {
        int connections = Integer.parseInt(parameters.getOrDefault("connections", "1"));
        int inFlight = Integer.parseInt(parameters.getOrDefault("in-flight", "1"));
        int bytes = Integer.parseInt(parameters.getOrDefault("bytes", "64"));
        double rate = connections == 1 && inFlight == 1 ? RATE_OF_ONE : RATE;
        LoadPlan plan = work.equals(OPEN)
                ? LoadPlan.open(connections, Duration.ZERO, rate)
                : LoadPlan.closed(connections, Duration.ZERO);
        return EchoClient.session(plan, name, port, inFlight, bytes);
    }
}
