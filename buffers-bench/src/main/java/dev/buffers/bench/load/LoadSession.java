package dev.buffers.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Connections to one server, and one load after another on them. */
public final class LoadSession implements AutoCloseable {
    private final int port;
    private final ExecutorService executor;
    private final List<LoadThread> threads = new ArrayList<>();

    LoadSession(LoadPlan plan, int port, Documents documents) throws IOException, InterruptedException {
        this.port = port;
        this.executor = Executors.newFixedThreadPool(plan.threads(), LoadSession::daemon);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try {
            for (int i = 0; i < plan.threads(); i++) {
                threads.add(new LoadThread(plan, i, address, documents));
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
    public LoadResult drive(Duration time) throws IOException, InterruptedException {
        return all(thread -> thread.drive(time)).stream()
                .reduce(LoadResult::plus)
                .orElseThrow();
    }

    /** What a thread does. */
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
            throw new IOException("port=" + port + ": " + messageOf(e), e.getCause());
        }
        return done;
    }

    private static @Nullable String messageOf(ExecutionException e) {
        Throwable cause = e.getCause();
        return cause == null ? e.getMessage() : cause.getMessage();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "load");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() throws IOException {
        executor.shutdownNow();
        for (LoadThread thread : threads) {
            thread.close();
        }
    }
}
