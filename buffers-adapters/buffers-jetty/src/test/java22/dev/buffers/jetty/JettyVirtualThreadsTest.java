package dev.buffers.jetty;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

/** The contract with all of Jetty on virtual threads. */
class JettyVirtualThreadsTest extends JettyServerTest {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    @Override
    protected Optional<ExecutorService> virtualThreads() {
        return Optional.of(executor);
    }

    @AfterEach
    void endThreads() {
        executor.shutdown();
    }
}
