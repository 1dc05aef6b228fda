// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * The buffers that one connection keeps between its readiness events: its read buffer, and a few buffers that came back to it.
 *
 * <pre>{@code
 * ChannelBuffers buffers = pool.channel(); // for one connection
 *
 * buffers.readFrom(socket); // into the input, which grows when it is full
 * ByteBuffer input = buffers.input().flip();
 * parse(input);
 * input.compact(); // keeps the unread bytes
 * buffers.idle(); // gives back the input if all its bytes are read
 * }</pre>
 *
 * <p><b>Threads.</b> One at a time: the thread that serves the channel. Passing it to another thread needs a happens-before edge, as a
 * selector or a queue gives. The leases that it gives out may be released by any thread.
 *
 * <p><b>Ownership.</b> The buffer of {@link #input} stays this object's. The caller of {@link #handOffInput} or {@link #acquire} owns the
 * lease and ends it exactly once; its memory comes back here first. {@link #close} gives back the memory held here, but ends no lease that
 * was given out.
 *
 * <p><b>Cost.</b> {@code input()} of a busy channel is a field read. After {@link #idle} a channel with nothing unread holds no slot, and
 * at most 80 bytes.
 */
public abstract class ChannelBuffers implements AutoCloseable {
    /** For the pool, and for a fake of one in tests. */
    protected ChannelBuffers() {}

    /**
     * {@return the channel's read buffer in fill mode: the bytes before its position are unread} Flip, parse and compact it as any buffer,
     * and leave it in fill mode. Its size follows what {@link #readFrom} has seen. Other calls of this object may replace it: ask again
     * after them.
     *
     * @throws PoolExhaustedException when no buffer is held and the pool is at its cap
     * @throws IllegalStateException when no buffer is held and this object or the pool is closed
     */
    public abstract ByteBuffer input();

    /**
     * {@return the channel's read buffer as {@link #input()} gives it, with at least {@code room} bytes remaining} The buffer grows to hold
     * them, by copying the unread bytes into a larger one. Nothing is lost when that fails.
     *
     * @param room bytes, from 0
     * @throws IllegalArgumentException when {@code room} is negative, or exceeds the pool's largest size class together with the unread
     *     bytes
     * @throws PoolExhaustedException when it must grow and the pool is at its cap
     * @throws IllegalStateException when it needs memory and this object or the pool is closed
     */
    public abstract ByteBuffer input(int room);

    /**
     * Reads the channel once into {@link #input}. If the input is full, it is made larger first, by copying the unread bytes, up to the
     * setting {@code max-input} or the limit of this channel, rounded up to a size class. Later inputs take their size from such reads,
     * but the limit holds for each message, whatever came before. A {@code DatagramChannel} cuts a datagram that is longer than the room
     * of the input: ask for {@link #input(int) room} before.
     *
     * @param channel is read once, and does not use the buffer after that; this call blocks if the channel does
     * @return what the channel's read returned: bytes, 0, or -1 at its end
     * @throws IOException what the channel throws
     * @throws PoolExhaustedException when no input is held or it must grow, and the pool is at its cap; no unread byte is lost
     * @throws IllegalStateException when the input is full and as large as it may be, because a silent 0 would make the selector spin:
     *     parse and compact, hand off, or ask for {@link #input(int) more room}. Also when the input was left flipped, and when memory is
     *     needed and this object or the pool is closed. A full input that was flipped (position 0, limit = capacity) looks like a cleared
     *     one: the read overwrites its bytes.
     */
    public abstract int readFrom(ReadableByteChannel channel) throws IOException;

    /**
     * Gives all unread bytes, flipped, as a lease for a worker. This channel takes another buffer for its next input. Copies nothing.
     *
     * @return a lease that the caller must end, by any thread
     * @throws IllegalStateException when nothing is unread
     */
    public abstract PooledBuffer handOffInput();

    /**
     * Gives the first {@code n} unread bytes as a lease for a worker. The rest is copied into another buffer and stays unread. Nothing is
     * lost when that fails.
     *
     * @param n bytes
     * @return a lease that the caller must end, by any thread
     * @throws IllegalArgumentException when {@code n} is not in {@code 1..unread}
     * @throws PoolExhaustedException when there is a rest and the pool is at its cap
     */
    public abstract PooledBuffer handOffInput(int n);

    /**
     * A lease as {@link BufferPool#acquire} gives it, whose memory comes back to this channel first.
     *
     * @param size bytes, as for the pool
     * @return a lease that the caller must end, by any thread
     * @throws PoolExhaustedException at the cap, as {@code BufferPool.acquire}
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when this object or the pool is closed
     */
    public abstract PooledBuffer acquire(int size);

    /** Gives back everything that holds no unread bytes. Call it when the channel has nothing to do. */
    public abstract void idle();

    /** Gives everything back, unread bytes too. Closing again does nothing. */
    @Override
    public abstract void close();
}
