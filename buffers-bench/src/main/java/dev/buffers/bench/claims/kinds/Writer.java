package dev.buffers.bench.claims.kinds;

import dev.buffers.BufferPool;
import dev.buffers.io.PooledOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Writes the same bytes again and again, in one way. */
interface Writer extends Closeable {

    void write() throws IOException;

    @Override
    default void close() {}

    private static void all(ByteBuffer buffer, WritableByteChannel channel) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** An array to a stream. */
    final class ArrayToStream implements Writer {
        private final OutputStream stream;
        private final byte[] content;

        ArrayToStream(OutputStream stream, byte[] content) {
            this.stream = stream;
            this.content = content;
        }

        @Override
        public void write() throws IOException {
            stream.write(content);
        }
    }

    /** A buffer of one kind, filled beforehand, to a channel. */
    final class BufferToChannel implements Writer {
        private final HeldBuffer held;
        private final ByteBuffer buffer;
        private final WritableByteChannel channel;

        BufferToChannel(BufferKind kind, WritableByteChannel channel, byte[] content) {
            this.held = kind.hold(content.length);
            this.buffer = held.buffer().put(0, content);
            this.channel = channel;
        }

        @Override
        public void write() throws IOException {
            all(buffer.rewind(), channel);
        }

        @Override
        public void close() {
            held.close();
        }
    }

    /** An array copied into a direct buffer, and that to a channel. */
    final class Staged implements Writer {
        private final ByteBuffer stage;
        private final WritableByteChannel channel;
        private final byte[] content;

        Staged(WritableByteChannel channel, byte[] content) {
            this.stage = ByteBuffer.allocateDirect(content.length);
            this.channel = channel;
            this.content = content;
        }

        @Override
        public void write() throws IOException {
            all(stage.clear().put(content).flip(), channel);
        }
    }

    /** An array to this library's own stream, which copies it into direct leases, as many as it takes. */
    final class ThroughPool implements Writer {
        private final BufferPool heap =
                BufferPool.builder("claims").policy("heap-view").build();
        private final BufferPool direct = BufferPool.builder("claims").build();
        private final PooledOutputStream stream;
        private final byte[] content;

        ThroughPool(WritableByteChannel channel, byte[] content) {
            this.stream = PooledOutputStream.to(channel, heap, direct);
            this.content = content;
        }

        @Override
        public void write() throws IOException {
            stream.write(content);
            stream.flush();
        }

        /** The channel is the outlet's to close, and a flushed stream has no lease. */
        @Override
        public void close() {
            Pools.closeQuiet(heap);
            Pools.closeQuiet(direct);
        }
    }
}
