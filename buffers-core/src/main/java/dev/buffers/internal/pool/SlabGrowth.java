// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import org.jspecify.annotations.Nullable;

/**
 * Finds slots for a class whose slabs have none left: the order in which regions are tried.
 *
 * <p>Any thread, with no lock held. Takes locks, allocates, and calls the policy.
 */
final class SlabGrowth {
    /*
     * 1. an unused region (none of its slots is out), cut anew; if the pool has SMALL_POOL bytes, once more after all cached slots that
     *    this thread can reach are returned
     * 2. a dropped region (given up, but the collector has not taken it yet), adopted
     * 3. a new region
     * 4. 1 to 3 once more, after cached slots are returned and the magazines of other threads are revoked
     * 5. a dropped region of any size; then the unused regions, none of which fits, are dropped, preallocated memory too, unless all of
     *    them and the memory dropped before would not suffice. The bytes of
     *    an arena return to the budget at once, others once the collector has them; until then any thread that can use them adopts them.
     *    Another thread may take the room of arenas: the rest of them is closed then
     * 6. 4 and 5 once more if slots have moved between lists since (Moves); if they move each time, after all free slots of the class,
     *    which their states tell, have been revoked
     *
     * Below SMALL_POOL no magazine or depot is emptied for another class before the pool grows: two sizes that take turns would cut each
     * other's slabs anew permanently. Before the pool grows, magazines of other threads are revoked only if a quarter of the pool is idle in
     * slabs of other classes.
     */
    private static final int SEARCHES = 3;

    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Cutting cutting;
    private final Reclaiming reclaiming;
    private final WaitQueue waitQueue;
    private final boolean pooled;
    private final int regionSize;
    private final boolean views;

    SlabGrowth(
            SlotOwner pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            Cutting cutting,
            Reclaiming reclaiming,
            WaitQueue waitQueue) {
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.cutting = cutting;
        this.reclaiming = reclaiming;
        this.waitQueue = waitQueue;
        this.regionSize = Math.toIntExact(pool.settings().regionSize());
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.views = pool.settings().policy().views();
    }

    long max() {
        return regions.budget.max();
    }

    /** Why the last region was refused. */
    String refusal() {
        return regions.refusal();
    }

    /**
     * Finds a free slot of a class in a slab, a depot or a magazine, or in a new region. Null only when no slot has been free there from
     * the beginning to the end. Unless the caller {@code insists}, it empties no cache at the cap, and drops no memory.
     *
     * @param own how many moves of this class the caller itself has begun and not ended
     */
    @Nullable Slot find(int sizeClass, boolean insists, int own) {
        regions.makeRoom(regionSize);
        if (!insists && regions.budget.room() < classes.sizeOf(sizeClass)) {
            return cutting.obtain(sizeClass, Cutting.Reach.NEW);
        }
        Slot found = null;
        if (regions.budget.charged() >= Cutting.SMALL_POOL // read without a monitor
                && regions.reservedBytes() >= Cutting.SMALL_POOL) {
            found = findCached(sizeClass);
        }
        found = found == null ? cutting.obtain(sizeClass, Cutting.Reach.NEW) : found;
        if (found != null || !insists) {
            return found;
        }
        for (int left = SEARCHES; found == null && left > 0; left--) {
            long moves = reclaiming.finishedMoves(sizeClass) + own;
            found = search(sizeClass);
            if (found == null && !reclaiming.hasMovedSince(sizeClass, moves)) {
                return null;
            }
        }
        found = found == null ? slabs.revokeAndTake(sizeClass) : found;
        return found == null ? search(sizeClass) : found;
    }

    /** Finds a free slot in a slab, or an unused region, if need be after the caches that this thread can reach are emptied. */
    private @Nullable Slot findCached(int sizeClass) {
        Slot found = cutting.obtain(sizeClass, Cutting.Reach.UNUSED);
        if (found == null) {
            reclaiming.reclaim();
            found = cutting.obtain(sizeClass, Cutting.Reach.UNUSED);
        }
        if (found == null && views && slabs.idleElsewhere(sizeClass) >= regions.reservedBytes() / 4) {
            reclaiming.revokeElsewhere();
        }
        return found;
    }

    /** Empties the caches, and tries every source of memory. */
    private @Nullable Slot search(int sizeClass) {
        reclaiming.reclaim();
        Slot found = slabs.seemsToHaveFree(sizeClass) ? slabs.take(sizeClass, 1) : null;
        if (found == null) { // also if the hint was true and another thread took the slot
            reclaiming.revokeElsewhere();
            found = cutting.obtain(sizeClass, Cutting.Reach.ANY);
        }
        if (found == null) {
            slabs.dropUnusedFor(classes.sizeOf(sizeClass));
        }
        // Once more in any case: by now the collector may have taken dropped memory that could not be adopted.
        for (int left = SEARCHES; found == null && left > 0; left = regions.isClosing() ? left - 1 : 0) {
            regions.makeRoom(classes.sizeOf(sizeClass));
            found = cutting.obtain(sizeClass, Cutting.Reach.NEW);
        }
        return found;
    }

    /** Whether the cap has room for so many bytes that share their region with no others. */
    boolean hasRoom(int bytes) {
        return regions.hasRoom(bytes, waitQueue.keptFrom(null, bytes));
    }

    /** A free slot that shares its region with no other: of the pool's memory, or plain heap memory if the policy pools nothing. */
    @Nullable Slot alone(int size) {
        regions.makeRoom(size);
        int kept = waitQueue.keptFrom(null, size);
        if (!pooled) {
            return cutting.unpooled(size, Region.Charge.WHILE_LEASED, kept);
        }
        Region region = cutting.reserveAlone(size, kept);
        if (region == null) {
            reclaiming.reclaim();
            reclaiming.revokeElsewhere();
            regions.makeRoom(size);
            region = cutting.reserveAlone(size, kept);
            region = region == null ? slabs.takeUnused(size, kept) : region;
            region = region == null && views ? regions.adopt(size, Cutting.ADOPT_ANY, kept) : region;
            if (region == null) {
                slabs.dropUnusedFor(size);
            }
            for (int left = SEARCHES; region == null && left > 0; left = regions.isClosing() ? left - 1 : 0) {
                regions.makeRoom(size);
                region = cutting.reserveAlone(size, kept);
            }
        }
        return region == null ? null : cutting.cutAlone(region, region.bytes());
    }

    /** A free slot in plain heap memory beyond the cap; null when there is no memory for it. */
    @Nullable Slot beyond(int size) {
        return cutting.unpooled(size, Region.Charge.NONE, 0);
    }
}
