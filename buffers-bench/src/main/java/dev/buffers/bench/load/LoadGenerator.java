package dev.buffers.bench.load;

import java.io.IOException;

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
        try (LoadSession session = session(plan, port)) {
            return session.drive(plan.time());
        }
    }

    /** Connections that stay for one drive after another, unless the plan counts opening them to what is timed. */
    public LoadSession session(LoadPlan plan, int port) throws IOException, InterruptedException {
        return new LoadSession(plan, port, documents);
    }
}
