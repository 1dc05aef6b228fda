// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An output stream over a channel that buffers in a lease of a pool. It has that lease only while it holds unsent bytes.
 *
 * <pre>{@code
 * try (PooledOutputStream out = PooledOutputStream.to(socket, pool)) {
 *     out.write(message); // gathers in a buffer
 *     out.flush(); // sends it, and holds no buffer any more
 * }
 * }</pre>
 *
 * <p>With two pools the write is staged: written bytes gather in heap memory, where single elements are cheap to put. They are copied into
 * a direct lease only for the duration of the write of the channel. So few direct buffers serve many streams, and the JDK makes no hidden
 * copy of every heap buffer.
 *
 * <p><b>Threads.</b> As for {@link PooledInputStream}: one call at a time, and {@link #close} by any thread at any time.
 *
 * <p><b>Ownership.</b> The stream owns the channel and closes it; no other code may write to it in the meantime. The leases never leave the
 * stream. One is acquired for the first byte that waits here, and released when the last has been sent: after {@link #flush} the stream has
 * no slot. The direct lease of a staged write is released before the call returns, however it returns.
 *
 * <p><b>Channels only.</b> For a {@code java.net.Socket} without a channel, pass {@code Channels.newChannel(socket.getOutputStream())}. A
 * {@code DatagramChannel} is refused with an {@code IllegalArgumentException}, because each write of it would be one datagram.
 *
 * <p><b>Cost.</b> A call that fits into the buffer costs the copy and two compare-and-sets. A full buffer costs one write of the channel,
 * more when the channel takes it in parts; a staged write adds an acquire, a release and a copy. More bytes than the buffer holds do not
 * pass through it: a direct {@code ByteBuffer} is written as it is; arrays go through direct leases one after the other, or in parts of 128
 * KiB through the JDK's own copy when no pool here is direct. A call may block in the channel, and in a pool whose {@code at-limit} says
 * so.
 *
 * <p><b>Errors.</b> Every call throws what the channel throws, an {@link IOException} when the stream is closed or broken, and {@link
 * PoolExhaustedException} when a pool is at its cap. No byte is lost or sent twice, as far as the channel moves a buffer's position
 * correctly.
 *
 * <ul>
 *   <li>When a call throws, the bytes that the channel took are not sent again, and those that it did not take are still here. The next
 *       {@link #write}, {@link #flush} or {@link #close} continues with exactly these, whatever the exception was.
 *   <li>Of the bytes of the failing call, nothing was taken if they are no more than the buffer's size: write them again. Of more than
 *       that a part may have been taken; {@link #write(ByteBuffer)} says how much by the position.
 *   <li>If a channel takes no bytes now, as only a non-blocking one may, the call throws {@link IllegalBlockingModeException}: wait until
 *       the channel is ready, then repeat the call. It never spins.
 *   <li>If a write of a channel that is not the JDK's was cut short (closed or interrupted from elsewhere, or out of time), the channel may
 *       still be sending, and it is unknown which bytes. Then the stream is broken: every later call throws an {@code IOException}, the
 *       unsent bytes are lost, and the memory of that write is {@linkplain PooledBuffer#discard discarded}.
 * </ul>
 */
public final class PooledOutputStream extends OutputStream {
    /*
     *                               `through` is null, or the bytes are direct
     *   caller ---> lease (stage) ----------------------------------------------> channel
     *      |              `----> direct lease, for the length of a send --------> channel
     *      `---- more than its size, once the stage is empty: as from the stage -> channel
     *
     * O1  The stage is the lease's buffer. The bytes between `sent` and its position were taken from the caller and not sent.
     * O2  The position of a send's source alone says how much was sent: it moves by what the channel took, also when the write throws. The
     *     direct lease is a copy and never holds a byte that its source does not.
     * O3  Outside a call the lease is held only if something is unsent (leave releases it otherwise).
     * O4  A call that fits takes all of its bytes after the last step that can fail, or none.
     */
    private final WritableByteChannel channel;
    private final StreamLease lease;
    private final @Nullable BufferPool through;

    private int sent;

    /** What the channel threw in this call. */
    private @Nullable Throwable failure;

    /** The exception of a write that may still be in progress. */
    private @Nullable Throwable broken;

    private PooledOutputStream(WritableByteChannel channel, BufferPool pool, BufferPool sending, int size) {
        this.channel = StreamLease.channel(channel);
        this.lease = new StreamLease(pool, size);
        this.through = sending.settings().policy().direct() ? sending : null;
    }

    /**
     * A stream with a buffer of 16 KiB, or of the pool's largest size class if that is smaller, like {@link PooledInputStream}.
     *
     * @param channel the stream's from now on
     * @param pool where the buffer comes from; it stays the caller's
     * @return the stream, which the caller must close
     */
    public static PooledOutputStream to(WritableByteChannel channel, BufferPool pool) {
        return to(channel, pool, StreamLease.usualSize(pool));
    }

    /**
     * A stream with a buffer of at least {@code size} bytes. Nothing is acquired before the first byte is written.
     *
     * @param channel the stream's from now on
     * @param pool where the buffer comes from; it stays the caller's
     * @param size bytes, from 1; more than the pool's largest size class costs a separate region for each buffer
     * @return the stream, which the caller must close
     * @throws IllegalArgumentException when {@code size} is less than 1
     */
    public static PooledOutputStream to(WritableByteChannel channel, BufferPool pool, int size) {
        return to(channel, pool, pool, size);
    }

    /**
     * A staged stream with buffers of 16 KiB, or of the pools' largest size class if that is smaller.
     *
     * @param channel the stream's from now on
     * @param heap the pool of the buffer; it stays the caller's
     * @param direct the pool of the copy that the channel is given; it stays the caller's
     * @return the stream, which the caller must close
     */
    public static PooledOutputStream to(WritableByteChannel channel, BufferPool heap, BufferPool direct) {
        return to(channel, heap, direct, Math.min(StreamLease.usualSize(heap), StreamLease.usualSize(direct)));
    }

    /**
     * A staged stream: gathers in {@code heap}, sends through {@code direct}. If the pools' policies differ from that, no useless copy is
     * made: direct memory is sent as it is, and a second pool of heap memory is not used.
     *
     * @param channel the stream's from now on
     * @param heap the pool of the buffer; it stays the caller's
     * @param direct the pool of the copy that the channel is given; it stays the caller's
     * @param size bytes of each, from 1
     * @return the stream, which the caller must close
     * @throws IllegalArgumentException when {@code size} is less than 1
     */
    public static PooledOutputStream to(WritableByteChannel channel, BufferPool heap, BufferPool direct, int size) {
        return new PooledOutputStream(channel, heap, direct, size);
    }

    /** Takes one byte, after sending the buffered bytes if there is no room. */
    @Override
    public void write(int b) throws IOException {
        enter();
        try {
            room(1).put((byte) b);
        } finally {
            leave();
        }
    }

    /** Takes all these bytes, after sending the buffered ones if there is no room. More than the buffer's size is sent at once. */
    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        enter();
        try {
            if (length > lease.size) {
                sendAfterStage(ByteBuffer.wrap(from, offset, length));
            } else if (length > 0) {
                room(length).put(from, offset, length);
            }
        } finally {
            leave();
        }
    }

    /**
     * Takes the bytes between the buffer's position and limit, as {@link #write(byte[], int, int)} does. The position says how much was
     * taken, also when this throws. The buffer stays the caller's, and may be used again at once, unless the stream is broken.
     *
     * @param from heap or direct memory, of any size
     * @throws IOException from the channel, or because this stream is closed or broken
     */
    public void write(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from, "from");
        enter();
        try {
            int length = from.remaining();
            if (length > lease.size) {
                sendAfterStage(from);
            } else if (length > 0) {
                room(length).put(from);
            }
        } finally {
            leave();
        }
    }

    /** Sends the buffered bytes and releases the lease. When the call throws, nothing is lost. It does not force a file to the device. */
    @Override
    public void flush() throws IOException {
        enter();
        try {
            sendStage(through);
        } finally {
            leave();
        }
    }

    /**
     * Sends the buffered bytes, closes the channel and releases the lease. It does each of these even when an earlier one throws; the first
     * exception then has the later ones suppressed in it. Closing again does nothing. A staged stream that gets no direct lease sends
     * without one. What the channel does not take is lost, as the exception says, so flush a non-blocking channel before.
     *
     * <p>If a call is inside, in another thread or further up in this one, nothing is sent: the channel is closed, and the lease ends when
     * that call leaves, which throws {@link AsynchronousCloseException} if bytes were unsent.
     *
     * @throws IOException from the last write or from the channel's close
     */
    @Override
    public void close() throws IOException {
        if (lease.isClosed()) {
            return;
        }
        try (channel) {
            if (lease.close()) {
                sendLast();
            }
        }
    }

    private void sendLast() throws IOException {
        try {
            if (broken == null) { // else the call that broke it has thrown
                sendStage(through);
            }
        } catch (PoolExhaustedException | IllegalStateException noLease) { // at the cap, or the pool is closed
            sendStage(null);
        } finally {
            lease.end();
        }
    }

    private void enter() throws IOException {
        lease.enter();
        if (broken != null) {
            Throwable cause = broken;
            leave();
            throw new IOException("stream is broken: a write was cut short and may still be going on", cause);
        }
    }

    private void leave() throws AsynchronousCloseException {
        boolean needed = broken == null && unsent() > 0;
        Throwable cause = failure;
        failure = null;
        if (!lease.leave(needed) && needed) {
            AsynchronousCloseException closed = new AsynchronousCloseException();
            closed.initCause(cause);
            throw closed;
        }
    }

    /** Whether a write that was cut short may still be sending what this stream was given. */
    boolean isBroken() {
        return broken != null;
    }

    private int unsent() {
        return lease.buffer == null ? 0 : lease.buffer.position() - sent;
    }

    /** The stage, with room for {@code bytes} bytes, which are at most its size. */
    private ByteBuffer room(int bytes) throws IOException {
        ByteBuffer stage = lease.buffer;
        if (stage == null) {
            sent = 0;
            return lease.cleared();
        }
        if (stage.capacity() - unsent() < bytes) {
            sendStage(through);
        } else if (stage.remaining() < bytes) {
            stage.flip().position(sent).compact();
            sent = 0;
        }
        return stage;
    }

    private void sendAfterStage(ByteBuffer from) throws IOException {
        sendStage(through);
        lease.giveBack(); // or a pool with room for one lease would have none for the copy
        send(from, through);
    }

    private void sendStage(@Nullable BufferPool copies) throws IOException {
        ByteBuffer from = lease.buffer;
        if (from == null) {
            return;
        }
        int end = from.position();
        from.flip().position(sent);
        try {
            send(from, copies);
        } finally {
            sent = from.position();
            from.limit(from.capacity()).position(end);
            if (sent == end) {
                from.clear();
                sent = 0;
            }
        }
    }

    /** Sends all remaining bytes. The position says how much was sent, also when this throws; the limit stays. */
    private void send(ByteBuffer from, @Nullable BufferPool copies) throws IOException {
        if (from.isDirect() || copies == null) {
            sendAsItIs(from);
            return;
        }
        PooledBuffer scratch = copies.acquire(lease.size);
        try {
            ByteBuffer copy = scratch.buffer();
            while (from.hasRemaining()) {
                int first = from.position();
                int n = Math.min(copy.capacity(), from.remaining());
                copy.clear().put(0, from, first, n).limit(n);
                try {
                    sendAsItIs(copy);
                } finally {
                    from.position(first + copy.position());
                }
            }
        } finally {
            if (broken == null) {
                scratch.release();
            } else {
                scratch.discard();
            }
        }
    }

    private void sendAsItIs(ByteBuffer from) throws IOException {
        try {
            StreamLease.writeAll(channel, from);
        } catch (IOException | RuntimeException | Error e) {
            boolean cutShort = StreamLease.mayStillUse(channel, e);
            lease.tainted = cutShort && from == lease.buffer;
            broken = cutShort ? e : null;
            failure = e;
            throw e;
        }
    }
}
