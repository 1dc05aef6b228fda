package dev.buffers.bench.sockets;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where an echo server's direct buffers come from. */
enum Memory {
    /** From the pool, and kept for as long as the connection lives. */
    CHANNEL,
    /** From the pool, for each read and its answer. */
    OPERATION,
    /** Allocated for each read and its answer, and left to the collector. */
    FRESH;

    static Memory named(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** The buffers of one connection. */
    EchoBuffers buffers(BufferPool pool) {
        return switch (this) {
            case CHANNEL -> new OfChannel(pool.channel());
            case OPERATION -> new OfOperation(pool);
            case FRESH -> new Fresh();
        };
    }

    /** As points call it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static final class OfChannel implements EchoBuffers {
        private final ChannelBuffers channel;

        OfChannel(ChannelBuffers channel) {
            this.channel = channel;
        }

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

    private static final class OfOperation implements EchoBuffers {
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

    private static final class Fresh implements EchoBuffers {
        @Override
        public ByteBuffer take() {
            return ByteBuffer.allocateDirect(SIZE);
        }

        @Override
        public void giveBack() {}

        @Override
        public void close() {}
    }
}
