// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.bench.pools.Timed;
import dev.buffers.bench.pools.contenders.Pools;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * How much does it save to keep a buffer for all I/O of a channel? One write and the reads that bring it to the other end of a
 * connection over the loopback, with buffers that are kept, pooled or allocated each time. A thread has both ends, so that no
 * operation waits for another thread to wake up. A stamp checks each arrival.
 */
public class KeepBenchmark extends Timed {
    @Param
    public Strategy strategy;

    @Param({"1024", "65536"})
    public int size;

    /** Of the pool, where one is used. */
    @Param("direct-view")
    public String policy;

    private Loopback sockets;
    private Exchange exchange;
    private Runnable end = () -> {};
    private long stamp;

    /** Whose buffers are used. */
    public enum Strategy {
        /** One plain direct buffer for each end, as long as the connection lives. */
        kept,
        /** This library's {@code ChannelBuffers}, one for each end. */
        channelBuffers,
        /** This library, a lease for each write and for each message read. */
        acquire,
        /** {@code ByteBuffer.allocateDirect} for each. */
        allocateDirect,
        /** {@code ByteBuffer.allocate} for each. */
        allocateHeap
    }

    /** Sends one message that carries a stamp, and receives it. */
    private interface Exchange {
        void exchange(long stamp) throws IOException;
    }

    @Override
    public void open() throws IOException {
        int room = Math.max(1 << 16, 4 * size);
        sockets = Loopback.connect(room, room);
        exchange = switch (strategy) {
            case kept -> kept(ByteBuffer.allocateDirect(size), ByteBuffer.allocateDirect(size));
            case channelBuffers -> throughChannels(pool());
            case acquire -> acquired(pool());
            case allocateDirect -> allocated(ByteBuffer::allocateDirect);
            case allocateHeap -> allocated(ByteBuffer::allocate);
        };
    }

    private BufferPool pool() {
        BufferPool pool = BufferPool.builder("claims").policy(policy).build();
        end = () -> Pools.closeQuiet(pool);
        return pool;
    }

    @Override
    public void close() throws IOException {
        sockets.close();
        end.run();
    }

    /** One write, and reads until all has come: one, as a rule. */
    @Benchmark
    public long exchange() throws IOException {
        exchange.exchange(++stamp);
        return stamp;
    }

    private Exchange kept(ByteBuffer out, ByteBuffer in) {
        return message -> {
            send(out.clear(), message);
            receive(in.clear(), message);
        };
    }

    private Exchange allocated(IntFunction<ByteBuffer> allocate) {
        return message -> {
            send(allocate.apply(size), message);
            receive(allocate.apply(size), message);
        };
    }

    private Exchange acquired(BufferPool pool) {
        return message -> {
            try (PooledBuffer out = pool.acquire(size)) {
                send(out.buffer(), message);
            }
            try (PooledBuffer in = pool.acquire(size)) {
                receive(in.buffer(), message);
            }
        };
    }

    /** Each end keeps what it used last. */
    private Exchange throughChannels(BufferPool pool) {
        ChannelBuffers near = pool.channel();
        ChannelBuffers far = pool.channel();
        end = () -> {
            near.close();
            far.close();
            Pools.closeQuiet(pool);
        };
        return message -> {
            try (PooledBuffer out = near.acquire(size)) {
                send(out.buffer(), message);
            }
            ByteBuffer in = far.input(size);
            while (in.position() < size) {
                if (far.readFrom(sockets.far()) < 0) {
                    throw new EOFException("the connection has ended");
                }
                in = far.input();
            }
            check(in, message);
            in.clear();
        };
    }

    /** Sends from a buffer whose position is 0 and whose limit is the size. */
    private void send(ByteBuffer out, long message) throws IOException {
        out.putLong(0, message).putLong(size - Long.BYTES, ~message);
        while (out.hasRemaining()) {
            sockets.near().write(out);
        }
    }

    /** Receives into a buffer whose position is 0 and whose limit is the size. */
    private void receive(ByteBuffer in, long message) throws IOException {
        while (in.hasRemaining()) {
            if (sockets.far().read(in) < 0) {
                throw new EOFException("the connection has ended");
            }
        }
        check(in, message);
    }

    private void check(ByteBuffer in, long message) throws IOException {
        if (in.getLong(0) != message || in.getLong(size - Long.BYTES) != ~message) {
            throw new IOException("another message: stamp=" + in.getLong(0) + ", expected=" + message);
        }
    }
}
