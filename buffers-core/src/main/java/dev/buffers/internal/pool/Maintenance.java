// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.upkeep.Healing;
import dev.buffers.internal.upkeep.MaintenanceThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The upkeep of one pool, also without traffic: handles lost leases, finds memory for waiters, drops idle memory, asks for a collection.
 *
 * <p>Called by the thread of {@link MaintenanceThread}, or by a test; one thread at a time, with no lock held. A user's code is called by
 * the pool's own thread ({@code Callbacks}), and nothing here waits for that.
 */
final class Maintenance {
    /*
     *   tick:  what the collector found -> overdue leases, once a second -> leak reports
     *          -> closed?   drop what can be dropped by now, and no more
     *          -> pressure? servePressure: find room for the waiters, and empty slabs for the one whose turn it is (Clearing)
     *          -> refusals? once a second all free slots return to their slabs, also those in return stacks, where no acquire looks
     *          -> refusals or waiters that a collection could serve? Healing
     *          -> once a second: trimIdle
     *   after that, and for waiters: arenas of dropped regions are closed (HandOff.closeArenas)
     *
     * All fields are plain, and used by the tick alone.
     */
    private final PoolState pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final LeakTracker leaks;
    private final HandOff handOff;
    private final FreeSlots free;
    private final WaitQueue waitQueue;
    private final Healing healing;
    private final Clearing clearing;
    private final long idle;

    private long lastSecond;
    private long lastGathering;
    private boolean refused;

    Maintenance(
            PoolState pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            LeakTracker leaks,
            HandOff handOff,
            FreeSlots free) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.leaks = leaks;
        this.handOff = handOff;
        this.free = free;
        this.waitQueue = handOff.waitQueue();
        this.healing = new Healing(pool, regions, new Suspects(slabs));
        this.clearing =
                new Clearing(regions, slabs, waitQueue, pool.settings().policy().views());
        this.idle = pool.settings().trimAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
    }

    /**
     * Does one round.
     *
     * @param now a reading of {@link System#nanoTime}
     * @return nanoseconds until the next call; less than 0 when nothing is left to do, ever
     */
    long tick(long now) {
        leaks.collect();
        regions.budget.creditInTurn(now);
        slabs.reportDrops();
        boolean second = now - lastSecond >= MaintenanceThread.TICK || lastSecond == 0;
        if (second) {
            lastSecond = now;
            leaks.findOverdue(now);
        }
        leaks.report(pool.isClosed() && !slabs.hasSlabs());
        if (pool.isClosed()) {
            free.threads.forgetThreads(); // else the table keeps them as long as the pool is reachable
            waitQueue.wakeAll(); // close may have had no heap for this
            slabs.close();
            handOff.closeArenas(MaintenanceThread.TICK);
            healing.askIfNeeded(Counters.NONE_REFUSED, 0, now); // another pool may need the lost memory
            return slabs.isEmpty() && regions.isEmpty() && leaks.isAllReported() ? -1 : MaintenanceThread.TICK;
        }
        boolean pressure = waitQueue.hasWaiters() || waitQueue.turn() != null;
        if (pressure) {
            servePressure(now);
        }
        int leastRefused = pool.counters.takeLeastRefused();
        refused |= leastRefused != Counters.NONE_REFUSED;
        if (second && refused) {
            refused = false;
            slabs.revokeAll();
        }
        healing.askIfNeeded(leastRefused, waitQueue.leastBytes(), now);
        if (second) {
            trimIdle(now);
        }
        handOff.closeArenas(MaintenanceThread.TICK);
        return pressure ? MaintenanceThread.PRESSURE_TICK : MaintenanceThread.TICK;
    }

    /** Finds free memory anywhere for the waiters, and has some come free for the one whose turn it is. */
    private void servePressure(long now) {
        long tickets = waitQueue.tickets();
        free.gather();
        if (clearing.tick(tickets, now)) {
            handOff.closeArenas(MaintenanceThread.TICK);
            handOff.serve();
        }
    }

    /**
     * Drops memory that has been idle for `trim-after`. A class in use keeps a spare: an eighth of its used memory, or one slab of at most
     * four times its used memory. So a steady load whose peaks differ does not drop and reserve by turns. Once per `trim-after`, takes back
     * the free slots of a class's slabs of which few are in use, but for the smallest: the next slots come from that one.
     */
    private void trimIdle(long now) {
        free.sweep();
        if (idle != Long.MAX_VALUE) {
            free.reapDepots();
        }
        boolean gathers = idle != Long.MAX_VALUE && now - lastGathering >= idle && lastGathering != 0;
        lastGathering = gathers || lastGathering == 0 ? now : lastGathering;
        Slab[] smallest = new Slab[classes.count()]; // of those with few slots in use
        long[] inUse = new long[classes.count()];
        List<Slab> order = new ArrayList<>(); // of the idle ones: the first are kept as spare
        List<Slab> unused = new ArrayList<>(); // these come last, so they are dropped
        for (Slab slab : slabs.all()) {
            if (slab.sizeClass == SizeClasses.OVERSIZE) {
                // Free since the last tick: its owner is not running, or has failed.
                if (now - slabs.idleSince(slab, now) >= MaintenanceThread.TICK) {
                    slabs.revokeAll(slab);
                }
            } else if (slab.isCondemned()) {
                slabs.empty(slab);
            } else if (now - slabs.idleSince(slab, now) >= idle) {
                (slab.isUnused() ? unused : order).add(slab);
            } else {
                if (gathers && slabs.isSparse(slab)) {
                    Slab other = smallest[slab.sizeClass];
                    boolean smaller = other == null || slab.region.bytes() < other.region.bytes();
                    smallest[slab.sizeClass] = smaller ? slab : other;
                    if (other != null) {
                        slabs.revokeAll(smaller ? other : slab);
                    }
                }
                inUse[slab.sizeClass] += slab.region.bytes();
            }
        }
        long bytes = 0;
        long[] spare = new long[classes.count()];
        unused.sort(SlabStore.SMALLEST_FIRST);
        order.addAll(unused);
        for (Slab slab : order) {
            int c = slab.sizeClass;
            if (spare[c] + slab.region.bytes() <= (spare[c] == 0 ? 4 * inUse[c] : inUse[c] / 8)) {
                spare[c] += slab.region.bytes();
            } else {
                slabs.revokeAll(slab);
                bytes += slabs.dropIdle(slab, now - idle, now);
            }
        }
        if (bytes > 0) {
            pool.counters.trimmedBytes.addAndGet(bytes);
        }
        handOff.serve();
    }
}
