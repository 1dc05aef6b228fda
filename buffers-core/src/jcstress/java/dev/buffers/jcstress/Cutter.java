// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Explicit;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a slot for every state, quickly. The pool of these slots does not know their slab: only the two actors of a state act on its slot,
 * and they run the pool's own code.
 */
final class Cutter {
    static final int BYTES = 8;

    private static final int CLASS = 0;
    private static final String[] FREE = {"free 0", "free 1", "free 2", "free 3"};
    private static final String[] GONE = {"gone 0", "gone 1", "gone 2", "gone 3"};
    private static final String[] HELD = {"held 0", "held 1", "held 2", "held 3"};

    /** Settings of parts of a pool that are put together for one state. */
    static final PlacedSettings WITHOUT_MAGAZINES = ResolvedSettings.resolve(
            "parts", new Explicit().policy("heap").max(1 << 20).maxSize(1024).threadCache(0), Map.of(), Map.of());

    final SlabPool pool;
    private final Slab slab;

    Cutter(UnaryOperator<BufferPool.Builder> settings) {
        pool = pool(settings);
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

    /**
     * The parts of a pool that slots and queues of one state need, and no more: a slot is free after its last release, and nothing lists
     * it.
     */
    static class Owner extends BareOwner {
        Owner() {
            super(WITHOUT_MAGAZINES, 1);
            close(); // the name is free for the next state's
        }

        @Override
        protected void takeBack(Slot slot, ByteBuffer view, long held, @Nullable Object home) {
            slot.free(view, held);
        }
    }

    /** A free slot for the caller; its view has {@link #BYTES} bytes. */
    Slot slot() {
        return new Slot(slab, 0, ByteBuffer.allocate(BYTES), pool.lost);
    }

    /**
     * A lease on a free slot of the caller, made as the pool makes one for a slot that came back to a channel. If the slot was released
     * before, the pool must not have it in a magazine, which would link it: give the pool no magazines ({@code thread-cache=0}).
     */
    Lease lease(Slot slot) {
        return Objects.requireNonNull(pool.leaseReturned(slot, BYTES));
    }

    /** The outcome of a release. */
    static String release(PooledBuffer lease) {
        try {
            return lease.release() ? "last" : "not last";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    /** The outcome of a retain; the new lease is put into {@code further}. */
    static String retain(PooledBuffer lease, PooledBuffer[] further) {
        try {
            further[0] = lease.retain();
            return "retained";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    /** Begins a tenancy and takes the view; null when the slot was revoked. */
    static @Nullable ByteBuffer beginAndTake(Slot slot) {
        if (!slot.begin()) {
            return null;
        }
        ByteBuffer view = Objects.requireNonNull(slot.view);
        slot.view = null;
        return view;
    }

    /** For an arbiter: whether a slot is free, held or gone (revoked or retired), and how many of its tenancies have ended. */
    static String standing(Slot slot) {
        long state = slot.stateVolatile();
        boolean hasView = slot.view != null;
        int ended = (int) (state / SlotState.GENERATION) & 3;
        if (SlotState.isFree(state)) {
            return hasView ? FREE[ended] : "free without its view";
        }
        if (SlotState.isHeld(state)) {
            return hasView ? "held with its view" : HELD[ended];
        }
        return hasView ? "gone with its view" : GONE[ended];
    }
}
