package dev.buffers;

import java.nio.ByteBuffer;

/**
 * A lease: the right to use one pooled buffer until it is released.
 *
 * <p><b>Ownership.</b> Whoever holds the lease must end it, exactly once, by {@link #release}, {@link #close} or {@link
 * #discard}; from any thread. The memory goes back when the last lease on it has ended. After that the {@code ByteBuffer}
 * is the next holder's memory: do not keep it.
 *
 * <p><b>Threads.</b> Ending a lease is exact, whatever threads try: one of them ends it. The buffer itself is as
 * thread-safe as any {@code ByteBuffer}, that is, not at all. What a thread did with the buffer before it released the lease
 * happens-before what the next holder does with it.
 *
 * <p><b>Cost.</b> Some nanoseconds for each method; none blocks. {@link #retain} and {@link #slice} make three small objects.
 */
public abstract class PooledBuffer implements AutoCloseable {
    /** For the pool, and for a fake of one in tests. */
    protected PooledBuffer() {}

    /**
     * The buffer of this lease: position 0, limit the size asked for, capacity the slot's, big-endian, no mark, when it was
     * acquired; every call gives the same object.
     *
     * @return the buffer, to be used until this lease ends and by one thread at a time
     * @throws IllegalStateException when this lease has ended
     */
    public abstract ByteBuffer buffer();

    /**
     * The bytes that this lease's buffer can hold, which may be more than were asked for.
     *
     * @return bytes
     * @throws IllegalStateException when this lease has ended
     */
    public abstract int capacity();

    /**
     * Another lease on the same memory, for whoever may still be using it: an I/O in flight, a second reader. Its buffer is
     * a view of its own that starts with this one's position and limit, big-endian. Each of the leases is released once, in
     * any order, and the memory goes back after the last.
     *
     * @return a lease that is the caller's to end
     * @throws IllegalStateException when this lease has ended, or the memory has 32,767 further leases
     */
    public abstract PooledBuffer retain();

    /**
     * Another lease, as {@link #retain} makes it, on a part of this one's memory: {@code length} bytes from {@code index},
     * whatever this buffer's position and limit are. The part cannot be widened.
     *
     * @param index of the part's first byte, from 0
     * @param length of the part, in bytes
     * @return a lease that is the caller's to end, its buffer at position 0 and with the limit {@code length}
     * @throws IndexOutOfBoundsException when that is not a part of {@code 0..capacity()}
     * @throws IllegalStateException as for {@link #retain}
     */
    public abstract PooledBuffer slice(int index, int length);

    /**
     * Ends this lease. True when it was the last on its memory, which then went back to the pool.
     *
     * @return whether the memory went back
     * @throws IllegalStateException when this lease had already ended, even while other leases hold the memory: nothing has
     *     then happened, apart from its being counted
     */
    public abstract boolean release();

    /** Ends this lease if it is open; does nothing if it has ended. */
    @Override
    public abstract void close();

    /**
     * Ends this lease, and once the other leases on the memory have ended too, retires the memory instead of reusing it. For
     * an I/O that failed and may still write into it. Counted as discarded.
     *
     * @throws IllegalStateException when this lease had already ended
     */
    public abstract void discard();

    /**
     * Whether this lease has not ended. Another thread may end it at any time.
     *
     * @return true until {@link #release}, {@link #close} or {@link #discard}
     */
    public abstract boolean isOpen();
}
