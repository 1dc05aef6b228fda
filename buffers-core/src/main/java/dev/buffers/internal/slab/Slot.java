package dev.buffers.internal.slab;

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
public final class Slot extends PhantomReference<ByteBuffer> {
    /*
     * The state is a word of SlotState.
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

    public final Slab slab;
    public final int index;

    /** With {@code leases=recycled}, the lease that every tenancy of this slot uses. */
    private final @Nullable Lease recycled;

    /** Where this tenancy comes back to; kept by the owner of the slot. */
    public @Nullable ReturnStack returnStack;

    /** What is kept of some tenancy, perhaps not the present one; by who begins a tenancy. */
    public @Nullable AcquireTrace trace;

    /** The slot below this one in a return lane, or in a channel's own stack. */
    public @Nullable Slot next;

    private volatile long state;

    private volatile @Nullable ByteBuffer view;

    public Slot(Slab slab, int index, ByteBuffer view, ReferenceQueue<? super ByteBuffer> lost, boolean recycled) {
        super(view, lost);
        this.slab = slab;
        this.index = index;
        this.recycled = recycled ? new Lease(this) : null;
        this.view = view;
    }

    public long stateVolatile() {
        return state;
    }

    public void stateOpaque(long value) {
        STATE.setOpaque(this, value);
    }

    boolean compareAndSetState(long expected, long value) {
        return STATE.compareAndSet(this, expected, value);
    }

    public @Nullable ByteBuffer viewVolatile() {
        return view;
    }

    public void viewRelease(@Nullable ByteBuffer value) {
        VIEW.setRelease(this, value);
    }

    boolean compareAndSetView(@Nullable ByteBuffer expected, @Nullable ByteBuffer value) {
        return VIEW.compareAndSet(this, expected, value);
    }

    public @Nullable ByteBuffer getAndSetView(@Nullable ByteBuffer value) {
        return (ByteBuffer) VIEW.getAndSet(this, value);
    }

    /**
     * By the owner of a free slot: begins a tenancy and takes the view out of the slot. Null when the slot's memory was taken
     * back meanwhile (S3): the slot is then empty and revoked, free in the same generation, and abandoned. When the stack has no
     * room for the steps, nothing has begun, and the slot is nobody's, its view in it (S4).
     */
    public @Nullable ByteBuffer beginAndTake() {
        long before = state;
        try {
            STATE.setOpaque(this, before | SlotState.FIRST);
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
        stateOpaque(state & ~SlotState.FIRST | SlotState.DRAIN);
    }

    /** By the owner: whether the slot is a revoked slot by now, and dropped for it. After a false only {@link #beginAndTake} knows. */
    public boolean abandonIfRevoked() {
        if (view != null) {
            return false;
        }
        abandon();
        return true;
    }

    /** By the owner of a tenancy whose lease was never made: ends it, before the view goes back. Says in what state it was. */
    public long endUnused() {
        long held = state;
        while (!STATE.compareAndSet(this, held, SlotState.afterLast(held))) {
            held = state; // it drains, since a moment ago
        }
        return held;
    }

    /** The same, with its view, which goes back. */
    public void endUnused(ByteBuffer its) {
        endUnused();
        viewRelease(its);
    }

    /** Whether {@code stamp}, the state that a tenancy's first lease began with, still names a lease that is open. */
    boolean isOpen(long stamp) {
        return SlotState.isFirst(stateVolatile(), stamp);
    }

    /**
     * Ends the lease of that stamp, however the slot stands: a first one if it is open, a further one by who may. With
     * {@link SlotState#DISCARD} in the stamp the slot is marked so.
     *
     * @return the state without that lease, of which {@link SlotState#isHeld} says whether others hold the slot; or {@link SlotState#NOT_OPEN}
     */
    public long endHold(long stamp) {
        boolean first = (stamp & SlotState.FIRST) != 0;
        for (; ; ) {
            long now = state;
            if (first && !SlotState.isFirst(now, stamp)) {
                return SlotState.NOT_OPEN;
            }
            long left = now - (first ? SlotState.FIRST : SlotState.HOLD) | stamp & SlotState.DISCARD;
            if (STATE.compareAndSet(this, now, SlotState.isHeld(left) ? left : SlotState.afterLast(left))) {
                return left;
            }
        }
    }

    /** By anyone: makes the release that ends the present tenancy bring the slot home. */
    public void drain() {
        long now = state;
        while (SlotState.isHeld(now)
                && !SlotState.isDraining(now)
                && !STATE.compareAndSet(this, now, now | SlotState.DRAIN)) {
            now = state;
        }
    }

    /** Reaches its region no more. */
    public void detach() {
        clear();
        getAndSetView(null);
        dropRecycledView();
    }

    /** By whoever has ended a tenancy: its recycled lease, if it has one, reaches the view no more. */
    public void dropRecycledView() {
        if (recycled != null) {
            recycled.dropView();
        }
    }

    boolean isRecycled() {
        return recycled != null;
    }

    /** With {@code leases=recycled}. */
    public Lease recycled() {
        return Objects.requireNonNull(recycled);
    }

    public int size() {
        return slab.slotSize;
    }

    public int sizeClass() {
        return slab.sizeClass;
    }

    public SlotOwner pool() {
        return slab.pool;
    }
}
