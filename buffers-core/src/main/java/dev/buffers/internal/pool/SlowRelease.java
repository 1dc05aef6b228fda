// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.cache.ThreadTable;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.slab.Eraser;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of a release: ends a lease, and when it was the last on its slot, finds a place for the slot.
 *
 * <p>Any thread. May take locks and allocate; calls wake-ups with no lock held.
 */
final class SlowRelease {
    /*
     * endAndPlace:  channel's return stack -> magazine, or a stripe (virtual threads) -> FreeSlots: depot, slab
     *
     * endAndPlace is one long method on purpose, with what FreeSlots.giveBack does spelt out: HotSpot never inlines it into a hit
     * (decision 002).
     */
    private final ThreadTable pool;
    private final SlabStore slabs;
    private final FreeSlots free;
    private final HandOff handOff;

    SlowRelease(ThreadTable pool, SlabStore slabs, FreeSlots free, HandOff handOff) {
        this.pool = pool;
        this.slabs = slabs;
        this.free = free;
        this.handOff = handOff;
    }

    /**
     * Finds a place for the slot of a tenancy that has ended, or retires the slot. First ends a lease, if {@code stamp} is that of one:
     * then nothing more happens while other leases hold the slot.
     *
     * @param view null when the slot is free already, the release is counted, and the thread's own magazine is full
     * @param stamp of the lease to end; {@link SlotState#NOT_OPEN} when the tenancy has ended already
     * @param ended the state in which it has ended already
     * @return the state in which the tenancy has ended, or what {@link Slot#endHold} returned
     */
    long endAndPlace(Slot slot, @Nullable ByteBuffer view, long stamp, long ended) {
        StackProbe.check(); // without room nothing begins; a tenancy or a further lease that has ended is lost
        long held = ended;
        if (stamp != SlotState.NOT_OPEN) {
            held = slot.endHold(stamp);
            if (SlotState.isHeld(held)) {
                return held;
            }
        }
        int sizeClass = slot.sizeClass();
        boolean toSlab = SlotState.isDraining(held)
                || pool.isClosed()
                || handOff.hasWaiters(sizeClass)
                || sizeClass == SizeClasses.OVERSIZE;
        ReturnStack stack = slot.returnStack;
        ThreadCaches threads = free.threads;
        ThreadCache own = threads.own();
        Magazine magazine =
                view == null ? threads.claim(own, sizeClass) : null; // a platform thread's: nothing is claimed
        if (view != null) {
            if (SlotState.endsForGood(held)) {
                try {
                    retire(slot, held);
                } finally {
                    Reference.reachabilityFence(view); // the phantom must not report a lost lease before this
                }
                return held;
            }
            if (pool.zeroesOnRelease()) {
                Eraser.erase(view);
            }
            slot.free(view, held);
            magazine = threads.claim(own, sizeClass);
            if (magazine != null) {
                magazine.releases++;
                boolean put = !toSlab && stack == null && magazine.put(slot);
                magazine.unclaim();
                if (put) {
                    return held;
                }
            } else {
                pool.counters.recycled(sizeClass);
            }
        }
        if (stack != null) {
            if (!toSlab && stack.push(slot)) {
                return held;
            }
            slot.returnStack = null;
        }
        if (toSlab) {
            handOff.giveBack(slot);
            handOff.closeArenas(slot);
            return held;
        }
        free.put(slot, own, magazine);
        return held;
    }

    /** Takes a free slot that a channel gives back. Its release was counted earlier. */
    void giveBackFree(Slot slot) {
        StackProbe.check();
        slot.returnStack = null;
        if (pool.isClosed() || handOff.hasWaiters(slot.sizeClass())) {
            free.giveBack(slot);
        } else {
            free.putKept(slot);
        }
    }

    /** Retires a slot that must not be used again after its tenancy. */
    private void retire(Slot slot, long held) {
        slot.returnStack = null;
        slabs.retire(slot); // first: if this fails, the phantom reports the slot
        slot.detach();
        if (SlotState.isDiscarded(held)) {
            pool.counters.discarded(slot.sizeClass());
        } else {
            pool.counters.recycled(slot.sizeClass());
        }
        handOff.closeArenas(slot);
        handOff.serve();
    }
}
