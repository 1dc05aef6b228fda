package dev.buffers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One cell of a slab: a ready-made view, and one {@code long} that says which generation it is in and who holds it.
 *
 * <p>Any thread. Every method is a handful of instructions; none blocks or allocates.
 */
final class Slot extends PhantomReference<ByteBuffer> {
    /*
     * state:   63         62 .. 18        17        16       15 .. 1        0
     *        +---------+---------------+---------+-------+--------------+-------+
     *        | spent   | generation    | discard | drain | further holds| first |
     *        +---------+---------------+---------+-------+--------------+-------+
     *
     * A slot is free when first and further are zero. The first lease of a tenancy carries the whole state it began with
     * (its stamp), so that its release is one compare-and-set from exactly that. Further leases (retain, slice) are
     * counted; each has a one-shot flag of its own (PooledBuffer).
     *
     * The view moves. While the slot is free, `view` holds it; the tenancy's leases hold it otherwise, and then nothing of
     * the pool reaches it: this reference is a phantom of the view, so a tenancy that the collector ends is heard of.
     *
     * S1  A tenancy ends exactly once: only the compare-and-set that takes the last hold away may end it, and it raises
     *     the generation, so that a stamp of an ended tenancy never matches again. The generation that would wrap
     *     sets `spent`, and its slot is retired.
     * S2  Only the winner of S1 puts the view back, and does so before the slot is handed on. (The other order would let
     *     the loser of a double release overwrite the next holder's view.)
     * S3  A free slot is owned by whoever took it from a magazine, depot, return lane or slab. The owner begins a tenancy
     *     without an atomic step: it writes the state, then reads the view. Whoever wants a free slot back that it does
     *     not own takes the view by get-and-set, and believes that it has it only when the state, read a while later, is
     *     still the one it saw (Revocation). The owner that reads null abandons the slot and takes another: the object is a
     *     revoked slot from then on. This asks for more than the memory model promises: that an opaque store stays before a
     *     later opaque load in the compiled code (HotSpot keeps them so), and that a store buffer drains within that while.
     * S4  Whatever is thrown, and wherever, a slot ends in one of three conditions, from each of which its memory comes back:
     *       free, view in it, in nobody's hands     revoke finds it in its slab
     *       free, view gone                         its releaser failed before S2; the phantom tells, and it is lost
     *       held, view gone                         the lease was never made, or forgotten; the phantom tells, and it is lost
     *     It is never held with its view in it and nobody about to take that: both steps of S3 are in one method, which
     *     undoes the first if the second cannot be called. An acquire is counted by the frame that has just received the
     *     view, a release by the frame that has just put it back: with no call between the two, nothing can be thrown there.
     *
     * Reads are volatile, which costs nothing more where it matters and keeps the code of a hit small (a VarHandle call is
     * some 250 bytecodes to inline, and 8,000 are all that HotSpot takes); writes say their mode.
     *
     *   field    written by            mode            read by
     *   state    owner of a free slot  opaque          leases, Revocation, tick
     *            any lease, tick       compareAndSet
     *   view     winner of S1          release         owner of a free slot
     *            owner, to null        opaque
     *            Revocation, forget()      getAndSet
     *            Revocation                compareAndSet, to put it back
     *   next     who owns the slot     plain           who owns it next (published with the return lane's head)
     *   lane     who owns the slot,    plain           who ends the tenancy, owns it next
     *            or its first lease
     *   trace    who begins a tenancy  plain           reports and Guard, in a race: it says of which tenancy it is
     */
    static final long FIRST = 1;
    static final long HOLD = 2;
    static final long HOLDS = 0xFFFE;
    static final long HELD = FIRST | HOLDS;
    static final long DRAIN = 1L << 16;
    static final long DISCARD = 1L << 17;
    static final long GENERATION = 1L << 18;
    static final long SPENT = 1L << 63;

    /** No state that a lease leaves behind. */
    static final long NOT_OPEN = -1;

    /** Everything but the generation. */
    private static final long IN_TENANCY = GENERATION - 1;

