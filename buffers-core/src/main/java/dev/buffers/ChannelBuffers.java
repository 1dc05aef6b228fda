package dev.buffers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * What one connection keeps between its readiness events: its read buffer, and a few buffers that came back to it.
 *
 * <p><b>Threads.</b> One at a time: the thread that serves the channel. Passing it to another needs a happens-before edge, as
 * handing it through a selector or a queue gives. The leases that it gives out may be released by any thread.
 *
 * <p><b>Ownership.</b> The buffer of {@link #input} stays this object's. Leases of {@link #handOffInput} and {@link #acquire}
 * are the caller's, who ends each exactly once; their memory comes back here first. {@link #close} ends what is held here, not
 * leases that are out.
 *
 * <p><b>Cost.</b> {@code input()} of a busy channel is a field read. After {@link #idle} a channel with nothing unread holds no
 * slot, and at most 80 bytes.
 */
public abstract class ChannelBuffers implements AutoCloseable {
    /** For the pool, and for a fake of one in tests. */
    protected ChannelBuffers() {}

    /**
     * The channel's read buffer in fill mode: what lies before its position is unread. Flip, parse and compact it as any
     * buffer, and leave it in fill mode. Its size follows what {@link #readFrom} has seen. Other calls here may put another in its
     * place: ask again after them.
     *
     * @return the read buffer, in fill mode
     * @throws PoolExhaustedException when it holds none and the pool is at its cap
     * @throws IllegalStateException when it holds none and this is closed, or the pool
     */
    public abstract ByteBuffer input();

    /**
     * The same with at least {@code room} bytes remaining: grows by copying what is unread into a larger buffer. Nothing is
     * lost when that fails.
     *
     * @param room bytes, from 0
     * @return the read buffer, in fill mode
     * @throws IllegalArgumentException when {@code room} is negative, or with what is unread more than the pool's largest size
     *     class
     * @throws PoolExhaustedException when it must grow and the pool is at its cap
     * @throws IllegalStateException when it needs memory and this is closed, or the pool
     */
    public abstract ByteBuffer input(int room);

    /**
     * One read of the channel into {@link #input}, from which later inputs learn their size.
     *
     * @param channel which is read once; blocks if it does
     * @return what the channel's read returned: bytes, 0, or -1 at its end
     * @throws IOException what the channel throws
     * @throws PoolExhaustedException when no input is held and the pool is at its cap
     * @throws IllegalStateException when the input is full: a silent 0 would spin the selector. Parse and compact, hand off, or
     *     ask for {@link #input(int) more room}. Also when none is held and this is closed, or the pool.
     */
    public abstract int readFrom(ReadableByteChannel channel) throws IOException;

    /**
     * All that is unread, flipped, as a lease for a worker. This channel takes another buffer for its next input. Copies nothing.
     *
     * @return a lease that is the caller's to end, by any thread
     * @throws IllegalStateException when nothing is unread
     */
    public abstract PooledBuffer handOffInput();

    /**
     * The first {@code n} unread bytes as a lease for a worker; the rest stays unread, copied into another buffer. Nothing is
     * lost when that fails.
     *
     * @param n bytes
     * @return a lease that is the caller's to end, by any thread
     * @throws IllegalArgumentException when {@code n} is not in {@code 1..unread}
     * @throws PoolExhaustedException when there is a rest and the pool is at its cap
     */
    public abstract PooledBuffer handOffInput(int n);

    /**
     * A lease as {@link BufferPool#acquire} gives it, whose memory comes back to this channel first.
     *
     * @param size bytes, as for the pool
     * @return a lease that is the caller's to end, by any thread
     * @throws PoolExhaustedException at the cap, as {@code BufferPool.acquire}
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when this is closed, or the pool
     */
    public abstract PooledBuffer acquire(int size);

    /** Gives back everything that holds no unread bytes. Call it when the channel has nothing to do. */
    public abstract void idle();

    /** Gives everything back, what is unread too. Closing again does nothing. */
    @Override
    public abstract void close();
}
