// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rivals: a fresh buffer for each need, left to the collector. Never at a cap.
 *
 * @param keepsInput whether an idle connection keeps the buffer that it reads into, as most servers without a pool do
 */
public record FreshBuffers(IntFunction<ByteBuffer> allocate, boolean keepsInput) implements BufferSource {
    public FreshBuffers(IntFunction<ByteBuffer> allocate) {
        this(allocate, false);
    }

    @Override
    public ConnectionBuffers connection() {
        return new Connected();
    }

    private final class Connected implements ConnectionBuffers {
        private final ArrayDeque<ByteBuffer> queue = new ArrayDeque<>(4);
        private @Nullable ByteBuffer input;

        @Override
        public boolean takeInput() {
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
        public boolean send(Response response) throws IOException {
            ByteBuffer buffer = allocate.apply(BUFFER_SIZE);
            response.fill(buffer);
            queue.add(buffer.flip());
            return true;
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
            if (!keepsInput && input != null && input.position() == 0) {
                input = null;
            }
        }

        @Override
        public void close() {
            queue.clear();
            input = null;
        }
    }
}
