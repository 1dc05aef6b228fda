// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds slots for a class whose slabs have none left: the order in which regions are tried.
 *
 * <p>Any thread, with no lock held. Takes locks, allocates, and calls the policy.
 */
final class SlabGrowth {
    /*
     * 1. an unused region (none of its slots is out), cut anew; if the pool has RECUT_FROM bytes, once more after all cached slots that
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
     * Growth is geometric: the next region of a class is as large as all it has, between the first one and region-size, so that using every
     * class once stays cheap. The first one has FIRST_BYTES; of slots from TWO_SLOTS_FROM on it holds at least two, of slots from
     * ONE_SLOT_FROM on one. Below RECUT_FROM no magazine or depot is emptied for another class before the pool grows: two sizes that take
     * turns would cut each other's slabs anew permanently. Before the pool grows, magazines of other threads are revoked only if a quarter
     * of the pool is idle in slabs of other classes.
     *
     * The last bytes of the cap go to a large region, as RegionAllocator says (R7). In a pool of less than RECUT_FROM bytes, regions for
     * slots of at most half of FIRST_BYTES are multiples of FIRST_BYTES, and leave the rest of them uncarved: so each serves every class up
     * to FIRST_BYTES, and at least three quarters of it serve each class up to half of that.
     *
     * With an exact policy a slab has one allocation a slot. It serves no other class; when it is dropped, its parts are adopted by size. A
     * slab has more than one slot only as long as the cap then still has room for one slot of each class (`oneOfEach`; in a small pool, for
     * all but FIRST_BYTES). So one lease at a time of each class is served as long as all these slots fit under the cap.
     *
     * A monitor for each class admits one thread at a time, which looks again first. So threads that all miss at once share one region, and
     * none is refused while another one has a region for them in its hands. Under it one region is allocated by a built-in policy and
     * cut, and nothing else. A user's policy is called with no lock held, so there each of these threads may make a region.
     */
    private static final int SEARCHES = 3;
    private static final int FIRST_BYTES = 64 << 10;
    private static final int TWO_SLOTS_FROM = 16 << 10;
    private static final int ONE_SLOT_FROM = 128 << 10;
    private static final long RECUT_FROM = 8 << 20;
    private static final int HUMONGOUS_FROM = 512 << 10;
    private static final int HEADER_ROOM_FROM_SLOTS = 16;
    private static final int ARRAY_HEADER = 16;
    private static final int ADOPT_NONE = 0;
    private static final int ADOPT_ANY = Integer.MAX_VALUE;

    private final SlotOwner pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Reclaiming reclaiming;
    private final WaitQueue waitQueue;
    private final boolean pooled;
    private final int regionSize;
    private final boolean views;
    private final boolean array;
    private final boolean builtIn;
    private final long oneOfEach;
    private final Object[] growing;

