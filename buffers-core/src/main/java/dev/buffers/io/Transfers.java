// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import dev.buffers.BufferPool;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.AsynchronousByteChannel;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Moves bytes from one end to another, streams and channels alike: by the JDK's own fast path where it is faster, else through one pooled
 * buffer.
 *
 * <pre>{@code
 * Transfers transfers = new Transfers(pool);
 * long bytes = transfers.transfer(file, socket);
 * }</pre>
 *
 * <p><b>Until when.</b> Until the source's end, or until {@code max} bytes have been moved; no byte beyond is read. The ends are neither
 * flushed nor closed. All sizes are in bytes.
 *
 * <p><b>The JDK's fast path</b> is {@link java.nio.channels.FileChannel#transferTo}, from any file channel to a file or a socket channel of
 * the JDK's own: to a file that has a position on any JDK, to a socket from JDK 22 on. Earlier JDKs do not end it when another thread
 * closes the socket (JDK-8310902). A {@code FileInputStream} or {@code FileOutputStream}, not a subclass, counts as its channel when both
 * ends can be channels; an interrupt of the thread then closes it, as it does any interruptible channel. From JDK 18 on, so does a stream
 * that {@link java.nio.channels.Channels} or {@link java.nio.file.Files} made over a channel, when a file is moved to it. A {@code
 * ByteArrayInputStream} gives up to 128 KiB to a stream by its own {@code transferTo}, and all of it to a {@code ByteArrayOutputStream}.
 * Input streams that {@code Channels} or {@code Files} made are read through the buffer: pass the channel instead, for speed.
 *
 * <p><b>Memory.</b> One lease per call, from before the first read to the end of the call; none where the JDK moves all. Direct memory
 * suits channels best, heap memory suits streams best: the streams get the arrays of a heap pool, and with {@code heap-view} a stream could
 * look at neighbouring buffers there. Any pool works. With direct memory a stream end costs one array of the buffer's size and one more
 * copy; stream to stream takes no lease from a direct pool, only that array. No end is given more than 128 KiB of heap memory at once,
 * whatever the buffer's size: the JDK takes as much direct memory for it.
 *
 * <p><b>Threads.</b> Any number: this object is immutable. The ends are used by one thread at a time. The synchronous methods block as the
 * ends do. No lock is held, so an opposite transfer may run on the same channels.
 *
 * <p><b>Cost.</b> A few small objects per call, and on failure an array of the unwritten bytes. The fast path moves up to 8 MiB in one
 * system call; otherwise each buffer costs one read and one write of the ends.
 *
 * <p><b>Errors.</b> What an end throws is thrown as it is, with a {@link PartialTransferException} suppressed in it, which says how many
 * bytes the sink took. The source may then be ahead of the sink by at most the buffer's size. A {@code SeekableByteChannel}, such as a file
 * channel, and a {@code FileInputStream} are set back, so that their position has advanced only by the bytes written; for all other sources
 * that exception has the bytes in between. Two things cannot be known here: how much a stream took of a write that failed; and how much the
 * kernel had sent, of at most 8 MiB, when a close or an interrupt ended a {@code transferTo}. A close of the sink by another thread ends a
 * transfer at once, as far as the sink's own write does that; the JDK's channels do.
 *
 * <p>The synchronous methods also throw {@link java.nio.channels.IllegalBlockingModeException} for a channel that is in non-blocking mode,
 * or that gives or takes nothing; {@link dev.buffers.PoolExhaustedException} when the pool is at its cap, as {@link
 * BufferPool#acquire(int)} does; {@link IllegalStateException} when the pool is closed; and {@link IllegalArgumentException} when {@code
 * max} is negative, or both ends are one channel that has a single position, or an end is a {@code DatagramChannel}.
 */
public final class Transfers {
    private static final int DEFAULT_BUFFER_SIZE = 64 << 10; // more than 16 KiB brings little: JDK-8299336

    /** Its timed-out operation has ended: only the one of timeout and I/O that comes first uses the buffer (JDK 17 to 25). */
    private static final String SOCKET_OF_UNIX = "sun.nio.ch.UnixAsynchronousSocketChannelImpl";

    private final BufferPool pool;
    private final int bufferSize;
    private final long timeoutNanos;

    /**
     * Uses buffers of 64 KiB, or of the pool's largest size class where that is smaller.
     *
     * @param pool where the buffers come from; it stays the caller's
     */
    public Transfers(BufferPool pool) {
        this(pool, Math.min(DEFAULT_BUFFER_SIZE, pool.settings().maxSize()), 0);
    }

    /**
     * Uses buffers of {@code bufferSize} bytes, or less for a transfer of fewer.
     *
     * @param pool where the buffers come from; it stays the caller's
     * @param bufferSize bytes, from 1
     * @throws IllegalArgumentException when {@code bufferSize} is less than 1
     */
    public Transfers(BufferPool pool, int bufferSize) {
        this(pool, bufferSize, 0);
    }

