// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.internal.upkeep.Serving;
import org.jspecify.annotations.Nullable;

/**
 * Where free slots go: to the wait queue in its order, or into their slabs.
 *
 * <p>Any thread, with no lock held, because wake-ups and a policy are the user's code.
 */
final class HandOff implements Serving.Memory {
    /*
     *   a slot becomes free                               -> the first waiter for its class gets it; without one, its slab does
     *   a region becomes unused, the cap has room, a      -> serve: the oldest waiter that any of the free memory suffices for gets a slot
     *   waiter has come, the tick                            of it, then the next one, until the rest suffices for none
     *
     * Any thread can find free memory before a waiter is served: a running thread may overtake, and the tick serves again. That may go on
     * until the tick gives the oldest waiter its turn (WaitQueue, W4), and empties slabs for it (Clearing). A slot that is on offer to a
     * waiter is in no list, and no other thread finds it.
     */
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final WaitQueue waitQueue;
    private final Cutting cutting;
    private final Serving serving;
    private final boolean views;

    HandOff(PoolState pool, RegionAllocator regions, SlabStore slabs, WaitQueue waitQueue, Cutting cutting) {
        this.regions = regions;
        this.slabs = slabs;
        this.waitQueue = waitQueue;
        this.cutting = cutting;
        this.serving = new Serving(pool, waitQueue, regions.budget, this, true);
        this.views = pool.settings().policy().views();
    }

    /** Whether any waits for a slot of this class. */
    boolean hasWaiters(int sizeClass) {
        return sizeClass != SizeClasses.OVERSIZE && waitQueue.hasWaiters(sizeClass);
    }

    WaitQueue waitQueue() {
        return waitQueue;
    }

    /** Returns linked free slots of one class to their slabs, or gives them straight to the waiters of that class. */
    void giveBack(@Nullable Slot first) {
        if (first == null) {
            return;
        }
        if (!waitQueue.hasWaiters()) {
            slabs.giveBack(first);
            serve(); // a waiter that has come since then did not find these slots
            return;
        }
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        Slot rest = null;
        boolean called;
        boolean unused;
        try {
            for (Slot slot = first, next; slot != null; slot = next) {
                next = slot.next;
                slot.next = null;
                if (!mayHandOver(slot) || !waitQueue.handOver(slot, due)) {
                    slot.next = rest;
                    rest = slot;
                }
            }
        } finally { // a virtual thread that is unparked may need heap, or a thread
            called = !due.isEmpty();
            unused = slabs.giveBack(rest);
            waitQueue.call(due);
        }
        if (unused || rest != null && !called) { // a waiter that has come since then did not find these slots
            serve();
        }
        serving.afterTurn();
    }

    /** Lets its slabs go too. */
    @Override
    public void turnHasEnded() {
        slabs.letGo(waitQueue);
        MaintenanceThread.requestTick(); // the next turn begins soon
        serve();
    }

    /**
     * Whether a slot may go straight to a waiter for its class. If it is the last slot out of its slab, its return makes the region unused:
     * then the oldest waiter of any class comes first, if the region suffices for it.
     */
    private boolean mayHandOver(Slot slot) {
        int sizeClass = slot.sizeClass();
        int out = hasWaiters(sizeClass) ? slabs.slotsOut(slot.slab) : 0;
        if (out > 1 || out == 0 || !views) {
            return out > 0;
        }
        WaitQueue.Waiter oldest = waitQueue.oldestAfter(-1);
        return oldest == null || oldest.sizeClass == sizeClass || !slot.slab.region.fits(oldest.bytes);
    }

    /** Gives the waiters, the oldest first, free memory: in slabs, in unused or dropped regions, or under the cap. */
    void serve() {
        serving.serve(true);
    }

    @Override
    public WaitQueue.@Nullable Room findFor(WaitQueue.Waiter waiter, boolean may) {
        return cutting.findFor(waiter, may);
    }

    @Override
    public void handedOver(WaitQueue.Room slot, boolean inTurn) {
        if (inTurn) {
            ((Slot) slot).drain(); // when it is released, its region goes to those that have waited in the meantime
        }
    }

    @Override
    public void takeBack(WaitQueue.@Nullable Room first) {
        for (Slot slot = (Slot) first; slot != null; slot = slot.next) {
            slot.slab.countCut(); // for no acquire
        }
        slabs.giveBack((Slot) first);
    }

    /** Closes arenas of dropped regions for about {@code nanos} nanoseconds, and serves waiters from the room; the tick closes the rest. */
    void closeArenas(long nanos) {
        if (regions.closeArenas(nanos)) {
            serve();
        }
    }

    /** Closes about one arena, if the slab of this slot dissolved when the slot was returned or retired. */
    void closeArenas(Slot slot) {
        if (slot.slab.isDissolved() && regions.closeOneArena()) {
            serve();
        }
    }
}
