package dev.buffers.bench.http;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a server is to behave. The defaults are those of a measurement from 2007 that {@code buffers-bench} repeats: 5 workers,
 * keep-alive of 30 s and up to 256 requests, heads up to 8,192 bytes.
 *
 * @param root the folder to serve
 * @param port on the loopback interface; 0 for any free one
 */
public record ServerOptions(Path root, int port, int workers, int maxRequests, int headLimit, Duration idleTimeout) {

    public ServerOptions {
        atLeast(0, "port", port);
        atLeast(1, "workers", workers);
        atLeast(1, "maxRequests", maxRequests);
        atLeast(64, "headLimit", headLimit);
        if (headLimit > BufferSource.BUFFER_SIZE) {
            throw new IllegalArgumentException("a head must fit into one buffer of " + BufferSource.BUFFER_SIZE
                    + " bytes: headLimit=" + headLimit);
        }
        if (idleTimeout.isNegative() || idleTimeout.isZero()) {
            throw new IllegalArgumentException("not a time to wait: idleTimeout=" + idleTimeout);
        }
    }

    private static void atLeast(int least, String name, int value) {
        if (value < least) {
            throw new IllegalArgumentException("less than " + least + ": " + name + "=" + value);
        }
    }

    public static ServerOptions of(Path root) {
        return new ServerOptions(root, 0, 5, 256, 8192, Duration.ofSeconds(30));
    }

    public ServerOptions withPort(int value) {
        return new ServerOptions(root, value, workers, maxRequests, headLimit, idleTimeout);
    }

    public ServerOptions withWorkers(int value) {
        return new ServerOptions(root, port, value, maxRequests, headLimit, idleTimeout);
    }

    public ServerOptions withMaxRequests(int value) {
        return new ServerOptions(root, port, workers, value, headLimit, idleTimeout);
    }

    public ServerOptions withIdleTimeout(Duration value) {
        return new ServerOptions(root, port, workers, maxRequests, headLimit, value);
    }
}
