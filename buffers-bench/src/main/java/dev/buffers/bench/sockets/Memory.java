// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Where an echo server's direct buffers come from. */
enum Memory {
    /** From the pool, and kept for as long as the connection lives. */
    CHANNEL,
    /** From the pool, for each read and its answer. */
    OPERATION,
    /** Allocated for each read and its answer, and left to the collector. */
    FRESH;

    /** Bytes in each. */
    private static final int SIZE = 4096;

    /** The buffers of one connection, used by one thread at a time. */
    interface Buffers extends AutoCloseable {

        /** An empty buffer, for one read and the write that answers it. */
        ByteBuffer take();

        /** Ends the use of the buffer last taken. */
        default void giveBack() {}

        @Override
        default void close() {}
    }

    Buffers buffers(BufferPool pool) {
        return switch (this) {
            case CHANNEL -> new OfChannel(pool.channel());
            case OPERATION -> new OfOperation(pool);
            case FRESH -> () -> ByteBuffer.allocateDirect(SIZE);
        };
    }

    private record OfChannel(ChannelBuffers channel) implements Buffers {
        @Override
        public ByteBuffer take() {
            return channel.input(SIZE).limit(SIZE);
        }

        @Override
        public void giveBack() {
            channel.input().clear();
        }

        @Override
        public void close() {
            channel.close();
        }
    }

    private static final class OfOperation implements Buffers {
        private final BufferPool pool;
        private @Nullable PooledBuffer lease;

        OfOperation(BufferPool pool) {
            this.pool = pool;
        }

        @Override
        public ByteBuffer take() {
            PooledBuffer taken = pool.acquire(SIZE);
            lease = taken;
            return taken.buffer();
        }

        @Override
        public void giveBack() {
            if (lease != null) {
                lease.release();
                lease = null;
            }
        }

        @Override
        public void close() {
            giveBack();
        }
    }
}
