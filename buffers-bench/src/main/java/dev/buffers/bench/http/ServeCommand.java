// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.bench.harness.LoadContestant.Numbers;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.metrics.MetricsEndpoint;
import dev.buffers.bench.metrics.MetricsPort;
import dev.buffers.bench.run.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the server as a separate process, which ends when its parent does. */
@Command(
        name = "serve",
        description = "Serves a folder over HTTP on the loopback interface until the parent process ends.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        showDefaultValues = true)
public final class ServeCommand implements Callable<Integer> {
    /*
     * With --control the parent talks to the server over its standard streams: each line in asks for the numbers, and is answered by
     * one line of JSON; the end of the input ends the server. The system closes that pipe however the parent dies.
     */

    /** What the one line says that is printed when the server is ready; the port follows. */
    public static final String READY = "ready: http://127.0.0.1:";

    /** What the line before that one says when there are metrics; their address follows. */
    public static final String METRICS = "metrics: ";

    @Option(
            names = "--root",
            required = true,
            description = "the folder to serve: the files that are in it at the start, which are all held open")
    private @Nullable Path root;

    @Option(names = "--port", description = "0 is any free port", defaultValue = "0")
    private int port;

    @Option(names = "--workers", description = "selector threads", defaultValue = "5")
    private int workers;

    @Option(names = "--max-requests", description = "for each connection", defaultValue = "256")
    private int maxRequests;

    @Option(names = "--idle-seconds", description = "how long a silent connection lives", defaultValue = "30")
    private int idleSeconds;

    @Option(
            names = "--source",
            description = "where the buffers come from: ${COMPLETION-CANDIDATES}; the pool reads -Dbuffers.policy",
            defaultValue = "pool")
    private Sources buffers = Sources.POOL;

    @Option(names = "--virtual", description = "a virtual thread for each connection in place of the workers")
    private boolean virtual;

    @Option(names = "--control", description = "answer each line of the input with numbers, end when it ends")
    private boolean control;

    @Option(
            names = MetricsPort.OPTION,
            arity = "0..1",
            paramLabel = "PORT",
            fallbackValue = "0",
            converter = MetricsPort.Converter.class,
            description =
                    "show the meters of the pool and of the JVM to a Prometheus server: /metrics on a separate loopback port"
                            + "; 0, or no PORT, is any free one; the address is printed")
    private @Nullable MetricsPort metrics;

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        ServerOptions options = new ServerOptions(
                Objects.requireNonNull(root), port, workers, maxRequests, Duration.ofSeconds(idleSeconds), null);
        try (BufferSource source = buffers.open();
                MetricsEndpoint endpoint = metrics == null ? null : MetricsEndpoint.start(metrics, source.pool());
                Server server = virtual ? new VirtualHttpServer(options, source) : new HttpServer(options, source)) {
            if (endpoint != null) {
                System.out.println(METRICS + endpoint.url());
            }
            String ready = READY + server.port() + "/";
            if (control) {
                ChildJvm.answer(
                        ready, line -> Numbers.here(server.connections(), leasedBytes(source), server.failures()));
            } else {
                System.out.println(ready);
                waitForParent();
            }
        }
        return 0;
    }

    private static long leasedBytes(BufferSource source) {
        return source.pool().map(pool -> pool.stats().leasedBytes()).orElse(0L);
    }

    private static void waitForParent() throws InterruptedException, ExecutionException {
        var parent = ProcessHandle.current().parent();
        if (parent.isPresent()) {
            parent.get().onExit().get();
        }
    }
}
