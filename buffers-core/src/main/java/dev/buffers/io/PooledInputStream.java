package dev.buffers.io;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An input stream over a channel that buffers in a lease of a pool. It has that lease only while it holds unread bytes.
 *
 * <p><b>Threads.</b> One call at a time; a second call meanwhile throws {@link IllegalStateException}. Passing the stream to another thread
 * needs no more than that. {@link #close} may be called by any thread at any time. It ends a call that waits in the channel, as the
 * channel's own close does.
 *
 * <p><b>Ownership.</b> The stream owns the channel and closes it; no other code may read from it meanwhile. The lease never leaves the
 * stream. It is acquired before a read of the channel. It is released when its last byte is read, at the end, when a read of the channel
 * fails, and by {@link #close}. So an idle stream has no slot, but a stream that waits in the channel for its peer has one. A small size,
 * or waiting in a selector first, keeps that cheap. Bytes that are read straight into the caller's array need no lease.
 *
 * <p><b>Cost.</b> A call for bytes that are buffered costs the copy and two compare-and-sets. Each filled buffer costs one read of the
 * channel, one acquire and one release. Reads of at least the buffer's size go straight into the array: for a pool of heap memory that
 * saves a copy, for any pool it saves reads. Direct memory saves the copy that the JDK makes for heap buffers. A call may block in the
 * channel, and in the pool when its {@code at-limit} says so.
 *
 * <p><b>Channels that do not block.</b> When the channel has no bytes now, which only a non-blocking channel may say, the call throws
 * {@link IllegalBlockingModeException}, as the streams of {@link java.nio.channels.Channels} do; it never spins. With this stream the call
 * may be repeated when the channel is ready.
 *
 * <p><b>Errors.</b> No byte is lost or given twice. If a failing read of the channel has brought bytes, these are given first, and the next
 * call throws the exception. After {@code PoolExhaustedException} or any other exception that the channel survives, the next call continues
 * where this one stopped. Only {@link #readNBytes(int)} and {@link #readAllBytes} lose what they have read when the channel fails half-way.
 * The end is final: after it the channel is not read again. Marks are not supported.
 */
public final class PooledInputStream extends InputStream {
    /*
     *   channel --receive--> lease --------> caller's array
     *      |                   |   `-------> OutputStream
     *      +----- straight ----|-----------> caller's array
     *
     * I1  `unread` is the lease's buffer, in drain mode: the bytes between its position and limit came from the channel and were not given
     *     out yet.
     * I2  Outside a call the lease is held only if something is unread (leave releases it otherwise). Inside a call it is kept from one
     *     fill to the next, so that no call is refused a lease after it has consumed bytes: a call for many bytes needs no lease, or has it
     *     before its first byte.
     * I3  The buffer's position says what a read of the channel brought, never what the read returned or threw.
     */
    static final int DEFAULT_SIZE = 16 << 10;

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final Turnstile turnstile = new Turnstile();
    private final ReadableByteChannel channel;
    private final BufferPool pool;
    private final int size;

    private @Nullable PooledBuffer lease;
    private @Nullable ByteBuffer unread;

    /** The exception of a read that brought bytes all the same. */
    private @Nullable Throwable failure;

    private boolean ended;

    /** Whether a read that was cut short may still write to the lease's memory. */
    private boolean tainted;

    private PooledInputStream(ReadableByteChannel channel, BufferPool pool, int size) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.pool = Objects.requireNonNull(pool, "pool");
        if (size < 1) {
            throw new IllegalArgumentException("size must be positive: size=" + size);
        }
        this.size = size;
    }

    /**
     * A stream with a buffer of 16 KiB, or of the pool's largest size class if that is smaller. The JDK's own streams use 16 KiB since 21
     * (JDK-8299336, where more brought little).
     *
     * @param channel the stream's from now on
     * @param pool where the buffer comes from; it stays the caller's
     * @return the stream, which the caller must close
     */
    public static PooledInputStream from(ReadableByteChannel channel, BufferPool pool) {
        return new PooledInputStream(
                channel, pool, Math.min(DEFAULT_SIZE, pool.settings().maxSize()));
    }

    /**
     * A stream with a buffer of at least {@code size} bytes. Nothing is acquired before the first read.
     *
     * @param channel the stream's from now on
     * @param pool where the buffer comes from; it stays the caller's
     * @param size bytes, from 1; more than the pool's largest size class costs a region of its own for each fill
     * @return the stream, which the caller must close
     * @throws IllegalArgumentException when {@code size} is less than 1
     */
    public static PooledInputStream from(ReadableByteChannel channel, BufferPool pool, int size) {
        return new PooledInputStream(channel, pool, size);
    }

    /**
     * The next byte, or -1 at the end.
     *
     * @throws IOException from the channel, or because this stream is closed
     * @throws PoolExhaustedException when the pool is at its cap
     * @throws IllegalBlockingModeException when the channel does not block and has no bytes now
     */
    @Override
    public int read() throws IOException {
        turnstile.enter();
        try {
            ByteBuffer from = unread();
            return from == null ? -1 : from.get() & 0xFF;
        } finally {
            leave();
        }
    }

    /**
     * Gives at least one byte and at most {@code length}: what is buffered, or else what one read of the channel gives. If nothing is
     * buffered and {@code length} is at least the buffer's size, that read goes straight into the array, for at most 128 KiB.
     *
     * @return the number of bytes; 0 only for a length of 0; -1 at the end
     * @throws IOException from the channel, or because this stream is closed
     * @throws PoolExhaustedException when the pool is at its cap
     * @throws IllegalBlockingModeException when the channel does not block and has no bytes now
     */
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        turnstile.enter();
        try {
            return length == 0 ? 0 : some(into, offset, length, length >= size);
        } finally {
            leave();
        }
    }

    /**
     * Gives {@code length} bytes, or fewer at the end. A call that throws may have put bytes into the array without saying how many; use
     * {@link #read(byte[], int, int)} where that matters. It is never refused a lease half-way.
     */
    @Override
    public int readNBytes(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        turnstile.enter();
        try {
            int filled = 0;
            while (filled < length) {
                int n = some(into, offset + filled, length - filled, length >= size);
                if (n < 0) {
                    break;
                }
                filled += n;
            }
            return filled;
        } finally {
            leave();
        }
    }

    /**
     * Gives {@code length} bytes, or fewer at the end, in a new array that grows as they come. What it has read is lost when the channel
     * throws half-way. It is never refused a lease half-way.
     */
    @Override
    public byte[] readNBytes(int length) throws IOException {
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative: length=" + length);
        }
        turnstile.enter();
        try {
            byte[] into = new byte[Math.min(length, Math.max(size, DEFAULT_SIZE))];
            int filled = 0;
            while (filled < length) {
                if (filled == into.length) {
                    into = Arrays.copyOf(into, larger(filled, length));
                }
                int n = some(into, filled, into.length - filled, length >= size);
                if (n < 0) {
                    break;
                }
                filled += n;
            }
            return filled == into.length ? into : Arrays.copyOf(into, filled);
        } finally {
            leave();
        }
    }

    private static int larger(int length, int most) {
        return length < LARGEST_ARRAY ? (int) Math.min(most, Math.min(LARGEST_ARRAY, 2L * length)) : most;
    }

    /**
     * Skips what is buffered. If nothing is, moves the position of a channel that has one ({@link SeekableByteChannel}), but not past its
     * size; otherwise drops what one read of the channel gives. When it throws, it has skipped nothing.
     *
     * @return the bytes skipped, at most {@code n}; 0 for an {@code n} that is not positive, and at the end
     */
    @Override
    public long skip(long n) throws IOException {
        turnstile.enter();
        try {
            if (n <= 0) {
                return 0;
            }
            long moved = isDrained() ? skipInChannel(n) : 0;
            if (moved > 0) {
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

    private long skipInChannel(long n) throws IOException {
        if (ended || failure != null || !(channel instanceof SeekableByteChannel seekable)) {
            return 0;
        }
        long moved = Math.min(n, ahead(seekable));
        if (moved > 0) {
            seekable.position(seekable.position() + moved);
        }
        return moved;
    }

    /**
     * How far the channel's position is before its size, never negative; 0 also for a file without a known size, such as those of {@code
     * /proc}.
     */
    private static long ahead(SeekableByteChannel channel) throws IOException {
        return Math.max(0, channel.size() - channel.position());
    }

    /** How many bytes are buffered, and are ahead in a channel that has a size ({@link SeekableByteChannel}). */
    @Override
    public int available() throws IOException {
        turnstile.enter();
        try {
            ByteBuffer present = unread;
            long bytes = present == null ? 0 : present.remaining();
            if (!ended && channel instanceof SeekableByteChannel seekable) {
                bytes += ahead(seekable);
            }
            return (int) Math.min(Integer.MAX_VALUE, bytes);
        } finally {
            leave();
        }
    }

    /**
     * Moves everything up to the end. A {@link PooledOutputStream} takes it from the lease. Any other stream is given arrays: the lease's
     * own array where that is no part of a larger one (policies {@code heap} and {@code unpooled}), otherwise an array of the buffer's size
     * into which the channel is read.
     *
     * <p>When the other stream throws, everything it was given in that call counts as moved, since it does not say how much it took. A
     * {@code PooledOutputStream} says it exactly, and the rest is still here. The other stream may close this stream, but not read from it.
     */
    @Override
    public long transferTo(OutputStream out) throws IOException {
        Objects.requireNonNull(out, "out");
        turnstile.enter();
        try {
            BufferPolicy policy = pool.settings().policy();
            if (out instanceof PooledOutputStream pooled) {
                return moveBuffers(pooled);
            }
            return policy.direct() || policy.views() ? moveThroughArray(out) : moveArrays(out);
        } finally {
            leave();
        }
    }

    private long moveBuffers(PooledOutputStream out) throws IOException {
        long moved = 0;
        for (ByteBuffer from = unread(); from != null; from = unread()) {
            moved += from.remaining();
            out.write(from);
        }
        return moved;
    }

    private long moveArrays(OutputStream out) throws IOException {
        long moved = 0;
        for (ByteBuffer from = unread(); from != null; from = unread()) {
            int first = from.position();
            int n = from.remaining();
            from.position(from.limit());
            moved += n;
            out.write(from.array(), from.arrayOffset() + first, n);
        }
        return moved;
    }

    private long moveThroughArray(OutputStream out) throws IOException {
        byte[] array = new byte[size];
        long moved = 0;
        for (int n = some(array, 0, size, true); n >= 0; n = some(array, 0, size, true)) {
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
        if (turnstile.isClosed()) {
            return;
        }
        try {
            if (turnstile.close()) {
                giveBack();
                turnstile.ended();
            }
        } finally {
            channel.close();
        }
    }

    private void leave() {
        if (isDrained()) {
            giveBack();
        }
        if (!turnstile.leave()) {
            giveBack();
        }
    }

    private boolean isDrained() {
        return unread == null || !unread.hasRemaining();
    }

    /** Gives what is buffered, or else what one read of the channel gives; -1 at the end. */
    private int some(byte[] into, int offset, int length, boolean straight) throws IOException {
        if (straight && isDrained()) {
            return mayReceive()
                    ? receive(ByteBuffer.wrap(into, offset, Math.min(length, JdkChannels.MOST_AT_ONCE)))
                    : -1;
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
        ByteBuffer present = unread;
        if (present != null && present.hasRemaining()) {
            return present;
        }
        if (!mayReceive()) {
            return null;
        }
        ByteBuffer into = present == null ? open() : present.clear();
        try {
            return receive(into) < 0 ? null : into;
        } finally {
            into.flip();
        }
    }

    private ByteBuffer open() {
        PooledBuffer fresh = pool.acquire(size);
        lease = fresh;
        unread = fresh.buffer().clear();
        return unread;
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

    /** Reads the channel once; returns the number of bytes, at least one, or -1 at the end. */
    private int receive(ByteBuffer into) throws IOException {
        int before = into.position();
        int n;
        try {
            n = channel.read(into);
        } catch (IOException | RuntimeException | Error e) {
            tainted = JdkChannels.mayStillUse(channel, e);
            if (into.position() == before) {
                throw e;
            }
            failure = e;
            n = 0;
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

    private void giveBack() {
        PooledBuffer held = lease;
        lease = null;
        unread = null;
        if (held != null) {
            if (tainted) {
                held.discard();
            } else {
                held.release();
            }
        }
        tainted = false;
    }
}
