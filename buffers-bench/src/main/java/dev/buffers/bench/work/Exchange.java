package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.bench.lanes.contenders.Pools;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends messages of one size from a connection's one end to the other, with buffers from one source. */
abstract class Exchange {
    final Loopback sockets;
    final int size;

    Exchange(Loopback sockets, int size) {
        this.sockets = sockets;
        this.size = size;
    }

    /** Sends one message that carries a stamp, and receives it. */
    abstract void exchange(long stamp) throws IOException;

    /** Checks that nothing is out. */
    void close() {}

    /** Sends from a buffer whose position is 0 and whose limit is the size. */
    final void send(ByteBuffer out, long stamp) throws IOException {
        out.putLong(0, stamp).putLong(size - Long.BYTES, ~stamp);
        while (out.hasRemaining()) {
            sockets.near().write(out);
        }
    }

    /** Receives into a buffer whose position is 0 and whose limit is the size. */
    final void receive(ByteBuffer in, long stamp) throws IOException {
        while (in.hasRemaining()) {
            if (sockets.far().read(in) < 0) {
                throw new EOFException("the connection has ended");
            }
        }
        check(in, stamp);
    }

    final void check(ByteBuffer in, long stamp) throws IOException {
        if (in.getLong(0) != stamp || in.getLong(size - Long.BYTES) != ~stamp) {
            throw new IOException("another message: stamp=" + in.getLong(0) + ", expected=" + stamp);
        }
    }

    /** One plain direct buffer for each end. */
    static final class Kept extends Exchange {
        private final ByteBuffer out;
        private final ByteBuffer in;

        Kept(Loopback sockets, int size) {
            super(sockets, size);
            out = ByteBuffer.allocateDirect(size);
            in = ByteBuffer.allocateDirect(size);
        }

        @Override
        void exchange(long stamp) throws IOException {
            send(out.clear(), stamp);
            receive(in.clear(), stamp);
        }
    }

    /** Plain buffers, each time new. */
    static final class Allocated extends Exchange {
        private final boolean direct;

        Allocated(Loopback sockets, int size, boolean direct) {
            super(sockets, size);
            this.direct = direct;
        }

        @Override
        void exchange(long stamp) throws IOException {
            send(allocate(), stamp);
            receive(allocate(), stamp);
        }

        private ByteBuffer allocate() {
            return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        }
    }

    /** A lease for each message, at each end. */
    static final class Acquired extends Exchange {
        private final BufferPool pool;

        Acquired(Loopback sockets, int size, String policy) {
            super(sockets, size);
            pool = BufferPool.builder("claims").policy(policy).build();
        }

        @Override
        void exchange(long stamp) throws IOException {
            try (PooledBuffer out = pool.acquire(size)) {
                send(out.buffer(), stamp);
            }
            try (PooledBuffer in = pool.acquire(size)) {
                receive(in.buffer(), stamp);
            }
        }

        @Override
        void close() {
            Pools.closeQuiet(pool);
        }
    }

    /** Each end keeps what it used last. */
    static final class OfChannels extends Exchange {
        private final BufferPool pool;
        private final ChannelBuffers near;
        private final ChannelBuffers far;

        OfChannels(Loopback sockets, int size, String policy) {
            super(sockets, size);
            pool = BufferPool.builder("claims").policy(policy).build();
            near = pool.channel();
            far = pool.channel();
        }

        @Override
        void exchange(long stamp) throws IOException {
            try (PooledBuffer out = near.acquire(size)) {
                send(out.buffer(), stamp);
            }
            ByteBuffer in = far.input(size);
            while (in.position() < size) {
                if (far.readFrom(sockets.far()) < 0) {
                    throw new EOFException("the connection has ended");
                }
                in = far.input();
            }
            check(in, stamp);
            in.clear();
        }

        @Override
        void close() {
            near.close();
            far.close();
            Pools.closeQuiet(pool);
        }
    }
}
