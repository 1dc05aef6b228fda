// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import java.nio.ByteBuffer;

/**
 * A lease: the right to use one pooled buffer until it is released.
 *
 * <pre>{@code
 * PooledBuffer lease = pool.acquire(1024);
 * lease.buffer().put(message);
 * PooledBuffer head = lease.slice(0, 16); // another lease, on the first 16 bytes
 * lease.release(); // false: the memory is still leased
 * head.release(); // true: it goes back to the pool
 * }</pre>
 *
 * <p><b>Ownership.</b> The holder of the lease must end it, exactly once, by {@link #release}, {@link #close} or {@link #discard}, from any
 * thread. The memory goes back when the last lease on it has ended. After that the {@code ByteBuffer} is the next holder's memory: do not
 * keep it.
 *
 * <p><b>Threads.</b> A lease ends exactly once, even when several threads try to end it. Like any {@code ByteBuffer}, the buffer itself is
 * not thread-safe. A thread's use of the buffer before it releases the lease happens-before the next holder's use.
 *
 * <p><b>Cost.</b> Some nanoseconds for each method; none waits for another thread. A release that makes room runs the wake-ups that wait
 * for it, and with {@code free=prompt} the last release of a region may close its arena, which takes microseconds to milliseconds. {@link
 * #retain} and {@link #slice} make three small objects.
 */
public abstract class PooledBuffer implements AutoCloseable {
    /** For the pool, and for a fake of one in tests. */
    protected PooledBuffer() {}

    /**
     * The buffer of this lease. After the acquire it has position 0, the size asked for as its limit, the slot's capacity, big-endian order
     * and no mark. Every call gives the same object.
     *
     * @return the buffer, to be used until this lease ends and by one thread at a time
     * @throws IllegalStateException when this lease has ended
     */
    public abstract ByteBuffer buffer();

    /**
     * {@return how many bytes this lease's buffer can hold, which may be more than were asked for}
     *
     * @throws IllegalStateException when this lease has ended
     */
    public abstract int capacity();

    /**
     * Another lease on the same memory, for another user of it: an I/O in flight, a second reader. It has a separate view, which starts
     * with this buffer's position and limit, big-endian. Each lease is released once, in any order, and the memory goes back after the
     * last.
     *
     * @return a lease that the caller must end
     * @throws IllegalStateException when this lease has ended, or the memory has 32,767 further leases
     */
    public abstract PooledBuffer retain();

    /**
     * Another lease, as {@link #retain} makes it, on a part of this one's memory: {@code length} bytes from {@code index}, whatever this
     * buffer's position and limit are. The part cannot be widened.
     *
     * @param index of the part's first byte, from 0
     * @param length of the part, in bytes
     * @return a lease that the caller must end, its buffer at position 0 and with the limit {@code length}
     * @throws IndexOutOfBoundsException when that is not a part of {@code 0..capacity()}
     * @throws IllegalStateException as for {@link #retain}
     */
    public abstract PooledBuffer slice(int index, int length);

    /**
     * Ends this lease. If it was the last on its memory, the memory goes back to the pool.
     *
     * @return whether the memory went back
     * @throws IllegalStateException when this lease had already ended, even while other leases hold the memory: then nothing has happened,
     *     except that the call was counted
     */
    public abstract boolean release();

    /** Ends this lease if it is open; does nothing if it has ended. */
    @Override
    public abstract void close();

    /**
     * Ends this lease. When the other leases on the memory have ended too, the memory is never used again. For an I/O that
     * failed and may still write into it. Counted as discarded.
     *
     * <p>With arenas ({@code free=prompt}, or {@code guard=on} from Java 22 on) the memory goes back to the system once the other leases in its
     * region have ended and no channel of the JDK is using it. There, native code that has its address needs a lease by {@link #retain}.
     *
     * @throws IllegalStateException when this lease had already ended
     */
    public abstract void discard();

    /**
     * Records for leak reports which step this lease has reached: {@link LeakReport.Acquisition#touches} gets the hint, the time and the
     * thread. For the lease and all its further ones together, the latest eight are kept. Does nothing on a lease that has ended, and
     * nothing when the setting {@code leaks} keeps no stack of this lease: then it costs one comparison, and {@code hint} is not looked at.
     *
     * @param hint such as the name of a step; its {@code toString} is called at once, and the object is not kept
     * @return this
     */
    public PooledBuffer touch(Object hint) {
        return this;
    }

    /** {@return whether this lease has not ended} Another thread may end it at any time. */
    public abstract boolean isOpen();
}
