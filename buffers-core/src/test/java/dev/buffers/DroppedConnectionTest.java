// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** I8 for connections that are dropped unclosed: nothing that the pool keeps reaches the buffers that a connection held. */
class DroppedConnectionTest {
    private static final int CONNECTIONS = 500;

    private static BufferPool pool() {
        return BufferPool.builder("dropped").policy("heap-view").max(64 << 20).build();
    }

    /** A connection with unread input that has handed off the bytes it read before. */
    private static PooledBuffer connection(BufferPool pool) {
        ChannelBuffers channel = pool.channel();
        channel.input(100).put((byte) 1);
        PooledBuffer handedOff = channel.handOffInput();
        channel.input(100).put((byte) 2);
        return handedOff;
    }

    @Test
    void inputAndHandedOffBufferOfDroppedConnectionAreFound() {
        try (BufferPool pool = pool()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                connection(pool);
            }
            Eventually.collected("all are found", () -> pool.stats().leaks() == 2 * CONNECTIONS);
            Conservation.check(pool);
            Eventually.collected("their memory comes back", () -> {
                pool.trim();
                return pool.stats().reservedBytes() == 0;
            });
        }
    }

    /** A buffer that a worker holds does not hide the input of its connection, neither before its release nor after. */
    @Test
    void inputOfDroppedConnectionIsFoundWhileWorkerHoldsHandedOffBuffer() {
        try (BufferPool pool = pool()) {
            List<PooledBuffer> workers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                workers.add(connection(pool));
            }
            Eventually.collected("the inputs are found", () -> pool.stats().leaks() == CONNECTIONS);
            workers.forEach(PooledBuffer::release);
            Conservation.check(pool);
            for (int i = 0; i < CONNECTIONS; i++) {
                connection(pool).release();
            }
            Eventually.collected("the inputs are found", () -> pool.stats().leaks() == 2 * CONNECTIONS);
            Conservation.check(pool);
        }
    }
}
