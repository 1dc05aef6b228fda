// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A lease: a slot in one generation. All leases are of this class, but for those of {@code guard=on}. Any thread. */
public final class Lease extends PooledBuffer {
    /*
     * The first lease of a tenancy consists of the slot and the stamp (the state with which the tenancy began), and knows the magazine that
     * it came from. It ends by a compare-and-set on the slot alone, so a lease that stays in one method needs no object. A further lease
     * has a stamp without FIRST; no slot has such a state during the tenancy or after it. Its `home` is an Origin, which contains the
     * slot's own view; the thread that ends the tenancy puts that view back into the slot.
     *
     * P1  A lease ends at most once: a first lease by S1 of Slot; a further one by the get-and-set that takes the view out of its Origin,
     *     before it drops its hold on the slot.
     * P2  A lease that has ended drops its view and the slot's view.
     * P3  While a lease ends, the lease object is passed to no method; only the values of its fields are. Otherwise HotSpot could not
     *     remove the object of a lease that stays local. For the same reason a further lease has one more object, which holds the slot's
     *     view and the flag that ends it once. A first lease has its magazine in that place, or
     *     the pool's stand-in for one. When HotSpot has removed the lease object, it knows that `home` is no Origin, and removes all code
     *     for further leases too. No open lease of a pool has null there: HotSpot assumes that a value whose class is tested is never null.
     *     Once that has failed in a method, it compiles all exception paths of the method, and they need the lease object.
     * P4  The magazine in `home` has the class of the slot, or is ELSEWHERE. So a release may put the slot into it if it is the magazine of
     *     the current thread.
     *
     *   field             written by                     mode       read by              mode
     *   slot, stamp,      the thread that acquires       plain      any thread that has  plain (the lease must be passed on
     *   home                                                        the lease            with a happens-before edge)
     *   value in Origin   the end of a further lease     getAndSet  as above             volatile
     *   view              the winner, to null            plain      as above             plain
     */
    private final Slot slot;
    private final long stamp;
    private final @Nullable Object home;
    private @Nullable ByteBuffer view;

    /** The slot's own view, until the further lease that has it ends. */
    @SuppressWarnings("serial") // never serialized
    private static final class Origin extends AtomicReference<@Nullable ByteBuffer> {
        Origin(@Nullable ByteBuffer view) {
            super(view);
        }
    }

    /**
     * Makes a first lease. Called by the thread that began the tenancy, with the view taken out of the slot.
     *
     * @param home that thread's magazine of the slot's class; the pool's stand-in without one
     */
    public Lease(Slot slot, long stamp, ByteBuffer view, @Nullable Object home) {
        this.slot = slot;
        this.stamp = stamp;
        this.view = view;
        this.home = home;
    }

    public Slot slot() {
        return slot;
    }

    /** Sets where the slot goes first after its release; null: nowhere special. Called by the thread that holds this first lease. */
    public void returnTo(@Nullable ReturnStack stack) {
        slot.returnStack = stack;
    }

    /** Called by the thread that gives this first lease, which it alone has, to its user. */
    public void handOff() {
        AcquireTrace trace = slot.trace;
        if (trace != null && trace.isOf(stamp)) {
            trace.handOff();
        }
    }

    @Override
    public ByteBuffer buffer() {
        ByteBuffer mine = view;
        if (mine == null || !isCurrent()) {
            throw slot.pool().usedAfterEnd(slot);
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
        // slice(int, int) checks against the limit, but the bound of a lease is its capacity.
        ByteBuffer part = mine.duplicate().clear().slice(index, length);
        return further(part, mine);
    }

    private Lease further(ByteBuffer its, ByteBuffer mine) {
        Slot held = slot;
        Origin own = home instanceof Origin present ? present : null;
        Lease lease = new Lease(held, stamp & ~SlotState.FIRST, its, new Origin(own == null ? mine : own.get()));
        for (; ; ) {
            long now = held.stateVolatile();
            boolean open = own == null
                    ? held.isOpen(stamp)
                    : SlotState.sameTenancy(now, stamp) && SlotState.isHeld(now) && own.get() != null;
            if (!open) {
                throw slot.pool().usedAfterEnd(slot);
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
            throw slot.pool().endedTwice(slot);
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
            throw slot.pool().endedTwice(slot);
        }
    }

    @Override
    public PooledBuffer touch(Object hint) {
        AcquireTrace trace = slot.trace;
        if (view != null && trace != null && trace.isOf(stamp)) {
            try {
                trace.touch(hint);
            } catch (Throwable e) {
                // The hint is lost. All is caught because of P3: otherwise HotSpot keeps a lease that stays local for
                // the handlers of its user.
            }
        }
        return this;
    }

    @Override
    public boolean isOpen() {
        return view != null && isCurrent();
    }

    /** Whether it has not ended, as the word says by which it ends: its Origin or its slot. */
    private boolean isCurrent() {
        return home instanceof Origin own ? own.get() != null : slot.isOpen(stamp);
    }

    /** Ends the lease if it is open. Returns the slot's state without it and with {@code mark} set, or {@link SlotState#NOT_OPEN}. */
    private long end(long mark) {
        Slot held = slot;
        long began = stamp;
        ByteBuffer its = view;
        if (its == null) {
            return SlotState.NOT_OPEN;
        }
        Object from = home;
        Origin own = from instanceof Origin present ? present : null;
        if (own != null) {
            its = own.getAndSet(null);
            if (its == null) {
                return SlotState.NOT_OPEN;
            }
        }
        long ended = began - SlotState.FIRST | mark;
        if (held.compareAndSetState(began, SlotState.endingAfter(ended))) { // that of a further lease matches no state
            view = null;
            held.pool().takeBack(held, its, ended, from);
            return ended;
        }
        long left = held.pool().endSlowly(held, its, began | mark);
        if (left != SlotState.NOT_OPEN) {
            view = null;
        }
        return left;
    }

    @Override
    public String toString() {
        return isOpen()
                ? "PooledBuffer[pool=" + slot.pool().name() + ", capacity=" + slot.size() + "]"
                : "PooledBuffer[ended]";
    }
}
