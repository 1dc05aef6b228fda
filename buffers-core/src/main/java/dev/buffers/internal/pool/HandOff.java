// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.upkeep.MaintenanceThread;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where free slots go: to the wait queue in its order, or into their slabs.
 *
 * <p>Any thread, with no lock held, because wake-ups and a policy are the user's code.
 */
final class HandOff {
    /*
     *   a slot becomes free                               -> the first waiter for its class gets it; without one, its slab does
     *   a region becomes unused, the cap has room, a      -> serve: the oldest waiter that any of the free memory suffices for gets a slot
     *   waiter has come, the tick                            of it, then the next one, until the rest suffices for none
     *
     * Any thread can find free memory before a waiter is served: a running thread may overtake, and the tick serves again. That may go on
     * until the tick gives the oldest waiter its turn (WaitQueue, W4), and empties slabs for it (Clearing). A slot that is on offer to a
     * waiter is in no list, and no other thread finds it.
     */
    /** Finds memory for a waiter without emptying any cache; allocates only if it {@code may}. */
    interface Source {
        @Nullable Slot findFor(WaitQueue.Waiter waiter, boolean may);
    }

    private final PoolState pool;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final WaitQueue waitQueue;
    private final Source source;
    private final boolean views;

    /** With a user's policy: the only one that calls it for waiters. */
    private final Callbacks.@Nullable Callback allocation;

    HandOff(PoolState pool, RegionAllocator regions, SlabStore slabs, WaitQueue waitQueue, Source source) {
        this.pool = pool;
        this.regions = regions;
        this.slabs = slabs;
        this.waitQueue = waitQueue;
        this.source = source;
        this.views = pool.settings().policy().views();
        this.allocation = pool.settings().policy() instanceof BuiltInPolicy
                ? null
                : new Callbacks.Callback("memory for a waiter", () -> serve(true));
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
        afterTurn();
    }

    /** If a turn has ended, serves the other waiters from the memory that was kept for it, and lets its slabs go. */
    private void afterTurn() {
        if (waitQueue.takeTurnEnd()) {
            turnHasEnded();
        }
    }

    /** Called once for the end of a turn. */
    void turnHasEnded() {
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

    /**
     * Gives the waiters, the oldest first, free memory: in slabs, in unused or dropped regions, or under the cap. A user's policy
     * is called for this by the pool's callback thread alone; if it throws, the wait that it was called for ends.
     */
    void serve() {
        serve(allocation == null);
    }

    private void serve(boolean mayAllocate) {
        if (!waitQueue.hasWaiters() || pool.isClosed()) {
            return;
        }
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        Slot kept = null; // until the end, so that each wake-up has a separate slot
        try {
            long after = -1;
            for (WaitQueue.Waiter next = waitQueue.oldestAfter(after);
                    next != null;
                    next = waitQueue.oldestAfter(after)) {
                Slot slot;
                try {
                    slot = source.findFor(next, mayAllocate);
                } catch (Throwable e) { // other languages throw checked exceptions from anywhere
                    if (!waitQueue.fail(next, e, mayAllocate && allocation != null, due)) {
                        return; // the tick serves again
                    }
                    continue;
                }
                boolean itsTurn = next == waitQueue.turn();
                if (slot == null) {
                    after = next.ticket();
                } else if (!waitQueue.handOver(slot, due)) {
                    slabs.countCut(slot.slab); // for no acquire
                    slot.next = kept;
                    kept = slot;
                } else if (itsTurn) {
                    slot.drain(); // when it is released, its region goes to those that have waited in the meantime
                }
            }
        } finally {
            slabs.giveBack(kept);
            waitQueue.call(due);
        }
        int needed = waitQueue.leastBytes();
        if (!mayAllocate && needed > 0 && regions.budget.room() >= needed) {
            pool.callbacks().add(Objects.requireNonNull(allocation));
        }
        afterTurn();
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
