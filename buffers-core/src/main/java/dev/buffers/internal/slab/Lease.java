package dev.buffers.internal.slab;

import dev.buffers.PooledBuffer;
import dev.buffers.internal.failsafe.StackProbe;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A slot at one generation: the one kind of lease that there is. Any thread. */
public final class Lease extends PooledBuffer {
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
    public Lease(Slot slot, long stamp, ByteBuffer view) {
        this.slot = slot;
        this.stamp = stamp;
        this.view = view;
    }

    /** A lease that is not open yet: a recycled one, or a further one. */
    Lease(Slot slot) {
        this.slot = slot;
    }

    /** The slot's recycled lease, for a tenancy that just began. */
    public Lease reopen(long its, ByteBuffer taken) {
        stamp = its;
        view = taken;
        return this;
    }

    public Slot slot() {
        return slot;
    }

    /** The state that its tenancy began with, of a first lease. */
    public long stamp() {
        return stamp;
    }

    /** By the thread that has just acquired this: what it lends from now on instead of the slot's view. */
    public void lend(ByteBuffer other) {
        view = other;
    }

    /** By the thread that holds this first lease: its slot comes back to that channel's lane first, or to none. */
    public void returnTo(@Nullable ReturnStack lane) {
        slot.returnStack = lane;
    }

    @Override
    public ByteBuffer buffer() {
        ByteBuffer mine = view;
        if (mine == null || origin == null && !slot.isOpen(stamp)) {
            throw ended(slot, stamp);
        }
        return mine;
    }

    @Override
    public int capacity() {
        return buffer().capacity();
    }

    @Override
    public PooledBuffer retain() {
        ByteBuffer mine = buffer();
        ByteBuffer own =
                mine.duplicate().clear().limit(mine.limit()).position(mine.position()); // clear() drops the mark
        return further(own, mine);
    }

    @Override
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

    private Lease further(ByteBuffer its, ByteBuffer mine) {
        Slot held = slot;
        AtomicReference<@Nullable ByteBuffer> own = origin;
        Lease lease = new Lease(held);
        lease.stamp = stamp & ~SlotState.FIRST;
        lease.view = its;
        lease.origin = new AtomicReference<>(own == null ? mine : own.get());
        for (; ; ) {
            long now = held.stateVolatile();
            boolean open = own == null
                    ? held.isOpen(stamp)
                    : SlotState.sameTenancy(now, stamp) && SlotState.isHeld(now) && own.get() != null;
            if (!open) {
                throw ended(slot, stamp);
            }
            if ((now & SlotState.HOLDS) == SlotState.HOLDS) {
                throw new IllegalStateException("too many leases on one buffer: leases=" + (SlotState.HOLDS >> 1));
            }
            if (held.compareAndSetState(now, now + SlotState.HOLD)) {
                return lease;
            }
        }
    }

    @Override
    public boolean release() {
        long left = end(0);
        if (left == SlotState.NOT_OPEN) {
            throw refused(slot, stamp);
        }
        return !SlotState.isHeld(left);
    }

    @Override
    public void close() {
        end(0);
    }

    @Override
    public void discard() {
        if (end(SlotState.DISCARD) == SlotState.NOT_OPEN) {
            throw refused(slot, stamp);
        }
    }

    @Override
    public boolean isOpen() {
        return view != null && (origin != null || slot.isOpen(stamp));
    }

    /** Ends the lease if it is open: the slot's state without it, with {@code mark} set, or {@link SlotState#NOT_OPEN}. */
    private long end(long mark) {
        Slot held = slot;
        long began = stamp;
        ByteBuffer its = view;
        if (its == null) {
            return SlotState.NOT_OPEN;
        }
        AtomicReference<@Nullable ByteBuffer> own = origin;
        if (own != null) {
            StackProbe.check(); // between the flag and the hold nothing may be thrown: the slot would be held for ever
            its = own.getAndSet(null);
            if (its == null) {
                return SlotState.NOT_OPEN;
            }
        }
        long ended = began - SlotState.FIRST | mark;
        if (held.compareAndSetState(began, SlotState.afterLast(ended))) { // that of a further lease matches no state
            view = null;
            held.pool().takeBack(held, its, ended);
            return ended;
        }
        long left = held.pool().endSlowly(held, its, began | mark);
        if (left != SlotState.NOT_OPEN && (own != null || !held.isRecycled())) {
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
