package dev.buffers;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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
public final class PooledBuffer implements AutoCloseable {
    /*
     * Two kinds of lease share this class. The first lease of a tenancy is the slot and the state that its tenancy began
     * with (the stamp); it ends by a compare-and-set on the slot alone, so that a lease which stays in a method needs no
     * object. Further leases have a stamp without FIRST, which is no slot's state while the tenancy lasts nor after it, and
     * an `origin`, the slot's own view, which whoever ends the tenancy puts back into the slot; each ends once by taking
     * that out with get-and-set, and only then drops its hold on the slot.
     *
     * P1  A lease ends at most once: by S1 of Slot for a first lease, by get-and-set on what `origin` has for a further one.
     * P2  A lease that has ended lets go of its view, and of the slot's.
     * P3  On its way to its end a lease is passed to nothing, only what its fields have is, or HotSpot could not remove the
     *     object of one that stays local. That is why the slot's view lies in an object of its own, with the flag that ends a
     *     further lease: a first lease has none, HotSpot knows that once it has removed the object, and what concerns
     *     further leases goes with it.
     *
     *   field          written by                     mode      read by       mode
     *   slot, stamp,   the thread that acquires       plain     anyone who    plain (the lease must be passed on
     *   origin                                                  has it        with a happens-before edge)
     *   what it has    a further lease's end          getAndSet as above      volatile
     *   view           the winner, to null            plain     as above      plain
     */
    private final Slot slot;
    private long stamp;
    private @Nullable ByteBuffer view;
    private @Nullable AtomicReference<@Nullable ByteBuffer> origin;

    /** A first lease, by the thread that began the tenancy, on the view taken out of the slot. */
    PooledBuffer(Slot slot, long stamp, ByteBuffer view) {
        this.slot = slot;
        this.stamp = stamp;
        this.view = view;
    }

    /** A lease that is not open yet: a recycled one, or a further one. */
    PooledBuffer(Slot slot) {
        this.slot = slot;
    }

    /** The slot's recycled lease, for a tenancy that just began. */
    PooledBuffer reopen(long its, ByteBuffer taken) {
        stamp = its;
        view = taken;
        return this;
    }

    Slot slot() {
        return slot;
    }

    /** The state that its tenancy began with, of a first lease. */
    long stamp() {
        return stamp;
    }

    /** By the thread that has just acquired this: what it lends from now on instead of the slot's view. */
    void lend(ByteBuffer other) {
        view = other;
    }

    /** By the thread that holds this first lease: its slot comes back to that channel's lane first, or to none. */
    void returnTo(@Nullable ReturnStack lane) {
        slot.returnStack = lane;
    }

    /**
     * The buffer of this lease: position 0, limit the size asked for, capacity the slot's, big-endian, no mark, when it was
     * acquired; every call gives the same object.
     *
     * @return the buffer, to be used until this lease ends and by one thread at a time
     * @throws IllegalStateException when this lease has ended
     */
    public ByteBuffer buffer() {
        ByteBuffer mine = view;
        if (mine == null || origin == null && !slot.isOpen(stamp)) {
            throw ended(slot, stamp);
        }
        return mine;
    }

    /**
     * The bytes that this lease's buffer can hold, which may be more than were asked for.
     *
     * @return bytes
     * @throws IllegalStateException when this lease has ended
     */
    public int capacity() {
        return buffer().capacity();
    }

    /**
     * Another lease on the same memory, for whoever may still be using it: an I/O in flight, a second reader. Its buffer is
     * a view of its own that starts with this one's position and limit, big-endian. Each of the leases is released once, in
     * any order, and the memory goes back after the last.
     *
     * @return a lease that is the caller's to end
     * @throws IllegalStateException when this lease has ended, or the memory has 32,767 further leases
     */
    public PooledBuffer retain() {
        ByteBuffer mine = buffer();
        ByteBuffer own =
                mine.duplicate().clear().limit(mine.limit()).position(mine.position()); // clear() drops the mark
        return further(own, mine);
    }

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
    public PooledBuffer slice(int index, int length) {
        ByteBuffer mine = buffer();
        if (index < 0 || length < 0 || index > mine.capacity() - length) {
            throw new IndexOutOfBoundsException("slice outside the buffer: index=" + index + ", length=" + length
                    + ", capacity=" + mine.capacity());
        }
        // slice(int, int) checks against the limit, which is not what bounds a lease.
        ByteBuffer part = mine.duplicate().clear().slice(index, length);
        return further(part, mine);
    }

