package dev.buffers.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Puts one load after another on servers of the loopback interface that all serve the same documents. */
public final class LoadGenerator {
    private final Documents documents;

    public LoadGenerator(Documents documents) {
        this.documents = documents;
    }

    /**
     * Runs a plan against the server at {@code port}, and returns when all connections are closed again.
     *
     * @throws IOException when an answer was wrong, missing or cut short
     */
    public LoadResult run(LoadPlan plan, int port) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        CyclicBarrier start = new CyclicBarrier(plan.threads());
        ExecutorService threads = Executors.newFixedThreadPool(plan.threads(), LoadGenerator::daemon);
        try {
            CompletionService<LoadResult> results = new ExecutorCompletionService<>(threads);
            for (int i = 0; i < plan.threads(); i++) {
                results.submit(new LoadThread(plan, i, address, documents, start));
            }
            List<LoadResult> done = new ArrayList<>();
            while (done.size() < plan.threads()) {
                done.add(results.take().get());
            }
            return done.stream().reduce(LoadResult::plus).orElseThrow();
        } catch (ExecutionException e) {
            throw new IOException("port=" + port + ": " + messageOf(e), e.getCause());
        } finally {
            threads.shutdownNow();
        }
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
}
