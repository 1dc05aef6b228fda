package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.io.BufferChain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Buffers from a pool: {@link ChannelBuffers} to read, leases to fill, a {@link BufferChain} to write. */
public final class PooledBuffers implements BufferSource {
    private final BufferPool pool;

    /** Closes the pool when it is closed itself. */
    public PooledBuffers(BufferPool pool) {
        this.pool = pool;
    }

    @Override
    public ConnectionBuffers connection() {
        return new Connected(pool);
    }

    @Override
    public void whenAvailable(Runnable wake) {
        pool.whenAvailable(BUFFER_SIZE, wake);
    }

    @Override
    public void passOn() {
        PooledBuffer lease = pool.tryAcquire(BUFFER_SIZE);
        if (lease != null) {
            lease.release();
        }
    }

    @Override
    public Figures figures() {
        PoolStats stats = pool.stats();
        return new Figures(stats.reservedBytes(), stats.leasedBytes());
    }

    @Override
    public Optional<BufferPool> pool() {
        return Optional.of(pool);
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class Connected implements ConnectionBuffers {
        private final BufferPool pool;
        private final BufferChain chain = new BufferChain();
        private ChannelBuffers channel;
        private @Nullable PooledBuffer room;
        private boolean reading;

        Connected(BufferPool pool) {
            this.pool = pool;
            this.channel = pool.channel();
        }

        @Override
        public ByteBuffer input() {
            return channel.input();
        }

        @Override
        public boolean hasRoomForInput() {
            if (reading) {
                return true;
            }
            try {
                channel.input(BUFFER_SIZE);
                reading = true;
            } catch (PoolExhaustedException e) {
                forgetLargerInputs();
            }
            return reading;
        }

        @Override
        public int readFrom(ReadableByteChannel source) throws IOException {
            if (!hasRoomForInput()) {
                return NO_ROOM;
            }
            try {
                return channel.readFrom(source);
            } catch (PoolExhaustedException e) {
                forgetLargerInputs();
                return NO_ROOM;
            }
        }

        /**
         * At the cap, with nothing unread: other channel buffers start small again, since whoever is woken when BUFFER_SIZE can be
         * had must not want more.
         */
        private void forgetLargerInputs() {
            channel.close();
            channel = pool.channel();
            reading = false;
        }

        @Override
        public @Nullable ByteBuffer room() {
            if (room == null) {
                room = pool.tryAcquire(BUFFER_SIZE);
            }
            return room == null ? null : room.buffer();
        }

        @Override
        public void send() {
            if (room != null) {
                room.buffer().flip();
                chain.add(room);
                room = null;
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
            reading = false;
        }

        @Override
        public void close() {
            if (room != null) {
                room.release();
                room = null;
            }
            chain.close();
            channel.close();
        }
    }
}
