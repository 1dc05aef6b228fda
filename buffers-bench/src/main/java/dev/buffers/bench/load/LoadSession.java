// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import dev.buffers.bench.harness.LoadContestant.Done;
import dev.buffers.bench.harness.LoadContestant.Load;
import dev.buffers.bench.net.LoopbackServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;

/** Connections to one server, and one load after another on them. */
public final class LoadSession implements AutoCloseable, Load {
    private final LoadPlan plan;
    private final String server;
    private final ExecutorService executor;
    private final List<LoadThread> threads = new ArrayList<>();

    /** How a thread opens its connections. */
    public interface Opener {
        /** Opens one; no two of a session have the same {@code id}. */
        Client open(Selector selector, int id) throws IOException;
    }

    /**
     * Opens the connections that stay.
     *
     * @param server its name, for messages
     * @param openers for each thread, by its number, and anew for connections that are opened anew
     */
    public LoadSession(LoadPlan plan, String server, IntFunction<Opener> openers)
            throws IOException, InterruptedException {
        this.plan = plan;
        this.server = server;
        this.executor = Executors.newFixedThreadPool(plan.threads(), task -> LoopbackServer.daemon(task, "load"));
        try {
            for (int i = 0; i < plan.threads(); i++) {
                threads.add(new LoadThread(plan, i, openers));
            }
            if (plan.connectFirst()) {
                all(thread -> {
                    thread.connect();
                    return 0;
                });
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Puts the plan's load on the server for a time. */
    public LoadResult run(Duration time) throws IOException, InterruptedException {
        return all(thread -> thread.run(time)).stream().reduce(LoadResult::plus).orElseThrow();
    }

    @Override
    public Done drive(Duration time) throws IOException, InterruptedException {
        LoadResult result = run(plan.connectFirst() ? time : plan.time());
        return new Done(result.responses(), Map.of("p50", result.latencyMicros(50), "p99", result.latencyMicros(99)));
    }

    private interface Work<T> {
        T of(LoadThread thread) throws IOException;
    }

    /** The first that fails ends it for all. */
    private <T> List<T> all(Work<T> work) throws IOException, InterruptedException {
        CompletionService<T> results = new ExecutorCompletionService<>(executor);
        for (LoadThread thread : threads) {
            results.submit((Callable<T>) () -> work.of(thread));
        }
        List<T> done = new ArrayList<>();
        try {
            while (done.size() < threads.size()) {
                done.add(results.take().get());
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof UncheckedIOException wrapped ? wrapped.getCause() : e.getCause();
            throw new IOException(server + ": " + (cause == null ? e : cause).getMessage(), cause);
        }
        return done;
    }

    @Override
    public void close() throws IOException {
        executor.shutdownNow();
        for (LoadThread thread : threads) {
            thread.close();
        }
    }
}
