package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.AllocationFreeLock;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes free slots back from wherever they are: the magazine of a thread that sleeps, a channel's lane, a batch on its way.
 * Their owners pay nothing for it, and find a revoked slot when they come to use one (rule S3 of {@link Slot}).
 *
 * <p>Any thread; one lock here, taken before that of {@link SlabStore}. Off every path of a hit or a plain miss.
 */
public final class Revocation {
    /*
     * To revoke a free slot:   before = state;  view = getAndSet(null);  after = state;  ... a while ...  now = state
     *
     *   all free, in one generation      the slot was free all along. An owner that began a
     *                                    tenancy before the view went has written its state before it read the view,
     *                                    and that write shows by now; one that begins later reads null. So the memory
     *                                    is ours, and the object a revoked slot.
     *   now held, same generation        its owner has it, or is just about to see that it has not: looked at again. The view
     *                                    stays with us for HESITATION_NANOS: let go before its owner has looked, it would
     *                                    be taken for that of a lost lease
     *   now another generation           its owner had it
     *   before != after, after free      a tenancy ended between the two looks, so the view belongs to one generation or
     *                                    the next. It is put back, which is right in both cases, and the slot left alone
     *                                    in this generation: its releaser may not have come to its own putting back yet.
     *                                    When another tenancy has begun by then, its owner may have had the view before it
     *                                    was put back: it is taken out once more, and looked at in the same way.
     *
     * The while is SETTLED_NANOS at the least, some thousand times what a store buffer takes to drain, and begins after the
     * swap: what the owner's store buffer held when the view went has drained when it is over. No owner needs as
     * long as HESITATION_NANOS for its next instruction, unless its machine stands still; then a lease that was never made
     * is told as lost.
     *
     * Room for an entry is made before its slot is touched, so that nothing can fail between the swap and the entry. What is
     * thrown by putting back leaves no entry: the view is nobody's then, and its slot is lost (S4 of Slot).
     */
    private static final long STORE_BUFFER_NANOS = 100_000;
    private static final long HESITATION_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SlabStore slabs;
    private final AllocationFreeLock lock = new AllocationFreeLock();
    private final ArrayList<Revoked> revoked = new ArrayList<>();
    private final ArrayList<Revoked> skipped = new ArrayList<>();

    public Revocation(SlabStore slabs) {
        this.slabs = slabs;
    }

    /** A slot whose view was taken, the state that will tell whose it is, and when. */
    private static final class Revoked {
        final Slot slot;
        long at;
        long state;

        /** Kept while nothing else may hold it, so that a lease which is just being made is not taken for a lost one. */
        @SuppressWarnings("UnusedVariable")
        @Nullable ByteBuffer view;

        boolean isDone;

        Revoked(Slot slot, long state) {
            this.slot = slot;
            this.state = state;
        }
    }

    /** Where free slots that somebody else owns may be. */
    public interface Places {
        void each(Consumer<Slot> visit);
    }

    /** Recalls what is free in those places now, waits the while, and brings home what it got. Says how many slots. */
    public int revokeNow(Places places) {
        lock.lock();
        try {
            places.each(this::revoke);
            if (!revoked.isEmpty()) {
                long youngest = revoked.get(revoked.size() - 1).at;
                while (System.nanoTime() - youngest < STORE_BUFFER_NANOS) {
                    Thread.onSpinWait();
                }
            }
            return complete();
        } finally {
            lock.unlock();
        }
    }

    /** Recalls what is free in those places now, and brings home what was revoked a while ago. Says how many slots. */
    public int revokeLater(Places places) {
        lock.lock();
        try {
            int home = complete();
            places.each(this::revoke);
            return home;
        } finally {
            lock.unlock();
        }
    }

    private void revoke(Slot slot) {
        long before = slot.stateVolatile();
        if (SlotState.isHeld(before) || slot.viewVolatile() == null || isSkipped(slot, before)) {
            return;
        }
        skipped.ensureCapacity(skipped.size() + 1);
        revoked.ensureCapacity(revoked.size() + 1);
        Revoked it = new Revoked(slot, before);
        ByteBuffer view = slot.getAndSetView(null);
        long after = slot.stateVolatile();
        while (view != null && !SlotState.isHeld(after) && !SlotState.sameTenancy(it.state, after)) {
            it.state = after;
            slabs.putViewBack(slot, view);
            long now = slot.stateVolatile();
            if (!SlotState.isHeld(now) && SlotState.sameTenancy(now, after)) {
                skipped.add(it);
                return;
            }
            view = slot.getAndSetView(null);
            after = slot.stateVolatile();
        }
        if (view != null) {
            it.at = System.nanoTime();
            it.state = after;
            it.view = view;
            revoked.add(it);
        }
    }

    /** A slot that its owner has dropped has no releaser; and in a closed pool nothing is used again. */
    private boolean isSkipped(Slot slot, long state) {
        if (SlotState.isAbandoned(state) || slot.pool().isClosed()) {
            return false;
        }
        for (Revoked one : skipped) {
            if (one.slot == slot && SlotState.sameTenancy(one.state, state)) {
                return true;
            }
        }
        return false;
    }

    private int complete() {
        skipped.removeIf(one -> !isSkipped(one.slot, one.slot.stateVolatile()));
        int home = 0;
        long now = System.nanoTime();
        for (Revoked it : revoked) {
            long state = it.slot.stateVolatile();
            if (it.isDone || now - it.at < STORE_BUFFER_NANOS) { // done: there was no heap to take it off the list
                continue;
            }
            if (!SlotState.sameTenancy(state, it.state)) {
                it.isDone = true;
            } else if (!SlotState.isHeld(state)) {
                slabs.revoked(it.slot);
                it.isDone = true;
                home++;
            } else if (now - it.at >= HESITATION_NANOS) {
                it.view = null;
            }
        }
        revoked.removeIf(it -> it.isDone);
        return home;
    }

    /** Whether any slots are on their way. */
    boolean isPending() {
        lock.lock();
        try {
            return !revoked.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