    private static final VarHandle STATE;
    private static final VarHandle VIEW;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Slot.class, "state", long.class);
            VIEW = lookup.findVarHandle(Slot.class, "view", ByteBuffer.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Slab slab;
    final int index;

    /** With {@code leases=recycled}, the lease that every tenancy of this slot uses. */
    private final @Nullable PooledBuffer recycled;

    /** Where this tenancy comes back to; kept by the owner of the slot. */
    @Nullable ReturnStack returnStack;

    /** What is kept of some tenancy, perhaps not the present one; by who begins a tenancy. */
    @Nullable AcquireTrace trace;

    /** The slot below this one in a return lane, or in a channel's own stack. */
    @Nullable Slot next;

    private volatile long state;

    private volatile @Nullable ByteBuffer view;

    Slot(Slab slab, int index, ByteBuffer view, ReferenceQueue<? super ByteBuffer> lost, boolean recycled) {
        super(view, lost);
        this.slab = slab;
        this.index = index;
        this.recycled = recycled ? new PooledBuffer(this) : null;
        this.view = view;
    }

    long stateVolatile() {
        return state;
    }

    void stateOpaque(long value) {
        STATE.setOpaque(this, value);
    }

    boolean compareAndSetState(long expected, long value) {
        return STATE.compareAndSet(this, expected, value);
    }

    @Nullable ByteBuffer viewVolatile() {
        return view;
    }

    void viewRelease(@Nullable ByteBuffer value) {
        VIEW.setRelease(this, value);
    }

    boolean compareAndSetView(@Nullable ByteBuffer expected, @Nullable ByteBuffer value) {
        return VIEW.compareAndSet(this, expected, value);
    }

    @Nullable ByteBuffer getAndSetView(@Nullable ByteBuffer value) {
        return (ByteBuffer) VIEW.getAndSet(this, value);
    }

    /**
     * By the owner of a free slot: begins a tenancy and takes the view out of the slot. Null when the slot's memory was taken
     * back meanwhile (S3): the slot is then empty and revoked, free in the same generation, and abandoned. When the stack has no
     * room for the steps, nothing has begun, and the slot is nobody's, its view in it (S4).
     */
    @Nullable ByteBuffer beginAndTake() {
        long before = state;
        try {
            STATE.setOpaque(this, before | FIRST);
            ByteBuffer taken = view;
            if (taken == null) {
                abandon();
                return null;
            }
            VIEW.setOpaque(this, (ByteBuffer) null);
            return taken;
        } catch (StackOverflowError e) {
            state = before; // a store needs no stack
            throw e;
        }
    }

    /** By the owner who finds no view, whether a tenancy has just begun or not: drops the slot, and says that it is nobody's. */
    private void abandon() {
        stateOpaque(state & ~FIRST | DRAIN);
    }

    /** By the owner: whether the slot is a revoked slot by now, and dropped for it. After a false only {@link #beginAndTake} knows. */
    boolean abandonIfRevoked() {
        if (view != null) {
            return false;
        }
        abandon();
        return true;
    }

    /** By the owner of a tenancy whose lease was never made: ends it, before the view goes back. Says in what state it was. */
    long endUnused() {
        long held = state;
        while (!STATE.compareAndSet(this, held, afterLast(held))) {
            held = state; // it drains, since a moment ago
        }
        return held;
    }

    /** The same, with its view, which goes back. */
    void endUnused(ByteBuffer its) {
        endUnused();
        viewRelease(its);
    }

    /** Whether {@code stamp}, the state that a tenancy's first lease began with, still names a lease that is open. */
    boolean isOpen(long stamp) {
        return isFirst(stateVolatile(), stamp);
    }

    /**
     * Ends the lease of that stamp, however the slot stands: a first one if it is open, a further one by who may. With
     * {@link #DISCARD} in the stamp the slot is marked so.
     *
     * @return the state without that lease, of which {@link #isHeld} says whether others hold the slot; or {@link #NOT_OPEN}
     */
    long endHold(long stamp) {
        boolean first = (stamp & FIRST) != 0;
        for (; ; ) {
            long now = state;
            if (first && !isFirst(now, stamp)) {
                return NOT_OPEN;
            }
            long left = now - (first ? FIRST : HOLD) | stamp & DISCARD;
            if (STATE.compareAndSet(this, now, isHeld(left) ? left : afterLast(left))) {
                return left;
            }
        }
    }

    /** Whether {@code state} is of the tenancy that began with {@code stamp}, and its first lease is open. */
    static boolean isFirst(long state, long stamp) {
        return ((state ^ stamp) & (~IN_TENANCY | FIRST)) == 0;
    }

    /** The state after the last hold of the tenancy {@code held} has gone: free, one generation on. */
    static long afterLast(long held) {
        return (held & ~IN_TENANCY) + GENERATION;
    }

    /** Whether a tenancy that ends in the state {@code held} ends as most do: neither drained, nor discarded, nor the last. */
    static boolean endsPlainly(long held) {
        return ((held | afterLast(held)) & (DISCARD | DRAIN | SPENT)) == 0;
    }

    /** Whether a tenancy that ends in the state {@code held} is the slot's last: discarded, or its generation would wrap. */
    static boolean endsForGood(long held) {
        return ((held | afterLast(held)) & (DISCARD | SPENT)) != 0;
    }

    static boolean isDiscarded(long held) {
        return (held & DISCARD) != 0;
    }

    static boolean isDraining(long held) {
        return (held & DRAIN) != 0;
    }

    /** Whether a slot in this state was dropped by its owner, who found that its view had been taken. */
    static boolean isAbandoned(long state) {
        return !isHeld(state) && isDraining(state);
    }

    static boolean isHeld(long state) {
        return (state & HELD) != 0;
    }

    static boolean sameTenancy(long one, long other) {
        return ((one ^ other) & ~IN_TENANCY) == 0;
    }

    /** By anyone: makes the release that ends the present tenancy bring the slot home. */
    void drain() {
        long now = state;
        while (isHeld(now) && !isDraining(now) && !STATE.compareAndSet(this, now, now | DRAIN)) {
            now = state;
        }
    }

    /** Reaches its region no more. */
    void detach() {
        clear();
        getAndSetView(null);
        dropRecycledView();
    }

    /** By whoever has ended a tenancy: its recycled lease, if it has one, reaches the view no more. */
    void dropRecycledView() {
        if (recycled != null) {
            recycled.dropView();
        }
    }

    boolean isRecycled() {
        return recycled != null;
    }

    /** With {@code leases=recycled}. */
    PooledBuffer recycled() {
        return Objects.requireNonNull(recycled);
    }

    int size() {
        return slab.slotSize;
    }

    int sizeClass() {
        return slab.sizeClass;
    }

    SlabPool pool() {
        return slab.pool;
    }
}
