package dev.buffers.internal.pool;

import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes free slots back from wherever they are: the magazine of a sleeping thread, a channel's return stack, a batch on its way. Their
 * owners pay nothing for this, and find a revoked slot (one without its view) when they come to use it (rule S3 of {@link Slot}).
 *
 * <p>Any thread. It has one lock, taken before that of {@link SlabStore}. Not on the path of a hit or of a plain miss.
 */
public final class Revocation {
    /*
     * To revoke a free slot:   before = state;  view = getAndSet(null);  after = state;  ... a pause ...  now = state
     *
     *   all free, in one generation      The slot was free all along. An owner that began a tenancy before the view was taken has written
     *                                    its state before it read the view, and that write is visible by now. An owner that begins later
     *                                    reads null. So the memory is ours, and the slot object is revoked.
     *   now held, same generation        Its owner has the view, or will find none: looked at again later. We keep the view for
     *                                    HESITATION_NANOS: if we dropped it before the owner has looked, it would be reported as the view
     *                                    of a lost lease.
     *   now another generation           Its owner had the view.
     *   before != after, after free      A tenancy ended between the two reads. We put the view back: it is the slot's view in either
     *                                    generation. We do not revoke this slot again in this generation, because its releaser may be
     *                                    about to store the same view. If a new tenancy has begun before we look again, its owner may
     *                                    have the view from the releaser, and ours is a second copy: we take it out and start over.
     *
     * The pause is at least STORE_BUFFER_NANOS, some thousand times what a store buffer takes to drain. It begins after the swap: at its
     * end the owner's store buffer has drained what it held when the view was taken. No owner needs HESITATION_NANOS for its next
     * instruction, unless its machine stands still; then a lease that was never made is reported as lost.
     *
     * Room for an entry is made before the view is taken, so nothing can fail between the swap and the entry. If putting back throws, there
     * is no entry: no thread has the view then, and its slot is lost (S4 of Slot).
     */
    private static final long STORE_BUFFER_NANOS = 100_000;
    private static final long HESITATION_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SlabStore slabs;
    private final ArrayList<Revoked> revoked = new ArrayList<>();
    private final ArrayList<Revoked> skipped = new ArrayList<>();

    /** When the last slot was revoked. */
    private long youngest;

    public Revocation(SlabStore slabs) {
        this.slabs = slabs;
    }

    /** A slot whose view was taken, the state that will tell which thread has the view, and the time. */
    private static final class Revoked {
        final Slot slot;
        long at;
        long state;

        /** Kept while no other object may hold the view, so that a lease that is just being made is not taken for a lost one. */
        @SuppressWarnings("UnusedVariable")
        @Nullable ByteBuffer view;

        Revoked(Slot slot, long state) {
            this.slot = slot;
            this.state = state;
        }
    }

    /** Revokes what is free in those places now, pauses, and returns the revoked memory to its slabs. Says how many slots. */
    public synchronized int revokeNow(Consumer<Consumer<Slot>> places) {
        places.accept(this::revoke);
        while (!revoked.isEmpty() && System.nanoTime() - youngest < STORE_BUFFER_NANOS) {
            Thread.onSpinWait();
        }
        return complete();
    }

    /** Returns what was revoked a while ago to its slabs, and revokes what is free in those places now. Says how many slots were returned. */
    public synchronized int revokeWithoutPause(Consumer<Consumer<Slot>> places) {
        int returned = complete();
        places.accept(this::revoke);
        return returned;
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
            youngest = System.nanoTime();
            it.at = youngest;
            it.state = after;
            it.view = view;
            revoked.add(it);
        }
    }

    /** Whether a slot is left alone in this generation: not if its owner abandoned it (no releaser), nor in a closed pool. */
    private boolean isSkipped(Slot slot, long state) {
        if (SlotState.isAbandoned(state) || slot.pool().isClosed()) {
            return false;
        }
        for (int i = 0; i < skipped.size(); i++) {
            Revoked one = skipped.get(i);
            if (one.slot == slot && SlotState.sameTenancy(one.state, state)) {
                return true;
            }
        }
        return false;
    }

    private int complete() {
        skipped.removeIf(one -> !isSkipped(one.slot, one.slot.stateVolatile()));
        int returned = 0;
        long now = System.nanoTime();
        for (int i = revoked.size() - 1; i >= 0; i--) {
            Revoked it = revoked.get(i);
            long state = it.slot.stateVolatile();
            boolean same = SlotState.sameTenancy(state, it.state);
            if (now - it.at < STORE_BUFFER_NANOS || same && SlotState.isHeld(state)) {
                it.view = now - it.at < HESITATION_NANOS ? it.view : null;
                continue;
            }
            if (same) {
                slabs.revoked(it.slot);
                returned++;
            }
            Revoked last = revoked.remove(revoked.size() - 1); // needs no heap; all behind `it` stay
            if (last != it) {
                revoked.set(i, last);
            }
        }
        return returned;
    }
}
