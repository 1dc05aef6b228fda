package dev.buffers.internal.slab;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One cell of a slab: a ready-made view of its memory, and one {@code long} of state: the generation (raised at the end of each tenancy)
 * and the holds (open leases). A tenancy is the time from one acquire to the last release of a slot. A revoked slot is one whose view was
 * taken back while some cache still lists it.
 *
 * <p>Any thread. Every method is a handful of instructions; none blocks or allocates.
 */
public final class Slot extends PhantomReference<ByteBuffer> {
    /*
     * SlotState defines the bits of the state.
     *
     * The view moves. While the slot is free, `view` holds it. During a tenancy only the leases hold it and nothing in the pool reaches it.
     * The slot is a PhantomReference of the view, so the pool learns of a lost lease from the collector.
     *
     * S1  A tenancy ends exactly once: only the compare-and-set that removes the last hold ends it. It also raises the generation, so a
     *     stamp of an ended tenancy never matches again. A generation that would overflow sets `spent` instead, and the slot is retired.
     * S2  Only the winner of S1 puts the view back, and it does so before it hands the slot on. (In the other order, the loser of a double
     *     release could overwrite the next holder's view.)
     * S3  A free slot is owned by the thread that took it from a magazine, depot, return stack or slab. The owner begins a tenancy without
     *     an atomic step: it writes the state, then reads the view. A thread that wants a free slot back without owning it takes the view
     *     by get-and-set. The revocation is complete only when a later look at the state finds it unchanged (Revocation). An owner that
     *     reads null abandons the slot and takes another one; the slot object then stays revoked for ever. The memory model
     *     does not promise two things that this needs: that compiled code keeps the owner's opaque store of the state before its load of
     *     the view (HotSpot does), and that the store is visible when the revoking thread looks at the state again a while later.
     * S4  Whatever is thrown, and wherever, a slot ends in one of three conditions. Its memory comes back from each of them:
     *       free, view in it, owned by no thread    Revocation finds it through its slab
     *       free, view gone                         the releaser failed before S2; the phantom reference reports it: lost
     *       held, view gone                         the lease was never made, or was dropped; the phantom reference reports it: lost
     *     A slot is never held with its view in it, except for the moment in which the owner takes the view: one method does both steps
     *     of S3, and undoes the first if it cannot do the second. The frame that has just received the view counts the acquire; the frame
     *     that has just put the view back counts the release. There is no call between the two, so nothing can be thrown there.
     *
     * Reads are volatile, which keeps the code of a hit small (docs/decisions/003-volatile-reads.md). Writes name their mode.
     *
     *   field        written by                    mode            read by
     *   state        owner of a free slot          opaque          leases, Revocation, tick
     *                any lease, tick               compareAndSet
     *   view         winner of S1                  release         owner of a free slot
     *                owner, to null                opaque
     *                Revocation, detach()          getAndSet
     *                SlabStore.putViewBack         compareAndSet
     *   next         owner of the slot             plain           next owner (published with the return stack's head, or by a queue
     *                                                              of the depot)
     *   returnStack  owner of the slot, or its     plain           the thread that ends the tenancy; the next owner
     *                first lease
     *   trace        thread that begins a tenancy  plain           reports and Guard, in a race: it says of which tenancy it is
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

    /** With {@code leases=recycled}: the lease object that every tenancy of this slot uses. */
    private final @Nullable Lease recycled;

    /** The return stack to which this tenancy's slot goes back; null for none. */
    public @Nullable ReturnStack returnStack;

    /** The trace of some tenancy, perhaps not the present one. */
    public @Nullable AcquireTrace trace;

    /** The next one of several free slots that have one owner, or lie together in a return stack or in the depot; null for a slot by itself. */
    public @Nullable Slot next;

    private volatile long state;

    private volatile @Nullable ByteBuffer view;

    public Slot(Slab slab, int index, ByteBuffer view, ReferenceQueue<? super ByteBuffer> lost, boolean recycled) {
        super(view, lost);
        this.slab = slab;
        this.index = index;
        this.recycled = recycled ? new Lease(this) : null;
        viewRelease(view); // also links the call, which must not happen under a claim
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
     * Called by the owner of a free slot: begins a tenancy and takes the view out of the slot. Returns null when the slot was revoked
     * meanwhile (S3): the slot is then abandoned, without a view, free and in the same generation. Without room on the stack no tenancy
     * begins; the slot keeps its view and no thread owns it (S4).
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

    /** Called by the owner when it finds no view, whether or not it has just begun a tenancy: marks the slot as free and abandoned. */
    private void abandon() {
        stateOpaque(state & ~SlotState.FIRST | SlotState.DRAIN);
    }

    /** Called by the owner: abandons the slot if it is revoked. False may be out of date at once: {@link #beginAndTake} decides. */
    public boolean abandonIfRevoked() {
        if (view != null) {
            return false;
        }
        abandon();
        return true;
    }

    /** Ends a tenancy whose lease was never made; its owner then puts the view back. Returns the state that it ended. */
    public long endUnused() {
        long held = state;
        while (!STATE.compareAndSet(this, held, SlotState.afterLast(held))) {
            held = state; // DRAIN was set a moment ago
        }
        return held;
    }

    /** Ends such a tenancy and puts its view back. */
    public void endUnused(ByteBuffer its) {
        endUnused();
        viewRelease(its);
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
            if (STATE.compareAndSet(this, now, SlotState.isHeld(left) ? left : SlotState.afterLast(left))) {
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

    /** Removes every reference to the region. */
    public void detach() {
        clear();
        getAndSetView(null);
        dropRecycledView();
    }

    /** Called by the thread that has ended a tenancy: the recycled lease, if there is one, drops its view. */
    public void dropRecycledView() {
        if (recycled != null) {
            recycled.dropView();
        }
    }

    boolean isRecycled() {
        return recycled != null;
    }

    /** The slot's own lease object; only with {@code leases=recycled}. */
    public Lease recycled() {
        return Objects.requireNonNull(recycled);
    }

    public static int count(@Nullable Slot first) {
        int n = 0;
        for (Slot slot = first; slot != null; slot = slot.next) {
            n++;
        }
        return n;
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
