// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.internal.signals.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One cell of a slab: a ready-made view of its memory, and one {@code long} of state: the generation (raised at the end of each tenancy)
 * and the holds (open leases). A tenancy is the time from one acquire to the last release of a slot.
 *
 * <p>Any thread. Every method is a handful of instructions; none blocks or allocates.
 */
public final class Slot extends PhantomReference<ByteBuffer> implements WaitQueue.Room {
    /*
     *   FREE --acquire--> HELD --last release--> ENDING --view is back--> FREE (next generation)
     *   FREE --revoke--> REVOKED        HELD --lost, discarded--> retired with its slab
     *
     * SlotState defines the bits of the state.
     *
     * S1  A tenancy begins by the compare-and-set FREE -> HELD and ends by the compare-and-set HELD -> ENDING. Each has one winner. The
     *     end raises the generation, so the stamp of an ended tenancy never matches again. A generation that would overflow sets `spent`
     *     instead, and the slot is retired.
     * S2  The view moves. The winner of FREE -> HELD takes it out of the slot, the winner of HELD -> ENDING puts it back and then stores
     *     FREE. During a tenancy nothing in the pool reaches the view. The slot is a PhantomReference of it, so the collector reports a
     *     lost lease.
     * S3  A free slot is listed once: in its slab, a magazine, a depot or a return stack. The list is a hint; the compare-and-set decides.
     *     A thread that wants the memory back revokes the slot by FREE -> REVOKED, wherever it is listed, and then owns the view. The
     *     object stays REVOKED permanently, and the slab cuts a new one. A thread that finds a revoked slot in a list drops it.
     * S4  Between the compare-and-set and the last store of a transition nothing can be thrown: there is no call, or the stack has room
     *     (StackProbe). The one exception is the store of FREE: if the stack overflows there, the slot is lost, as its lease would be.
     *
     *   field        written by                        mode            read by            happens-before edge
     *   state        acquire, FREE -> HELD             compareAndSet   any thread         volatile reads
     *                end of a lease, HELD -> HELD      compareAndSet
     *                  or ENDING
     *                winner of the end, ENDING -> FREE setRelease
     *                revoke, FREE -> REVOKED           compareAndSet
     *                drain, HELD -> HELD               compareAndSet
     *   view         constructor                       plain           winner of          the slab's lock, which publishes the slot
     *                                                                  FREE -> HELD
     *                winner of HELD -> ENDING          plain           winner of          its store of FREE, which the winner's
     *                                                                  FREE -> HELD       compare-and-set reads
     *                winner of FREE -> HELD, to null   plain           winner of          the lease, which is passed on with an edge
     *                                                                  HELD -> ENDING     (or else the slot may be lost, never shared)
     *                winner of FREE -> REVOKED         plain           no thread
     *   next         owner of the slot's place in      plain           next owner         the head of the return stack, a queue of the
     *                a list                                                               depot, or the slab's lock
     *   returnStack  holder of the first lease; the    plain           as view            as view, or as next
     *                thread that ends the tenancy or
     *                lists the slot, to null
     *   trace        thread that begins a tenancy;     plain           reports, in a      none: a trace can be read in a race, and says
     *                to null by its slab's owner                       race               of which tenancy it is
     */
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Slot.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        link();
    }

    public final Slab slab;
    public final int index;

    /** The return stack to which this tenancy's slot goes back; null for none. */
    public @Nullable ReturnStack returnStack;

    /** The trace of some tenancy, perhaps not the present one; none while the slot is in its slab. */
    public @Nullable AcquireTrace trace;

    /** The next of several free slots that lie together in a list; null for a slot by itself. */
    public @Nullable Slot next;

    private volatile long state;

    /** Null during a tenancy. A field without accessors, so that it is taken without a call that could overflow the stack (S4). */
    public @Nullable ByteBuffer view;

    public Slot(Slab slab, int index, ByteBuffer view, ReferenceQueue<? super ByteBuffer> lost) {
        super(view, lost);
        this.slab = slab;
        this.index = index;
        this.view = view;
    }

    /** Links the calls that begin and end a tenancy: later that might fail in its midst, or happen under a monitor. */
    @SuppressWarnings("NullAway") // it belongs to no slab
    private static void link() {
        ByteBuffer view = ByteBuffer.allocate(0);
        Slot any = new Slot(null, 0, view, new ReferenceQueue<>());
        any.begin();
        any.endUnused(view);
    }

    public long stateVolatile() {
        return state;
    }

    boolean compareAndSetState(long expected, long value) {
        return STATE.compareAndSet(this, expected, value);
    }

    /** Begins a tenancy and leaves the view in the slot, where the stack has room for what follows. False when the slot was revoked. */
    @Override
    public boolean begin() {
        return begin(SlotState.stampAfter(state));
    }

    /**
     * Begins a tenancy with this stamp. False when the slot was revoked. The caller takes the view out of the slot before its next call.
     *
     * @param stamp as {@link SlotState#stampAfter} gives it for the slot's state
     */
    public boolean begin(long stamp) {
        return STATE.compareAndSet(this, stamp ^ SlotState.FIRST, stamp);
    }

    /** Called by the winner of {@link #begin}: overwrites the memory with zeros. */
    public void erase() {
        Eraser.erase(Objects.requireNonNull(view));
    }

    /**
     * Called by the thread that has ended a tenancy in the state {@code held}: puts the view back and makes the slot free.
     *
     * @param its the slot's own view
     */
    public void free(ByteBuffer its, long held) {
        long free = SlotState.freeAfter(held);
        view = its;
        try {
            STATE.setRelease(this, free);
        } catch (Throwable e) {
            view = null; // the collector finds that the slot is lost
            throw e;
        }
    }

    /** Ends a tenancy whose lease was not made; its view is in the slot, or in {@code its}. Returns the state that it ended. */
    public long endUnused(@Nullable ByteBuffer its) {
        long held = state;
        while (!STATE.compareAndSet(this, held, SlotState.endingAfter(held))) {
            held = state; // DRAIN was set a moment ago
        }
        free(its != null ? its : Objects.requireNonNull(view), held);
        return held;
    }

    /** Takes a free slot away from its list, for good. False when it is not free. */
    boolean revoke() {
        long free = state;
        return SlotState.isFree(free) && STATE.compareAndSet(this, free, free | SlotState.REVOKED);
    }

    /** Whether the first lease with this stamp is open. */
    boolean isOpen(long stamp) {
        return SlotState.isFirst(stateVolatile(), stamp);
    }

    /**
     * Ends the lease of that stamp in whatever state the slot is. A first lease ends only if it is open; for a further lease, only the
     * thread that has won that lease's own flag may call this. {@link SlotState#DISCARD} in the stamp marks the slot as discarded.
     *
     * @return the state without that lease ({@link SlotState#isHeld} says whether others hold the slot), or {@link SlotState#NOT_OPEN}
     */
    public long endHold(long stamp) {
        boolean first = (stamp & SlotState.FIRST) != 0;
        for (; ; ) {
            long now = state;
            if (first && !SlotState.isFirst(now, stamp)) {
                return SlotState.NOT_OPEN;
            }
            long left = now - (first ? SlotState.FIRST : SlotState.HOLD) | stamp & SlotState.DISCARD;
            if (STATE.compareAndSet(this, now, SlotState.isHeld(left) ? left : SlotState.endingAfter(left))) {
                return left;
            }
        }
    }

    /** Called by any thread: the release that ends the present tenancy will return the slot to its slab. */
    public void drain() {
        long now = state;
        while (SlotState.isHeld(now)
                && !SlotState.isDraining(now)
                && !STATE.compareAndSet(this, now, now | SlotState.DRAIN)) {
            now = state;
        }
    }

    /** Removes every reference to the region. Called by the thread that has revoked or retired the slot, or dissolves its slab. */
    public void detach() {
        clear();
        view = null;
        trace = null;
    }

    public static int count(@Nullable Slot first) {
        int n = 0;
        for (Slot slot = first; slot != null; slot = slot.next) {
            n++;
        }
        return n;
    }

    @Override
    public int size() {
        return slab.slotSize;
    }

    @Override
    public int sizeClass() {
        return slab.sizeClass;
    }

    @Override
    public void link(WaitQueue.@Nullable Room after) {
        next = (Slot) after;
    }

    public SlotOwner pool() {
        return slab.pool;
    }
}
