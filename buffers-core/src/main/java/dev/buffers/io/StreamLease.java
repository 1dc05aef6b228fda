// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a stream. One call at a time may use it, and none after a close.
 *
 * <p>Any thread. Entering and leaving cost a compare-and-set each; nothing blocks but an acquire.
 */
final class StreamLease {
    /*
     *            enter                close
     *   FREE <----------> BUSY      FREE -----> CLOSING ------ end -------> CLOSED
     *            leave                            ^  |                       ^
     *                               BUSY ---------+  +-------- leave --------+
     *                                     close
     *
     * T1  Only the call that is inside touches the lease and the stream's fields: between enter and leave, or, for a close of a free
     *     stream, between close and end. A volatile access orders each such call before the next, so that all of these are plain memory.
     * T2  A close that finds a call inside leaves the lease to that call, whose leave ends it. So a thread never releases the memory of an
     *     I/O that is blocked in another thread.
     */
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int CLOSING = 2;
    private static final int CLOSED = 3;

    /**
     * The most bytes of an array that one read or write is given. For a heap buffer the JDK takes a direct buffer as large as what remains
     * in it, copies all of that, and keeps the direct buffer with the thread ({@code sun.nio.ch.IOUtil}, {@code sun.nio.ch.Util}, JDK 17 to
     * 25). Its socket streams limit theirs to this size too ({@code NioSocketImpl}).
     */
    static final int MOST_AT_ONCE = 128 << 10;

    static final int USUAL_SIZE = 16 << 10;

    final BufferPool pool;
    final int size;
    private final AtomicInteger state = new AtomicInteger(FREE);
    private @Nullable PooledBuffer lease;

    /** The lease's buffer; null without a lease. */
    @Nullable ByteBuffer buffer;

    /** Whether a read or write that was cut short may still use the memory. The lease is discarded then. */
    boolean tainted;

    StreamLease(BufferPool pool, int size) {
        this.pool = Objects.requireNonNull(pool, "pool");
        if (size < 1) {
            throw new IllegalArgumentException("size must be positive: size=" + size);
        }
        this.size = size;
    }

    /**
     * The channel of a stream.
     *
     * @throws NullPointerException for null, which is what a socket without a channel gives
     * @throws IllegalArgumentException for a channel of datagrams
     */
    static <C extends Channel> C channel(@Nullable C channel) {
        if (channel == null) {
            throw new NullPointerException(
                    "no channel: channel=null; a java.net.Socket has a channel only if a SocketChannel"
                            + " or a ServerSocketChannel made it; accepted: a channel, also"
                            + " Channels.newChannel(socket.getInputStream()) and Channels.newChannel(socket.getOutputStream())");
        }
        checkBytes(channel);
        return channel;
    }

    /**
     * Refuses a channel of datagrams: an empty one would end the stream, one longer than the buffer would be cut, and a write would be sent
     * as one datagram with its neighbours, or as several.
     */
    static void checkBytes(Closeable end) {
        if (end instanceof DatagramChannel) {
            throw new IllegalArgumentException("channel has datagrams, not a stream of bytes: channel="
                    + end.getClass().getName() + "; use DatagramChannel.receive and send with a lease");
        }
    }

    static int usualSize(BufferPool pool) {
        return Math.min(USUAL_SIZE, pool.settings().maxSize());
    }

    /** How many of {@code bytes} bytes in this buffer may be given to a read or write at once. */
    static int atOnce(ByteBuffer buffer, int bytes) {
        return buffer.isDirect() ? bytes : Math.min(bytes, MOST_AT_ONCE);
    }

    /**
     * Writes all that remains in the buffer. The position says how much the channel took, also when this throws; the limit stays.
     *
     * @throws IllegalBlockingModeException when the channel takes nothing
     */
    static void writeAll(WritableByteChannel channel, ByteBuffer from) throws IOException {
        int end = from.limit();
        try {
            while (from.position() < end) {
                int before = from.position();
                channel.write(from.limit(before + atOnce(from, end - before)));
                if (from.position() == before) {
                    throw new IllegalBlockingModeException();
                }
            }
        } finally {
            from.limit(end); // a failed write may have left any limit
        }
    }

    /**
     * Lets one call in.
     *
     * @throws IOException after a close
     * @throws IllegalStateException when another call is inside
     */
    void enter() throws IOException {
        if (!state.compareAndSet(FREE, BUSY)) {
            if (state.get() >= CLOSING) {
                throw new IOException("stream is closed");
            }
            throw new IllegalStateException("stream is in use by another call: it takes one at a time");
        }
    }

    /**
     * Lets the call out; a lease that is not {@code needed} ends. False when a close came in the meantime: the lease has ended in any case.
     */
    boolean leave(boolean needed) {
        boolean free = false;
        try {
            if (!needed) {
                giveBack();
            }
        } finally {
            free = state.compareAndSet(BUSY, FREE);
            if (!free) {
                end();
            }
        }
        return free;
    }

    /** Keeps later calls out. True when no call is inside: the caller calls {@link #end}. */
    boolean close() {
        return state.getAndUpdate(now -> Math.max(now, CLOSING)) == FREE;
    }

    /** Ends the lease for a close. */
    void end() {
        try {
            giveBack();
        } finally {
            state.set(CLOSED);
        }
    }

    /** Whether a close has ended the lease. */
    boolean isClosed() {
        return state.get() == CLOSED;
    }

    /** The whole buffer, of a new lease if there is none that may be overwritten. */
    ByteBuffer cleared() {
        if (tainted) {
            giveBack();
        }
        if (buffer == null) {
            lease = pool.acquire(size);
            buffer = lease.buffer();
        }
        return buffer.clear();
    }

    void giveBack() {
        PooledBuffer held = lease;
        lease = null;
        buffer = null;
        if (held != null) {
            if (tainted) {
                held.discard();
            } else {
                held.release();
            }
        }
        tainted = false;
    }

    /**
     * Whether a failed read or write of a channel, or of a stream over one, may still be using its buffer. The JDK's channels no longer use
     * it when the call ends, however it ends. In any other channel, an I/O of another thread or of the kernel may continue when the call
     * was cut short: closed or interrupted from elsewhere, or out of time.
     */
    static boolean mayStillUse(Closeable end, Throwable failure) {
        boolean cutShort = failure instanceof AsynchronousCloseException
                || failure instanceof InterruptedByTimeoutException
                || failure instanceof InterruptedIOException;
        return cutShort && (end instanceof Channel channel ? !isOfJdk(channel) : isOfChannels(end));
    }

    /** Whether {@link java.nio.channels.Channels} made that stream: its channel is not known. In 17 these have other names than later. */
    private static boolean isOfChannels(Closeable stream) {
        String name = stream.getClass().getName();
        return name.startsWith("sun.nio.ch.Channel") || name.startsWith("java.nio.channels.Channels$");
    }

    static boolean isOfJdk(Channel channel) {
        return channel.getClass().getModule() == Object.class.getModule();
    }

    /** The position; negative for a file without one, such as a pipe. */
    static long positionOf(SeekableByteChannel file) throws IOException {
        try {
            return file.position();
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            return -1;
        }
    }
}
