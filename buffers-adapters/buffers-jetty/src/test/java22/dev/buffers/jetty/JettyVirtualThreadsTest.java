package dev.buffers.jetty;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * The contract with all of Jetty on virtual threads. By the profile {@code frameworks} alone, since on a quiet machine it is red: in {@code
 * clientsThatVanishInTheirAnswer} a connection with TLS whose client has gone keeps the 128 bytes of a chunk's line ({@code
 * HttpConnection.SendCallback}), idle timeout or not. Whether that is Jetty's fault or ours is open.
 */
@Tag("frameworks")
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
