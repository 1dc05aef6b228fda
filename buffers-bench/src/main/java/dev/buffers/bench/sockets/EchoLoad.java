package dev.buffers.bench.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Connections to an echo server, and one load after another on them. Every byte that comes back is checked. */
final class EchoLoad implements AutoCloseable {
    private final List<EchoThread> threads = new ArrayList<>();
    private final ExecutorService executor;

    private EchoLoad(int threads) {
        this.executor = Executors.newFixedThreadPool(threads, Lane.DAEMONS);
    }

    /** Opens connections, each with at most so many messages of so many bytes under way. */
    static EchoLoad connect(int port, int connections, int inFlight, int bytes, int threads) throws IOException {
        EchoLoad load = new EchoLoad(threads);
        try {
            for (int i = 0; i < threads; i++) {
                int from = connections * i / threads;
                int to = connections * (i + 1) / threads;
                load.threads.add(new EchoThread(port, from, to - from, inFlight, bytes));
            }
            return load;
        } catch (IOException | RuntimeException e) {
            load.close();
            throw e;
        }
    }

    /** As fast as the server answers. */
    Trips closed(Duration time) throws IOException, InterruptedException {
        return run(threads.stream()
                .<Callable<Trips>>map(thread -> () -> thread.closed(time.toNanos()))
                .toList());
    }

    /** At a rate, whatever the server does. */
    Trips open(Duration time, double rate) throws IOException, InterruptedException {
        double share = rate / threads.size();
        return run(threads.stream()
                .<Callable<Trips>>map(thread -> () -> thread.open(time.toNanos(), share, threads.indexOf(thread)))
                .toList());
    }

    private Trips run(List<Callable<Trips>> tasks) throws IOException, InterruptedException {
        CompletionService<Trips> results = new ExecutorCompletionService<>(executor);
        tasks.forEach(results::submit);
        try {
            Trips all = results.take().get();
            for (int i = 1; i < tasks.size(); i++) {
                all = all.plus(results.take().get());
            }
            return all;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof UncheckedIOException wrapped ? wrapped.getCause() : e.getCause();
            throw new IOException(cause == null ? e.getMessage() : cause.getMessage(), cause);
        }
    }

    @Override
    public void close() throws IOException {
        executor.shutdownNow();
        for (EchoThread thread : threads) {
            thread.close();
        }
    }
}
