package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The rivals: a fresh buffer for each need, left to the collector. Never at a cap. */
public final class FreshBuffers implements BufferSource {
    private final IntFunction<ByteBuffer> allocate;

    private FreshBuffers(IntFunction<ByteBuffer> allocate) {
        this.allocate = allocate;
    }

    public static FreshBuffers heap() {
        return new FreshBuffers(ByteBuffer::allocate);
    }

    public static FreshBuffers direct() {
        return new FreshBuffers(ByteBuffer::allocateDirect);
    }

    /** Each buffer is the next piece of a large heap buffer. */
    public static FreshBuffers bumpHeap() {
        return new FreshBuffers(new BumpAllocator(ByteBuffer::allocate));
    }

    /** Each buffer is the next piece of a large direct buffer. */
    public static FreshBuffers bumpDirect() {
        return new FreshBuffers(new BumpAllocator(ByteBuffer::allocateDirect));
    }

    @Override
    public ConnectionBuffers connection() {
        return new Connected(allocate);
    }

    @Override
    public void whenAvailable(Runnable wake) {
        wake.run();
    }

    @Override
    public void passOn() {}

    @Override
    public Figures figures() {
        return new Figures(0, 0);
    }

    @Override
    public void close() {}

    private static final class Connected implements ConnectionBuffers {
        private final IntFunction<ByteBuffer> allocate;
        private final ArrayDeque<ByteBuffer> queue = new ArrayDeque<>(4);
        private @Nullable ByteBuffer input;
        private @Nullable ByteBuffer room;

        Connected(IntFunction<ByteBuffer> allocate) {
            this.allocate = allocate;
        }

        @Override
        public boolean hasRoomForInput() {
            return true;
        }

        @Override
        public ByteBuffer input() {
            if (input == null) {
                input = allocate.apply(BUFFER_SIZE);
            }
            return input;
        }

        @Override
        public int readFrom(ReadableByteChannel source) throws IOException {
            return source.read(input());
        }

        @Override
        public ByteBuffer room() {
            if (room == null) {
                room = allocate.apply(BUFFER_SIZE);
            }
            return room;
        }

        @Override
        public void send() {
            if (room != null) {
                queue.add(room.flip());
                room = null;
            }
        }

        @Override
        public long queued() {
            long bytes = 0;
            for (ByteBuffer buffer : queue) {
                bytes += buffer.remaining();
            }
            return bytes;
        }

        @Override
        public boolean writeTo(GatheringByteChannel sink) throws IOException {
            sink.write(queue.toArray(ByteBuffer[]::new));
            while (!queue.isEmpty() && !queue.peek().hasRemaining()) {
                queue.remove();
            }
            return queue.isEmpty();
        }

        @Override
        public void idle() {
            if (input != null && input.position() == 0) {
                input = null;
            }
        }

        @Override
        public void close() {
            queue.clear();
            input = null;
            room = null;
        }
    }
}