    private Transfers(BufferPool pool, int bufferSize, long timeoutNanos) {
        this.pool = Objects.requireNonNull(pool, "pool");
        if (bufferSize < 1) {
            throw new IllegalArgumentException("bufferSize must be at least 1: bufferSize=" + bufferSize);
        }
        this.bufferSize = bufferSize;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Transfers like these, in which each read and each write of an {@link java.nio.channels.AsynchronousSocketChannel} may take at most
     * {@code each}. If one takes longer, the transfer fails with {@code InterruptedByTimeoutException}. Other ends have no timeouts.
     *
     * @param each more than zero
     * @return a new object, on the same pool
     * @throws IllegalArgumentException when {@code each} is not more than zero, or beyond 292 years
     */
    public Transfers withTimeout(Duration each) {
        if (each.isNegative() || each.isZero() || each.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(
                    "timeout must be more than zero and less than 292 years: timeout=" + each);
        }
        return new Transfers(pool, bufferSize, each.toNanos());
    }

    /**
     * As {@link #transfer(InputStream, OutputStream, long)}, until the end of the input.
     *
     * @param in is read to its end
     * @param out is written to
     * @return the bytes moved
     * @throws IOException what an end throws
     */
    public long transfer(InputStream in, OutputStream out) throws IOException {
        return transfer(in, out, Long.MAX_VALUE);
    }

    /**
     * Moves bytes from a stream to a stream.
     *
     * @param in is read from
     * @param out is written to
     * @param max the most bytes to move, from 0
     * @return the bytes moved; less than {@code max} only at the end of the input
     * @throws IOException what an end throws
     */
    public long transfer(InputStream in, OutputStream out, long max) throws IOException {
        return move(in, out, max);
    }

    /**
     * As {@link #transfer(ReadableByteChannel, WritableByteChannel, long)}, until the end of the input.
     *
     * @param in is read to its end
     * @param out is written to
     * @return the bytes moved
     * @throws IOException what an end throws
     */
    public long transfer(ReadableByteChannel in, WritableByteChannel out) throws IOException {
        return transfer(in, out, Long.MAX_VALUE);
    }

    /**
     * Moves bytes from a channel to a channel, from and to their positions if they have any.
     *
     * @param in is read from
     * @param out is written to
     * @param max the most bytes to move, from 0
     * @return the bytes moved; less than {@code max} only at the end of the input
     * @throws IOException what an end throws
     */
    public long transfer(ReadableByteChannel in, WritableByteChannel out, long max) throws IOException {
        return move(in, out, max);
    }

    /**
     * As {@link #transfer(InputStream, WritableByteChannel, long)}, until the end of the input.
     *
     * @param in is read to its end
     * @param out is written to
     * @return the bytes moved
     * @throws IOException what an end throws
     */
    public long transfer(InputStream in, WritableByteChannel out) throws IOException {
        return transfer(in, out, Long.MAX_VALUE);
    }

    /**
     * Moves bytes from a stream to a channel.
     *
     * @param in is read from
     * @param out is written to
     * @param max the most bytes to move, from 0
     * @return the bytes moved; less than {@code max} only at the end of the input
     * @throws IOException what an end throws
     */
    public long transfer(InputStream in, WritableByteChannel out, long max) throws IOException {
        return move(in, out, max);
    }

    /**
     * As {@link #transfer(ReadableByteChannel, OutputStream, long)}, until the end of the input.
     *
     * @param in is read to its end
     * @param out is written to
     * @return the bytes moved
     * @throws IOException what an end throws
     */
    public long transfer(ReadableByteChannel in, OutputStream out) throws IOException {
        return transfer(in, out, Long.MAX_VALUE);
    }

    /**
     * Moves bytes from a channel to a stream.
     *
     * @param in is read from
     * @param out is written to
     * @param max the most bytes to move, from 0
     * @return the bytes moved; less than {@code max} only at the end of the input
     * @throws IOException what an end throws
     */
    public long transfer(ReadableByteChannel in, OutputStream out, long max) throws IOException {
        return move(in, out, max);
    }

    private long move(Closeable in, Closeable out, long max) throws IOException {
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(out, "out");
        checkNotNegative("max", max);
        return new BlockingTransfer(pool, bufferSize, max, in, out).run();
    }

    /**
     * Does what {@link #transferAsync(AsynchronousByteChannel, AsynchronousByteChannel, long)} does, until the end of the input.
     *
     * @param in is read to its end
     * @param out is written to
     * @return the bytes moved, or what failed
     */
    public CompletableFuture<Long> transferAsync(AsynchronousByteChannel in, AsynchronousByteChannel out) {
        return transferAsync(in, out, Long.MAX_VALUE);
    }

    /**
     * Begins to move bytes from an asynchronous channel to another; one operation is in flight at a time.
     *
     * <p><b>The lease</b> is acquired here, by the calling thread, which waits when the pool's {@code at-limit} says so. It ends when the
     * last operation has completed, before the future completes. A timeout ends the operation of a JDK's socket on Unix, and so the lease.
     * On other systems, and in a socket channel that is not the JDK's, the operation may use its memory until the channel is closed: with
     * {@link #withTimeout} a transfer of such a channel uses a separate array, no lease. When a channel itself says {@code
     * InterruptedByTimeoutException}, or the call that began an operation threw an {@code Error}, the lease is discarded. Once more than an
     * eighth of the pool's cap is lost or dropped, transfers of channels that are not the JDK's use separate arrays too. So timeouts never
     * use up the pool.
     *
     * <p><b>The future</b> is completed by the calling thread or by one of the channels' group, with the bytes moved or with what an end
     * failed with, a {@link PartialTransferException} suppressed in it. A pool that is at its cap or closed fails it too. If you cancel it,
     * or complete it in any other way, no further operation begins, but the one in flight does not end: the lease ends when that operation
     * completes, at the latest when its channel is closed. Bytes that a channel then still gave, and the unwritten part of the chunk, are
     * lost; a file has lost nothing. An operation that moves nothing fails the future.
     *
     * <p><b>Cost.</b> Some objects for the whole transfer, none for each operation. The stack does not grow with operations that complete
     * at once.
     *
     * @param in is read from; no other read of it may be in flight
     * @param out is written to; no other write of it may be in flight
     * @param max the most bytes to move, from 0
     * @return the bytes moved, or what failed
     * @throws IllegalArgumentException when {@code max} is negative
     */
    public CompletableFuture<Long> transferAsync(AsynchronousByteChannel in, AsynchronousByteChannel out, long max) {
        Objects.requireNonNull(in, "in");
        AsyncTransfer.Operation read = in instanceof AsynchronousSocketChannel socket
                ? (chunk, moved, next) -> socket.read(chunk, timeoutNanos, TimeUnit.NANOSECONDS, next, next)
                : (chunk, moved, next) -> in.read(chunk, next, next);
        return begin(end(in, read), false, out, max);
    }

    /**
     * Does what {@link #transferAsync(AsynchronousFileChannel, long, AsynchronousByteChannel, long)} does, until the end of the file.
     *
     * @param in is read to its end
     * @param position of the first byte, from 0
     * @param out is written to
     * @return the bytes moved, or what failed
     */
    public CompletableFuture<Long> transferAsync(
            AsynchronousFileChannel in, long position, AsynchronousByteChannel out) {
        return transferAsync(in, position, out, Long.MAX_VALUE);
    }

    /**
     * Begins to move bytes of a file, from {@code position} on, to an asynchronous channel, as {@link
     * #transferAsync(AsynchronousByteChannel, AsynchronousByteChannel, long)} does. No byte of the file is lost, whatever fails: to
     * continue, begin at {@code position} plus the bytes transferred.
     *
     * @param in is read from
     * @param position of the first byte, from 0
     * @param out is written to; no other write of it may be in flight
     * @param max the most bytes to move, from 0
     * @return the bytes moved, or what failed
     * @throws IllegalArgumentException when {@code max} or {@code position} is negative
     */
    public CompletableFuture<Long> transferAsync(
            AsynchronousFileChannel in, long position, AsynchronousByteChannel out, long max) {
        checkNotNegative("position", position);
        Objects.requireNonNull(in, "in");
        AsyncTransfer.Operation read = (chunk, moved, next) -> in.read(chunk, position + moved, next, next);
        return begin(new AsyncTransfer.End(read, false, false), true, out, max);
    }

    private CompletableFuture<Long> begin(
            AsyncTransfer.End read, boolean fromFile, AsynchronousByteChannel out, long max) {
        Objects.requireNonNull(out, "out");
        AsyncTransfer.Operation write = out instanceof AsynchronousSocketChannel socket
                ? (chunk, moved, next) -> socket.write(chunk, timeoutNanos, TimeUnit.NANOSECONDS, next, next)
                : (chunk, moved, next) -> out.write(chunk, next, next);
        checkNotNegative("max", max);
        return AsyncTransfer.begin(pool, (int) Math.min(bufferSize, max), max, fromFile, read, end(out, write));
    }

    private AsyncTransfer.End end(AsynchronousByteChannel channel, AsyncTransfer.Operation operation) {
        boolean outlives = !channel.getClass().getName().equals(SOCKET_OF_UNIX);
        boolean timed = timeoutNanos > 0 && channel instanceof AsynchronousSocketChannel;
        return new AsyncTransfer.End(operation, outlives, timed);
    }

    private static void checkNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must not be negative: " + name + "=" + value);
        }
    }
}
