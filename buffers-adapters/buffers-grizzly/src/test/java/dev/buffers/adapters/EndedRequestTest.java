// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thread of Grizzly's keeps up to 16 recycled requests, and each keeps the header that its input buffer had ({@code InputBuffer.recycle}).
 * Grizzly recycles no header whose body is still to come: such a header refers to its bytes, and the pool cannot get them back.
 */
@Tag("full")
class EndedRequestTest {
    private static final int TIMES = 40;
    private static final int ATTEMPTS = 1_500;

    /** Each retains the connection of its last event. */
    private static final int SELECTORS = 8;

    private static final int SLOT = 128; // the smallest, which a head fits into

    @TempDir
    Path folder;

    @Test
    void retainsNoMemory() throws Exception {
        SSLContext tls = Certificate.context();
        try (BufferPool pool = BufferPool.builder("grizzly")
                        .policy("heap")
                        .threadCache(0)
                        .build();
                GrizzlyServer server = new GrizzlyServer(
                        folder,
                        tls,
                        GrizzlyMemoryManager.of(pool, pool),
                        listener -> listener.registerAddOn(new ReleasingAddOn()))) {
            Client client = new Client(server, tls);
            for (int i = 0; i < TIMES; i++) {
                client.abandon(Protocol.HTTP, Connection.post(1_000_000) + "abc", i % 2 == 0);
            }
            for (int i = 0; i < ATTEMPTS && memory(pool) > SELECTORS * SLOT; i++) {
                pool.trim();
                System.gc();
                Thread.sleep(200);
            }
            assertTrue(memory(pool) <= SELECTORS * SLOT, () -> pool.stats() + "" + pool.openLeases());
        }
    }

    private static long memory(BufferPool pool) {
        return pool.stats().reservedBytes() + pool.stats().droppedBytes();
    }
}