    SlabGrowth(
            SlotOwner pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            Reclaiming reclaiming,
            WaitQueue waitQueue) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.reclaiming = reclaiming;
        this.waitQueue = waitQueue;
        this.regionSize = Math.toIntExact(pool.settings().regionSize());
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.views = pool.settings().policy().views();
        this.array = views && !pool.settings().policy().direct();
        this.builtIn = pool.settings().policy() instanceof BuiltInPolicy;
        this.oneOfEach = Math.min(sumOf(classes), max() - FIRST_BYTES);
        this.growing = new Object[classes.count()];
        Arrays.setAll(growing, i -> new Object());
    }

    private static long sumOf(SizeClasses classes) {
        long sum = 0;
        for (int c = 0; c < classes.count(); c++) {
            sum += classes.sizeOf(c);
        }
        return sum;
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
            return obtain(null, sizeClass, regionSize, true);
        }
        Slot found = obtain(null, sizeClass, ADOPT_NONE, false);
        if (found == null && regions.reservedBytes() >= RECUT_FROM) {
            reclaiming.reclaim();
            found = obtain(null, sizeClass, ADOPT_NONE, false);
            if (found == null && views && slabs.idleElsewhere(sizeClass) >= regions.reservedBytes() / 4) {
                reclaiming.revokeElsewhere();
            }
        }
        found = found == null ? obtain(null, sizeClass, regionSize, true) : found;
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

    /** Empties the caches, and tries every source of memory. */
    private @Nullable Slot search(int sizeClass) {
        reclaiming.reclaim();
        Slot found = slabs.take(sizeClass, 1);
        if (found == null) {
            reclaiming.revokeElsewhere();
            found = obtain(null, sizeClass, regionSize, true);
        }
        found = found == null ? obtain(null, sizeClass, ADOPT_ANY, false) : found;
        if (found == null) {
            slabs.dropUnusedFor(classes.sizeOf(sizeClass));
        }
        for (int left = SEARCHES; found == null && left > 0; left = regions.isClosing() ? left - 1 : 0) {
            regions.makeRoom(classes.sizeOf(sizeClass));
            found = obtain(null, sizeClass, regionSize, true);
        }
        return found;
    }

    /** Finds a free slot for a waiter; empties no cache, and allocates only if it {@code may}. */
    @Nullable Slot findFor(WaitQueue.Waiter waiter, boolean may) {
        int bytes = waiter.bytes;
        int sizeClass = waiter.sizeClass;
        if (sizeClass != SizeClasses.OVERSIZE) {
            Slot found = obtain(waiter, sizeClass, regionSize, may);
            return found == null ? obtain(waiter, sizeClass, ADOPT_ANY, false) : found;
        }
        int kept = waitQueue.keptFrom(waiter, bytes);
        if (!pooled) {
            return unpooled(bytes, Region.Charge.WHILE_LEASED, kept);
        }
        Region region = may ? reserveAlone(bytes, kept) : regions.adopt(bytes, Region.mostAlone(bytes), kept);
        region = region == null ? slabs.takeUnused(bytes, kept) : region;
        region = region == null && views ? regions.adopt(bytes, ADOPT_ANY, kept) : region;
        return region == null ? null : cutAlone(region, region.bytes());
    }

    /**
     * Takes a free slot from a slab, or cuts an unused region, or a dropped region of at most {@code most} bytes (or of one slot), or, if
     * it {@code may} allocate, a new region. Leaves the memory that is kept for a waiter.
     *
     * @param waiter for which the slot is; null if it is for this thread
     */
    private @Nullable Slot obtain(WaitQueue.@Nullable Waiter waiter, int sizeClass, int most, boolean may) {
        int size = classes.sizeOf(sizeClass);
        int kept = waitQueue.keptFrom(waiter, size);
        Slot found;
        synchronized (growing[sizeClass]) {
            found = slabs.take(sizeClass, 1);
            if (found == null) {
                Region region = views ? slabs.takeUnused(size, kept) : null;
                region = region == null && most > ADOPT_NONE ? adopt(sizeClass, size, most, kept) : region;
                region = region == null && may && builtIn ? allocate(sizeClass, size, kept) : region;
                found = region == null ? null : cut(region, sizeClass, size);
            }
        }
        if (found == null && may && !builtIn) {
            Region region = allocate(sizeClass, size, kept);
            found = region == null ? null : cut(region, sizeClass, size);
        }
        return reportNew(found);
    }

    private @Nullable Region adopt(int sizeClass, int size, int most, int kept) {
        return views
                ? regions.adopt(size, Math.max(size, most), kept)
                : regions.adoptParts(size, (int) (targetBytes(sizeClass, size) / size), kept);
    }

    /** Cuts a region and takes a slot from it; without heap for that, gives it up. A slab without a class ends with its one lease. */
    private @Nullable Slot cut(Region region, int sizeClass, int size) {
        try {
            Slab slab = new Slab(pool, region, sizeClass, size);
            if (sizeClass == SizeClasses.OVERSIZE) {
                slab.condemn();
            }
            return slabs.addAndTake(slab);
        } catch (OutOfMemoryError e) {
            slabs.giveUp(region);
            regions.refuse("the JVM is out of memory while cutting a slab", e);
            return null;
        }
    }

    /** Does, with no lock held, what must follow a cut. */
    private @Nullable Slot reportNew(@Nullable Slot found) {
        slabs.reportDrops();
        if (found != null) {
            regions.reportOnce(found.slab.region);
            if (pool.isClosed()) {
                slabs.close();
            }
        }
        return found;
    }

    /** As large a region as the class is due, or as there is room for. */
    private @Nullable Region allocate(int sizeClass, int size, int kept) {
        Region region = null;
        for (long target = targetBytes(sizeClass, size);
                region == null && target >= size;
                target = multiple(target / 2, size)) {
            long room = regions.budget.room() - kept;
            target = target <= room ? target : multiple(room, size);
            if (target < size) {
                regions.refuseAtCap();
                return null;
            }
            region = views
                    ? regions.allocateOrLarge((int) target, kept)
                    : regions.allocate(size, (int) Math.max(1, Math.min(target, room - oneOfEach) / size), kept);
        }
        return region;
    }

    private long targetBytes(int sizeClass, int size) {
        int first =
                size >= ONE_SLOT_FROM ? size : size >= TWO_SLOTS_FROM ? Math.max(FIRST_BYTES, 2 * size) : FIRST_BYTES;
        long due = Math.max(first, slabs.carvedBytes(sizeClass));
        due += isUniform(size) ? FIRST_BYTES - 1 : 0; // carved bytes may be a little less than its regions have
        return multiple(withHeaderRoom(Math.max(size, Math.min(regionSize, due)), size), size);
    }

    private boolean isUniform(int size) {
        return views && max() < RECUT_FROM && size <= FIRST_BYTES / 2;
    }

    /** At most so many bytes, as they are cut into slots: a multiple of FIRST_BYTES, or of the slot. */
    private long multiple(long bytes, int size) {
        return isUniform(size) && bytes >= FIRST_BYTES ? bytes & -FIRST_BYTES : bytes / size * size;
    }

    /** An array of exactly n G1 regions takes n + 1 of them, because of its header: as large as one of these bytes may be. */
    private long withHeaderRoom(long bytes, int slot) {
        boolean leaveRoom = array && bytes >= HUMONGOUS_FROM && bytes / slot >= HEADER_ROOM_FROM_SLOTS;
        return leaveRoom ? bytes - ARRAY_HEADER : bytes;
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
            return unpooled(size, Region.Charge.WHILE_LEASED, kept);
        }
        Region region = reserveAlone(size, kept);
        if (region == null) {
            reclaiming.reclaim();
            reclaiming.revokeElsewhere();
            regions.makeRoom(size);
            region = reserveAlone(size, kept);
            region = region == null ? slabs.takeUnused(size, kept) : region;
            region = region == null && views ? regions.adopt(size, ADOPT_ANY, kept) : region;
            if (region == null) {
                slabs.dropUnusedFor(size);
            }
            for (int left = SEARCHES; region == null && left > 0; left = regions.isClosing() ? left - 1 : 0) {
                regions.makeRoom(size);
                region = reserveAlone(size, kept);
            }
        }
        return region == null ? null : cutAlone(region, region.bytes());
    }

    /** A free slot in plain heap memory beyond the cap; null when there is no memory for it. */
    @Nullable Slot beyond(int size) {
        return unpooled(size, Region.Charge.NONE, 0);
    }

    @Nullable Slot unpooled(int size, Region.Charge charge, int kept) {
        Region region = regions.allocatePlain(size, charge, kept);
        return region == null ? null : cutAlone(region, size);
    }

    private @Nullable Slot cutAlone(Region region, int size) {
        return reportNew(cut(region, SizeClasses.OVERSIZE, size));
    }

    private @Nullable Region reserveAlone(int size, int kept) {
        Region region = regions.adopt(size, Region.mostAlone(size), kept);
        return region == null ? regions.allocate(size, 1, kept) : region;
    }

    /** Reserves the memory to keep. It is cut for the largest class that it can serve, and anew for the one that is asked for first. */
    void preallocate() {
        for (long left = slabs.keep; left >= classes.sizeOf(0); left -= regionSize) {
            int target = (int) Math.min(left, regionSize);
            int largest = classes.classOf(Math.min(target, classes.maxSize()));
            int sizeClass = classes.sizeOf(largest) > target ? largest - 1 : largest;
            int bytes = (int) withHeaderRoom(target, classes.sizeOf(sizeClass));
            regions.makeRoom(bytes);
            Region region = regions.allocateOrLarge(bytes, 0);
            Slot slot = region == null ? null : reportNew(cut(region, sizeClass, classes.sizeOf(sizeClass)));
            if (slot == null) {
                throw new PoolExhaustedException(pool.name(), bytes, regions.refusal(), pool.stats());
            }
            slabs.giveBack(slot);
        }
    }
}
