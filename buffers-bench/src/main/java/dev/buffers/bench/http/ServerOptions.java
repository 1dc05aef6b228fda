// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a server is to behave. The defaults are those of a measurement from 2007 that {@code buffers-bench} repeats: 5 workers,
 * keep-alive of 30 s and up to 256 requests; a head has to fit into one buffer, as then.
 *
 * @param root the folder to serve
 * @param port on the loopback interface; 0 for any free one
 * @param tls the server's key; null without TLS
 */
public record ServerOptions(
        Path root,
        int port,
        int workers,
        int maxRequests,
        Duration idleTimeout,
        @Nullable SSLContext tls) {

    public ServerOptions {
        atLeast(0, "port", port);
        atLeast(1, "workers", workers);
        atLeast(1, "maxRequests", maxRequests);
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
        return new ServerOptions(root, 0, 5, 256, Duration.ofSeconds(30), null);
    }

    public ServerOptions withWorkers(int value) {
        return new ServerOptions(root, port, value, maxRequests, idleTimeout, tls);
    }

    public ServerOptions withMaxRequests(int value) {
        return new ServerOptions(root, port, workers, value, idleTimeout, tls);
    }

    public ServerOptions withIdleTimeout(Duration value) {
        return new ServerOptions(root, port, workers, maxRequests, value, tls);
    }

    public ServerOptions withTls(@Nullable SSLContext value) {
        return new ServerOptions(root, port, workers, maxRequests, idleTimeout, value);
    }
}
