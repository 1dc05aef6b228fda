// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An input stream over a channel that buffers in a lease of a pool. It has that lease only while it holds unread bytes.
 *
 * <pre>{@code
 * try (PooledInputStream in = PooledInputStream.from(socket, pool)) {
 *     int first = in.read(); // without a buffer until a byte has come
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> One call at a time; a second call in the meantime throws {@link IllegalStateException}. Passing the stream to another
 * thread needs no more than that. {@link #close} may be called by any thread at any time. It ends a call that waits in the channel, as the
 * channel's own close does.
 *
 * <p><b>Ownership.</b> The stream owns the channel and closes it; no other code may read from it in the meantime. The lease never leaves
 * the stream. It is acquired before a read of the channel. It is released when its last byte is read, at the end, when a read of the
 * channel fails, and by {@link #close}. So an idle stream has no slot. Over a TCP {@code SocketChannel} of the JDK's own, a stream that
 * waits for its peer has none either: it acquires when the first byte has come. Two streams hold their lease while they wait: one over any
 * other channel, and one inside a call for many bytes, such as {@link #readNBytes(int)} or {@link #transferTo}, that has been given some of
 * them.
 *
 * <p><b>Channels only.</b> A {@code java.net.Socket} has a channel only if a {@code SocketChannel} or {@code ServerSocketChannel} made it.
 * For any other socket, pass {@code Channels.newChannel(socket.getInputStream())}. The same way makes {@code SO_TIMEOUT} work: a channel
 * ignores {@link java.net.Socket#setSoTimeout}, while the socket's own stream throws {@link java.net.SocketTimeoutException}, and the next
 * call here continues. That way costs a copy, it holds the lease while it waits, and {@link #available} counts only buffered bytes. A
 * {@code DatagramChannel} is refused: its datagrams are not a stream of bytes.
 *
 * <p><b>Cost.</b> A call for bytes that are buffered costs the copy and two compare-and-sets. Each filled buffer costs one read of the
 * channel, one acquire and one release; over a TCP socket also a check for arrived bytes, and after a wait one more read, of one byte.
 * Reads of at least the buffer's size go straight into the array and need no lease: for a pool of heap memory that saves a copy, for any
 * pool it saves reads. Direct memory saves the copy that the JDK makes for heap buffers. A call may block in the channel, and in the pool
 * when its {@code at-limit} says so.
 *
 * <p><b>Errors.</b> Every call throws what the channel throws, an {@link IOException} after {@link #close}, and {@link
 * PoolExhaustedException} when the pool is at its cap. When the channel has no bytes now, which only a non-blocking channel may say, it
 * throws {@link IllegalBlockingModeException}, as the streams of {@link java.nio.channels.Channels} do; it never spins.
 *
 * <p>No byte is lost or given twice. If a failing read of the channel has brought bytes, these are given first, and the next call throws
 * the exception. After any exception that the channel survives, the next call continues where this one stopped. Only {@link
 * #readNBytes(int)} and {@link #readAllBytes} lose what they have read when the channel fails half-way; no call is refused a lease
 * half-way. The end is final: after it the channel is not read again. Marks are not supported.
 */
public final class PooledInputStream extends InputStream {
    /*
     *   channel --receive--> lease --------> caller's array
     *      |                   |   `-------> OutputStream
     *      +----- straight ----|-----------> caller's array
     *
     * I1  The lease's buffer is in drain mode: the bytes between its position and limit came from the channel and were not given out yet.
     * I2  Outside a call the lease is held only if something is unread (leave releases it otherwise). Inside a call it is kept from one
     *     fill to the next, so that no call is refused a lease after it has consumed bytes: a call for many bytes needs no lease, or has it
     *     before its first byte.
     * I3  The buffer's position says what a read of the channel brought, never what the read returned or threw.
     * I4  A wait without a lease ends with one byte of the channel, `first`. It is unread, and comes before the bytes in the channel:
     *     receive gives it first. A lease that is refused leaves it there.
     * I5  available never reads the channel: it never waits, and it needs no lease.
     */
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ReadableByteChannel channel;
    private final StreamLease lease;

    /** The exception of a read that brought bytes all the same. */
    private @Nullable Throwable failure;

    /** Whether a read that was cut short may still write into its buffer. */
    private boolean cutShort;

    private boolean ended;

    /** The channel if it is a TCP socket of the JDK's own, which tells on every JDK how much has arrived. */
    private final @Nullable SocketChannel tcp;

    /** The JDK's own stream over the channel, once it was asked how much has arrived. */
    private @Nullable InputStream beneath;

    /** A byte that was waited for without a lease, or -1. */
    private int first = -1;

    private PooledInputStream(ReadableByteChannel channel, BufferPool pool, int size) {
        this.channel = StreamLease.channel(channel);
        this.lease = new StreamLease(pool, size);
        this.tcp = tcpOf(channel);
    }

    private static @Nullable SocketChannel tcpOf(ReadableByteChannel channel) {
        if (channel instanceof SocketChannel socket && StreamLease.isOfJdk(socket)) {
            try {
                socket.socket();
                return socket;
            } catch (UnsupportedOperationException e) {
                return null; // a Unix domain socket
            }
        }
        return null;
    }

    /**
     * A stream with a buffer of 16 KiB, or of the pool's largest size class if that is smaller. The JDK's own streams use 16 KiB since 21
     * (JDK-8299336, where more brought little).
     *
     * @param channel the stream's from now on
     * @param pool where the buffer comes from; it stays the caller's
     * @return the stream, which the caller must close
     * @throws IllegalArgumentException when the channel is a {@code DatagramChannel}
     */
    public static PooledInputStream from(ReadableByteChannel channel, BufferPool pool) {
        return from(channel, pool, StreamLease.usualSize(pool));
    }

    /**
     * A stream with a buffer of at least {@code size} bytes. Nothing is acquired before the first read.
     *
     * @param channel the stream's from now on
     * @param pool where the buffer comes from; it stays the caller's
     * @param size bytes, from 1; more than the pool's largest size class costs a separate region for each fill
     * @return the stream, which the caller must close
     * @throws IllegalArgumentException when {@code size} is less than 1, or the channel is a {@code DatagramChannel}
     */
    public static PooledInputStream from(ReadableByteChannel channel, BufferPool pool, int size) {
        return new PooledInputStream(channel, pool, size);
    }

    /** The next byte, or -1 at the end. */
    @Override
    public int read() throws IOException {
        lease.enter();
        try {
            ByteBuffer from = unread();
            return from == null ? -1 : from.get() & 0xFF;
        } finally {
            leave();
        }
    }

    /**
     * Gives at least one byte and at most {@code length}: the buffered bytes, or else those of one read of the channel. If nothing is
     * buffered and {@code length} is at least the buffer's size, that read goes straight into the array, for at most 128 KiB.
     *
     * @return the number of bytes; 0 only for a length of 0; -1 at the end
     */
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        lease.enter();
        try {
            return length == 0 ? 0 : some(into, offset, length, length >= lease.size);
        } finally {
            leave();
        }
    }

    /**
     * Gives {@code length} bytes, or fewer at the end. A call that throws may have put bytes into the array without saying how many; use
     * {@link #read(byte[], int, int)} where that matters.
     */
    @Override
    public int readNBytes(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        lease.enter();
        try {
            return readFully(into, offset, length, length >= lease.size);
        } finally {
            leave();
        }
    }

    /** Gives {@code length} bytes, or fewer at the end, in a new array that grows as they come. */
    @Override
    public byte[] readNBytes(int length) throws IOException {
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative: length=" + length);
        }
        lease.enter();
        try {
            boolean straight = length >= lease.size;
            byte[] into = new byte[Math.min(length, Math.max(lease.size, StreamLease.USUAL_SIZE))];
            int filled = readFully(into, 0, into.length, straight);
            while (filled == into.length && filled < length) {
                int most = filled < LARGEST_ARRAY ? Math.min(length, LARGEST_ARRAY) : length;
                into = Arrays.copyOf(into, (int) Math.min(2L * filled, most));
                filled += readFully(into, filled, into.length - filled, straight);
            }
            return filled == into.length ? into : Arrays.copyOf(into, filled);
        } finally {
            leave();
        }
    }

    /**
     * Skips buffered bytes. If there are none, moves the position of a channel that has one ({@link SeekableByteChannel}), but not past its
     * size; otherwise drops the bytes of one read of the channel, for which it may wait. When the call throws, it has skipped nothing.
     *
     * @return the bytes skipped, at most {@code n}; 0 for an {@code n} that is not positive, and at the end
     */
    @Override
    public long skip(long n) throws IOException {
        lease.enter();
        try {
            if (n <= 0) {
                return 0;
            }
            long moved = isDrained() && failure == null ? Math.min(n, ahead()) : 0;
            if (moved > 0) {
                SeekableByteChannel seekable = (SeekableByteChannel) channel;
                seekable.position(seekable.position() + moved);
                return moved;
            }
            ByteBuffer from = unread();
            if (from == null) {
                return 0;
            }
            int dropped = (int) Math.min(n, from.remaining());
            from.position(from.position() + dropped);
            return dropped;
        } finally {
            leave();
        }
    }

    /**
     * How many bytes can certainly be read without waiting; it acquires nothing and never waits itself. These are the buffered bytes, and
     * those ahead of the position of a channel that has one ({@link SeekableByteChannel}). If there are none of either, they are the bytes
     * that have arrived, as far as the JDK's own stream over that channel knows: over a TCP socket always, over a Unix domain socket from
     * JDK 21 on. Over any other channel, such as a pipe or one with TLS, only buffered bytes are known. So 0 does not mean the end. But
     * {@link java.util.zip.GZIPInputStream} takes it for the end after each member in some JDKs, 17 and 21 among them.
     */
    @Override
    public int available() throws IOException {
        lease.enter();
        try {
            int buffered = (lease.buffer == null ? 0 : lease.buffer.remaining()) + (first < 0 ? 0 : 1);
            long known = buffered + ahead();
            return known > 0 || ended || failure != null ? (int) Math.min(Integer.MAX_VALUE, known) : arrived();
        } finally {
            leave();
        }
    }

    /** How far the channel's position is before its size; 0 also for a file without a known size, such as those of {@code /proc}. */
    private long ahead() throws IOException {
        if (ended || !(channel instanceof SeekableByteChannel seekable)) {
            return 0;
        }
        long position = StreamLease.positionOf(seekable);
        return position < 0 ? 0 : Math.max(0, seekable.size() - position);
    }

    /** How many bytes the channel is known to give without waiting. */
    private int arrived() throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        try {
            if (beneath == null) {
                beneath = tcp != null ? tcp.socket().getInputStream() : Channels.newInputStream(channel);
            }
            return beneath.available();
        } catch (IOException e) {
            return 0; // not connected, shut down, or before JDK 21 a pipe that was opened as a file; a read says more
        }
    }

    /**
     * Moves everything up to the end. A {@link PooledOutputStream} takes it from the lease. Any other stream is given an array of the
     * buffer's size into which the channel is read.
     *
     * <p>When the other stream throws, everything it was given in that call counts as moved, since it does not say how much it took. A
     * {@code PooledOutputStream} says it exactly, and the rest is still here. The other stream may close this stream, but not read from it.
     */
    @Override
    public long transferTo(OutputStream out) throws IOException {
        Objects.requireNonNull(out, "out");
        lease.enter();
        try {
            return out instanceof PooledOutputStream pooled ? moveBuffers(pooled) : moveThroughArray(out);
        } finally {
            leave();
        }
    }

    private long moveBuffers(PooledOutputStream out) throws IOException {
        long moved = 0;
        for (ByteBuffer from = unread(); from != null; from = unread()) {
            moved += from.remaining();
            try {
                out.write(from);
            } finally {
                lease.tainted |= out.isBroken();
            }
        }
        return moved;
    }

    private long moveThroughArray(OutputStream out) throws IOException {
        byte[] array = new byte[lease.size];
        long moved = 0;
        for (int n = some(array, 0, array.length, true); n >= 0; n = some(array, 0, array.length, true)) {
            moved += n;
            out.write(array, 0, n);
        }
        return moved;
    }

    /**
     * Releases the lease and closes the channel. Closing again does nothing. If a call is inside, in another thread or further up in this
     * one, only the channel is closed here, and the lease ends when that call leaves: no other code has its memory before.
     *
     * @throws IOException from the channel; the lease is released all the same
     */
    @Override
    public void close() throws IOException {
        if (lease.isClosed()) {
            return;
        }
        try (channel) {
            if (lease.close()) {
                lease.end();
            }
        }
    }

    /** Whether a read that was cut short may still write into what a caller has given to this stream. */
    boolean mayStillRead() {
        return cutShort;
    }

    private void leave() {
        lease.leave(!isDrained());
    }

    private boolean isDrained() {
        return lease.buffer == null || !lease.buffer.hasRemaining();
    }

    /** Gives all of {@code length} bytes to the caller, or fewer at the end. */
    private int readFully(byte[] into, int offset, int length, boolean straight) throws IOException {
        int filled = 0;
        while (filled < length) {
            int n = some(into, offset + filled, length - filled, straight);
            if (n < 0) {
                break;
            }
            filled += n;
        }
        return filled;
    }

    /** Gives the buffered bytes, or else those of one read of the channel; -1 at the end. */
    private int some(byte[] into, int offset, int length, boolean straight) throws IOException {
        if (straight && isDrained()) {
            ByteBuffer part = ByteBuffer.wrap(into, offset, Math.min(length, StreamLease.MOST_AT_ONCE));
            return mayReceive() ? receive(part) : -1;
        }
        ByteBuffer from = unread();
        if (from == null) {
            return -1;
        }
        int n = Math.min(length, from.remaining());
        from.get(into, offset, n);
        return n;
    }

    /** A buffer with something unread in it, after one read of the channel if there was nothing; null at the end. */
    private @Nullable ByteBuffer unread() throws IOException {
        if (!isDrained()) {
            return lease.buffer;
        }
        if (!mayReceive() || lease.buffer == null && !hasArrived()) {
            return null;
        }
        ByteBuffer into = lease.cleared();
        into.limit(StreamLease.atOnce(into, into.limit()));
        try {
            return receive(into) < 0 ? null : into;
        } finally {
            into.flip();
        }
    }

    /** False at the end. If the last read threw after it had brought bytes, throws that exception now. */
    private boolean mayReceive() throws IOException {
        Throwable late = failure;
        if (late == null) {
            return !ended;
        }
        failure = null;
        if (late instanceof IOException e) {
            throw e;
        }
        if (late instanceof Error e) {
            throw e;
        }
        throw (RuntimeException) late;
    }

    /** Waits without a lease until a byte has arrived, where that is possible. False at the end. */
    private boolean hasArrived() throws IOException {
        if (tcp == null || first >= 0 || !tcp.isBlocking() || arrived() > 0) {
            return true;
        }
        ByteBuffer one = ByteBuffer.allocate(1);
        if (receive(one) < 0) {
            return false;
        }
        first = one.get(0) & 0xFF;
        return true;
    }

    /** Reads the channel once; returns the number of bytes, at least one, or -1 at the end. */
    private int receive(ByteBuffer into) throws IOException {
        int before = into.position();
        int n = 0;
        try {
            if (first >= 0) {
                into.put((byte) first);
                first = -1;
            }
            if (into.position() == before || tcp != null && into.hasRemaining() && arrived() > 0) {
                n = channel.read(into);
            }
        } catch (IOException | RuntimeException | Error e) {
            boolean inDoubt = StreamLease.mayStillUse(channel, e);
            cutShort |= inDoubt;
            lease.tainted |= inDoubt && into == lease.buffer;
            if (into.position() == before) {
                throw e;
            }
            failure = e;
        }
        int brought = into.position() - before;
        if (brought > 0) {
            return brought;
        }
        if (n >= 0) {
            throw new IllegalBlockingModeException();
        }
        ended = true;
        return -1;
    }
}
