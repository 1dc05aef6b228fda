// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool at its cap has room for a request, and not for its answer. */
@Tag("full")
class RefusedAnswerTest {
    private static final int OUTPUT = 8192;
    private static final int SMALL = 100;
    private static final int SMALL_ONES = 16;
    private static final int PATIENCE_MILLIS = 10_000;

    @TempDir
    Path folder;

    /** {@code OutputBuffer.close} notes that it is closed before it has memory for the answer, and the error page is closed so. */
    @Test
    void clientWaitsInVain() throws Exception {
        assertThrows(SocketTimeoutException.class, () -> status(listener -> {}));
    }

    @Test
    void addOnClosesTheConnection() throws Exception {
        assertEquals(-1, status(listener -> listener.registerAddOn(new ReleasingAddOn())));
    }

    private int status(Consumer<NetworkListener> more) throws Exception {
        SSLContext tls = Certificate.context();
        try (BufferPool pool = BufferPool.builder("grizzly")
                        .policy("heap")
                        .max(192 << 10)
                        .regionSize(64 << 10)
                        .threadCache(0)
                        .build();
                GrizzlyServer server = new GrizzlyServer(folder, tls, GrizzlyMemoryManager.of(pool, pool), more)) {
            List<PooledBuffer> held = fill(pool);
            try (Connection connection = new Client(server, tls).connect(Protocol.HTTP, PATIENCE_MILLIS)) {
                connection.write(Connection.get(Reply.THREAD.path()));
                return connection.readStatus();
            } finally {
                held.forEach(PooledBuffer::release);
            }
        }
    }

    /** All but some small slots. */
    private static List<PooledBuffer> fill(BufferPool pool) {
        List<PooledBuffer> small = new ArrayList<>();
        for (int i = 0; i < SMALL_ONES; i++) {
            small.add(pool.acquire(SMALL));
        }
        List<PooledBuffer> held = new ArrayList<>();
        try {
            while (true) {
                held.add(pool.acquire(OUTPUT));
            }
        } catch (PoolExhaustedException e) {
            held.add(small.remove(0)); // its slab stays
        }
        small.forEach(PooledBuffer::release);
        return held;
    }
}
