// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.BufferPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A server on its folder, which at the end must hold no lease. */
final class TestServer implements AutoCloseable {
    static final String[] POLICIES = {"heap", "direct", "heap-view", "direct-view", "unpooled"};

    /** Sizes around everything that could matter: nothing, one byte, a buffer with and without its head, many buffers. */
    static final int[] SIZES = {0, 1, 200, 7900, 8191, 8192, 8193, 16384, 100_000, 1 << 20};

    private static final long PATIENCE_NANOS = 300_000_000_000L;

    private final HttpServer server;
    private final BufferSource source;

    private TestServer(HttpServer server, BufferSource source) {
        this.server = server;
        this.source = source;
    }

    /** Serves {@code root} from a pool of that policy, 4 MiB at most. */
    static TestServer start(Path root, String policy) throws IOException {
        return start(root, policy, 4 << 20, UnaryOperator.identity());
    }

    static TestServer start(Path root, String policy, long max, UnaryOperator<ServerOptions> change)
            throws IOException {
        BufferPool pool = BufferPool.builder("test").policy(policy).max(max).build();
        return start(root, new PooledBuffers(pool), change);
    }

    static TestServer start(Path root, BufferSource source, UnaryOperator<ServerOptions> change) throws IOException {
        return new TestServer(new HttpServer(change.apply(ServerOptions.of(root)), source), source);
    }

    /** Fills a folder with files named by their size: {@code /8192.bin}. */
    static void fill(Path folder) throws IOException {
        for (int size : SIZES) {
            byte[] content = new byte[size];
            new Random(size).nextBytes(content);
            Files.write(folder.resolve(size + ".bin"), content);
        }
    }

    int port() {
        return server.port();
    }

    HttpServer server() {
        return server;
    }

    BufferSource source() {
        return source;
    }

    /** Bytes that are out. */
    long leased() {
        return source.pool().map(pool -> pool.stats().leasedBytes()).orElse(0L);
    }

    RawClient connect() throws IOException {
        return new RawClient(port());
    }

    /**
     * Waits until all connections are closed, and checks that nothing is out any more. One look decides: a connection that its client has
     * reset may be accepted after it.
     */
    void assertCalm() throws InterruptedException {
        long patience = System.nanoTime() + PATIENCE_NANOS;
        int connections = server.connections();
        long leased = leased();
        while ((connections > 0 || leased > 0) && System.nanoTime() < patience) {
            Thread.sleep(2);
            connections = server.connections();
            leased = leased();
        }
        assertEquals(0, connections, "connections");
        assertEquals(0, leased, "leased bytes");
        assertEquals(0, server.failures(), "failures");
    }

    @Override
    public void close() {
        server.close();
        try {
            assertEquals(0, leased(), "leased bytes of a closed server");
            assertEquals(0, server.failures(), "failures");
        } finally {
            source.close();
        }
    }
}