    private PooledBuffer further(ByteBuffer its, ByteBuffer mine) {
        Slot held = slot;
        AtomicReference<@Nullable ByteBuffer> own = origin;
        PooledBuffer lease = new PooledBuffer(held);
        lease.stamp = stamp & ~Slot.FIRST;
        lease.view = its;
        lease.origin = new AtomicReference<>(own == null ? mine : own.get());
        for (; ; ) {
            long now = held.stateVolatile();
            boolean open = own == null
                    ? held.isOpen(stamp)
                    : Slot.sameTenancy(now, stamp) && Slot.isHeld(now) && own.get() != null;
            if (!open) {
                throw ended(slot, stamp);
            }
            if ((now & Slot.HOLDS) == Slot.HOLDS) {
                throw new IllegalStateException("too many leases on one buffer: leases=" + (Slot.HOLDS >> 1));
            }
            if (held.compareAndSetState(now, now + Slot.HOLD)) {
                return lease;
            }
        }
    }

    /**
     * Ends this lease. True when it was the last on its memory, which then went back to the pool.
     *
     * @return whether the memory went back
     * @throws IllegalStateException when this lease had already ended, even while other leases hold the memory: nothing has
     *     then happened, apart from its being counted
     */
    public boolean release() {
        long left = end(0);
        if (left == Slot.NOT_OPEN) {
            throw refused(slot, stamp);
        }
        return !Slot.isHeld(left);
    }

    /** Ends this lease if it is open; does nothing if it has ended. */
    @Override
    public void close() {
        end(0);
    }

    /**
     * Ends this lease, and once the other leases on the memory have ended too, retires the memory instead of reusing it. For
     * an I/O that failed and may still write into it. Counted as discarded.
     *
     * @throws IllegalStateException when this lease had already ended
     */
    public void discard() {
        if (end(Slot.DISCARD) == Slot.NOT_OPEN) {
            throw refused(slot, stamp);
        }
    }

    /**
     * Whether this lease has not ended. Another thread may end it at any time.
     *
     * @return true until {@link #release}, {@link #close} or {@link #discard}
     */
    public boolean isOpen() {
        return view != null && (origin != null || slot.isOpen(stamp));
    }

    /** Ends the lease if it is open: the slot's state without it, with {@code mark} set, or {@link Slot#NOT_OPEN}. */
    private long end(long mark) {
        Slot held = slot;
        long began = stamp;
        ByteBuffer its = view;
        if (its == null) {
            return Slot.NOT_OPEN;
        }
        AtomicReference<@Nullable ByteBuffer> own = origin;
        if (own != null) {
            StackProbe.check(); // between the flag and the hold nothing may be thrown: the slot would be held for ever
            its = own.getAndSet(null);
            if (its == null) {
                return Slot.NOT_OPEN;
            }
        }
        long ended = began - Slot.FIRST | mark;
        if (held.compareAndSetState(began, Slot.afterLast(ended))) { // that of a further lease matches no state
            view = null;
            held.pool().takeBack(held, its, ended);
            return ended;
        }
        long left = held.pool().endSlowly(held, its, began | mark);
        if (left != Slot.NOT_OPEN && (own != null || !held.isRecycled())) {
            view = null; // a recycled first lease may be the next tenancy's already
        }
        return left;
    }

    /** By its slot: a recycled lease that ended before another hold did has still its view. */
    void dropView() {
        view = null;
    }

    private static IllegalStateException refused(Slot slot, long stamp) {
        return slot.pool().refused(slot, stamp);
    }

    private static IllegalStateException ended(Slot slot, long stamp) {
        return slot.pool().ended(slot, stamp);
    }

    @Override
    public String toString() {
        return isOpen()
                ? "PooledBuffer[pool=" + slot.pool().name() + ", capacity=" + slot.size() + "]"
                : "PooledBuffer[ended]";
    }
}
