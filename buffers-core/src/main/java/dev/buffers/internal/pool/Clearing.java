// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.internal.upkeep.Turns;
import org.jspecify.annotations.Nullable;

/**
 * Empties slabs for the waiter whose turn it is.
 *
 * <p>Used by the tick alone, with no lock held; all fields are plain.
 */
final class Clearing {
    /*
     *   a turn begins --> round 1: slabs are chosen --two ticks--> round 2: others too --twice as long--> round 3: others instead of those
     *
     * If a region of another class fits the waiter, one slab is chosen, and its region goes to the waiter as it is. Otherwise, and always
     * with an exact policy, slabs are chosen whose bytes suffice together with the room and the dropped memory. They are dropped, and the
     * waiter is served once the collector has taken them or their arenas are closed.
     *
     * The slabs of round 1 stay chosen until the turn ends, so the waiter waits for no lease that was made later. One long lease can keep a
     * slab from coming free; for this reason there are further rounds. Slabs that did not come free are chosen last from then on.
     */
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Turns turns;
    private final boolean views;

    private WaitQueue.@Nullable Waiter its;
    private int round;
    private long roundEnds;

    Clearing(RegionAllocator regions, SlabStore slabs, WaitQueue waitQueue, boolean views) {
        this.regions = regions;
        this.slabs = slabs;
        this.turns = new Turns(waitQueue);
        this.views = views;
    }

    /** Called when the waiters were served; true if they should be served once more. {@code tickets} is for {@link Turns#next}. */
    boolean tick(long tickets, long now) {
        WaitQueue.Waiter next = turns.next(tickets, regions.withinReach(), now);
        boolean ended = next != its;
        if (ended) {
            slabs.letGo(0);
            its = next;
            round = 0;
            roundEnds = now;
        }
        if (next == null || next.isCalled()) {
            return ended;
        }
        slabs.emptyChosen();
        if (now - roundEnds >= 0) {
            roundEnds = now + (MaintenanceThread.PRESSURE_TICK << ++round);
            if (round > 2) {
                slabs.letGo(round - 1);
            }
            choose(next);
        }
        return true;
    }

    private void choose(WaitQueue.Waiter waiter) {
        long missing = waiter.bytes - regions.withinReach();
        if ((!views || !slabs.choose(waiter.sizeClass, waiter.bytes, 1, round)) && missing > 0) {
            slabs.choose(waiter.sizeClass, 0, missing, round);
        }
    }
}
