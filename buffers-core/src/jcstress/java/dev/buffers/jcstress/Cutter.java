package dev.buffers.jcstress;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a slot for every state, in next to no time. Their pool is one from which nobody acquires, and which takes them for
 * strangers when they come home; so what becomes of a state's slot is the work of its two actors alone, and is done by the
 * pool's own code.
 */
final class Cutter {
    static final int BYTES = 8;

    private static final int CLASS = 0;
    private static final int NEARLY_FULL = 32;
    private static final String[] FREE = {"free 0", "free 1", "free 2", "free 3"};
    private static final String[] EMPTY = {"empty 0", "empty 1", "empty 2", "empty 3"};
    private static final String[] HELD = {"held 0", "held 1", "held 2", "held 3"};
    private static final long MARKS = SlotState.DRAIN | SlotState.DISCARD;

    final SlabPool pool;
    private final ThreadCaches magazines;
    private final Slab slab;

    Cutter(UnaryOperator<BufferPool.Builder> settings) {
        pool = pool(settings);
        magazines = Inside.magazines(pool);
        int size = SizeClasses.MIN_SIZE;
        slab = new Slab(pool, new Region(ByteBuffer.allocate(size), Region.Charge.NONE), CLASS, size);
    }

    /** A pool on the heap that never trims by itself, with magazines for as many threads as jcstress starts. */
    static SlabPool pool(UnaryOperator<BufferPool.Builder> settings) {
        return (SlabPool) settings.apply(BufferPool.builder("jcstress")
                        .policy("heap")
                        .max(1 << 30)
                        .trimNever())
                .build();
    }

    /** A free slot, whose view has {@link #BYTES} bytes; the caller's. */
    Slot slot() {
        return new Slot(slab, 0, ByteBuffer.allocate(BYTES), pool.lost, pool.recyclesLeases());
    }

    /** A lease on a free slot that is the caller's, as the pool makes it for what came back to a channel. */
    Lease lease(Slot slot) {
        return Objects.requireNonNull(pool.leaseReturned(slot, BYTES));
    }

    /**
     * A lease on what the current thread has just released into its magazine, which has it no more; null when that is a revoked slot by now. Who
     * leased such a slot otherwise would have it twice: what looks for revoked slots in the magazine would drop it under its holder.
     */
    @Nullable Lease leaseLast() {
        return pool.leaseReturned(Objects.requireNonNull(own().take()), BYTES);
    }

    private Magazine own() {
        return magazines.own(CLASS, SizeClasses.MIN_SIZE);
    }

    /** Sees to it that the current thread has a magazine, and that it is not full. */
    void makeRoom() {
        if (inMagazine() > NEARLY_FULL) {
            magazines.flushOwn((slots, count) -> {});
        }
    }

    /** How many slots the current thread's magazine has. */
    int inMagazine() {
        return own().size();
    }

    /** What came of a release. */
    static String release(PooledBuffer lease) {
        try {
            return lease.release() ? "last" : "not last";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    /** What came of a retain; the new lease is put into {@code further}. */
    static String retain(PooledBuffer lease, PooledBuffer[] further) {
        try {
            further[0] = lease.retain();
            return "retained";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    /** Whether a slot is free, held, or free without its view, and how many of its tenancies have ended. */
    static String standing(Slot slot) {
        long state = slot.stateVolatile();
        boolean hasView = slot.viewVolatile() != null;
        int ended = (int) (state / SlotState.GENERATION) & 3;
        if (SlotState.isHeld(state)) {
            return hasView ? "held with its view" : HELD[ended];
        }
        return (state & MARKS) != 0 ? "dropped" : hasView ? FREE[ended] : EMPTY[ended];
    }
}
