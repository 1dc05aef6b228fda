// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.io.BufferChain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/**
 * Buffers from a pool: {@link ChannelBuffers} to read, leases to fill, a {@link BufferChain} to write.
 *
 * @param shared is closed when this is
 */
public record PooledBuffers(BufferPool shared) implements BufferSource {
    @Override
    public ConnectionBuffers connection() {
        return new Connected();
    }

    @Override
    public void whenAvailable(Runnable wake) {
        shared.whenAvailable(BUFFER_SIZE, wake);
    }

    @Override
    public void passOn() {
        PooledBuffer lease = shared.tryAcquire(BUFFER_SIZE);
        if (lease != null) {
            lease.release();
        }
    }

    @Override
    public Optional<BufferPool> pool() {
        return Optional.of(shared);
    }

    @Override
    public void close() {
        shared.close();
    }

    private final class Connected implements ConnectionBuffers {
        private final BufferChain chain = new BufferChain();
        private ChannelBuffers channel = shared.channel();

        /**
         * At the cap other channel buffers, which start small again, take the place of these: a connection that is woken when BUFFER_SIZE
         * is available must not want more.
         */
        @Override
        public boolean takeInput() {
            try {
                channel.input(BUFFER_SIZE);
                return true;
            } catch (PoolExhaustedException e) {
                channel.close();
                channel = shared.channel();
                return false;
            }
        }

        @Override
        public ByteBuffer input() {
            return channel.input();
        }

        @Override
        public int readFrom(ReadableByteChannel source) throws IOException {
            return channel.readFrom(source);
        }

        @Override
        public boolean send(Response response) throws IOException {
            PooledBuffer lease = shared.tryAcquire(BUFFER_SIZE);
            if (lease == null) {
                return false;
            }
            try {
                response.fill(lease.buffer());
                lease.buffer().flip();
                chain.add(lease);
                return true;
            } catch (IOException | RuntimeException | Error e) {
                lease.close();
                throw e;
            }
        }

        @Override
        public long queued() {
            return chain.remaining();
        }

        @Override
        public boolean writeTo(GatheringByteChannel sink) throws IOException {
            return chain.writeTo(sink);
        }

        @Override
        public void idle() {
            channel.idle();
        }

        @Override
        public void close() {
            chain.close();
            channel.close();
        }
    }
}
