// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
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
     * 4. 1 to 3 once more, after cached slots are returned and the magazines of other threads are revoked; if slots moved between caches
     *    in that time, where no thread could find them, after all free slots of the class are revoked
     * 5. a dropped region of any size
     *
     * Growth is geometric: the next region of a class is as large as all it has, between the first one and region-size, so that using every
     * class once stays cheap. The first one has FIRST_BYTES; of slots from TWO_SLOTS_FROM on it holds at least two, of slots from
     * ONE_SLOT_FROM on one. Below RECUT_FROM no magazine or depot is emptied for another class before the pool grows: two sizes that take
     * turns would cut each other's slabs anew permanently. Before the pool grows, magazines of other threads are revoked only if a quarter
     * of the pool is idle in slabs of other classes.
     *
     * With an exact policy a slab has one allocation a slot. It serves no other class; when it is dropped, its parts are adopted by size.
     *
     * A monitor for each class admits one thread at a time, which looks again first. So threads that all miss at once share one region.
     * Under it one region is allocated by a built-in policy and cut, and nothing else. A user's policy is called with no lock held, so there
     * each of these threads may make a region.
     */
    private static final int FIRST_BYTES = 64 << 10;
    private static final int TWO_SLOTS_FROM = 16 << 10;
    private static final int ONE_SLOT_FROM = 128 << 10;
    private static final long RECUT_FROM = 8 << 20;
    private static final int HUMONGOUS_FROM = 512 << 10;
    private static final int HEADER_ROOM_FROM_SLOTS = 16;
    private static final int ARRAY_HEADER = 16;

    private final SlotOwner pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Reclaiming reclaiming;
    private final boolean pooled;
    private final int regionSize;
    private final boolean views;
    private final boolean array;
    private final Object @Nullable [] growing;

    SlabGrowth(SlotOwner pool, SizeClasses classes, RegionAllocator regions, SlabStore slabs, Reclaiming reclaiming) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.reclaiming = reclaiming;
        this.regionSize = Math.toIntExact(pool.settings().regionSize());
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.views = pool.settings().policy().views();
        this.array = views && !pool.settings().policy().direct();
        this.growing = pool.settings().policy() instanceof BuiltInPolicy ? new Object[classes.count()] : null;
        if (growing != null) {
            Arrays.setAll(growing, i -> new Object());
        }
    }

    long max() {
        return regions.max();
    }

    /** Why the last region was refused. */
    String refusal() {
        return regions.refusal();
    }

    /** Finds up to {@code most} free slots of a class anywhere, and returns them linked; null without any. */
    @Nullable Slot find(int sizeClass, int most) {
        long moves = reclaiming.finishedMoves();
        regions.makeRoom(regionSize);
        Slot found = recut(sizeClass, most);
        if (found == null && regions.reservedBytes() >= RECUT_FROM) {
            reclaiming.reclaim();
            found = takeOrRecut(sizeClass, most);
            if (found == null && views && slabs.idleElsewhere(classes, sizeClass) >= regions.reservedBytes() / 4) {
                reclaiming.revokeElsewhere();
                found = takeOrRecut(sizeClass, most);
            }
        }
        if (found != null) {
            return found;
        }
        found = grow(sizeClass, most);
        if (found == null) {
            reclaiming.reclaim();
            found = slabs.take(sizeClass, most);
        }
        if (found == null) {
            reclaiming.revokeElsewhere();
            if (reclaiming.hasMovedSince(moves)) {
                slabs.revokeAll();
            }
            found = takeOrRecut(sizeClass, most);
        }
        found = found == null ? grow(sizeClass, most) : found;
        if (found == null) {
            int size = classes.sizeOf(sizeClass);
            Region any = adoptAnyOrGiveUp(size);
            if (any != null) {
                return cutAndTake(any, sizeClass, size, most);
            }
            regions.makeAllRoom(size);
            found = grow(sizeClass, most);
        }
        return found;
    }

    /** Finds a free slot for a waiter; empties no cache, and allocates only if it {@code may}. */
    @Nullable Slot findFor(int bytes, int sizeClass, boolean may) {
        if (sizeClass == SizeClasses.OVERSIZE) {
            if (!pooled) {
                return unpooled(bytes, Region.Charge.WHILE_LEASED);
            }
            Region region = may ? reserveAlone(bytes) : regions.adopt(bytes, Region.mostAlone(bytes));
            region = region == null ? slabs.takeUnused(bytes) : region;
            return region == null ? null : cutAlone(region, region.bytes());
        }
        Slot found = takeOrRecut(sizeClass, 1);
        if (found == null && may) {
            return grow(sizeClass, 1);
        }
        Region region = found == null
                ? adopt(classes.sizeOf(sizeClass), targetBytes(sizeClass, classes.sizeOf(sizeClass)))
                : null;
        return region == null ? found : cutAndTake(region, sizeClass, classes.sizeOf(sizeClass), 1);
    }

    private @Nullable Slot takeOrRecut(int sizeClass, int most) {
        Slot found = slabs.take(sizeClass, most);
        return found == null ? recut(sizeClass, most) : found;
    }

    /** Cuts an unused region anew. */
    private @Nullable Slot recut(int sizeClass, int most) {
        int size = classes.sizeOf(sizeClass);
        Region region = views ? slabs.takeUnused(size) : null;
        return region == null ? null : cutAndTake(region, sizeClass, size, most);
    }

    /** Takes slots from a region that is adopted or new. */
    private @Nullable Slot grow(int sizeClass, int most) {
        int size = classes.sizeOf(sizeClass);
        if (growing == null) {
            return reportNew(growNow(sizeClass, size, most));
        }
        Slot found;
        synchronized (growing[sizeClass]) {
            found = slabs.take(sizeClass, most);
            found = found == null ? growNow(sizeClass, size, most) : found;
        }
        return reportNew(found);
    }

    private @Nullable Slot growNow(int sizeClass, int size, int most) {
        Region region = reserve(sizeClass, size);
        return region == null ? null : cut(region, sizeClass, size, most);
    }

    /**
     * The last resort: adopts a dropped region of any size. Without one, drops the unused regions, none of which fits. The bytes of an
     * arena return to the budget by {@code makeRoom}, others once the collector has them; until then any thread that can use them adopts
     * them. What was preallocated is dropped too.
     */
    private @Nullable Region adoptAnyOrGiveUp(int size) {
        Region region = views ? regions.adopt(size, Integer.MAX_VALUE) : null;
        if (region == null) {
            slabs.dropUnused(0);
        }
        return region;
    }

    private @Nullable Slot cutAndTake(Region region, int sizeClass, int size, int most) {
        return reportNew(cut(region, sizeClass, size, most));
    }

    /** Cuts a region and takes slots from it; without heap for that, gives it up. A slab without a class ends with its one lease. */
    private @Nullable Slot cut(Region region, int sizeClass, int size, int most) {
        try {
            Slab slab = new Slab(pool, region, sizeClass, size);
            if (sizeClass == SizeClasses.OVERSIZE) {
                slab.condemn();
            }
            return slabs.addAndTake(slab, most);
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

    private @Nullable Region reserve(int sizeClass, int size) {
        long target = targetBytes(sizeClass, size);
        Region region = adopt(size, target);
        while (region == null && target >= size) {
            int slots = (int) (Math.min(target, regions.room()) / size);
            if (slots <= 0) {
                regions.refuseAtCap();
                return null;
            }
            region = regions.allocate(size, slots);
            target = (long) slots * size / 2;
        }
        return region;
    }

    private @Nullable Region adopt(int size, long target) {
        return views
                ? regions.adopt(size, (int) Math.max(target, regionSize))
                : regions.adoptParts(size, (int) (target / size));
    }

    private long targetBytes(int sizeClass, int size) {
        int first =
                size >= ONE_SLOT_FROM ? size : size >= TWO_SLOTS_FROM ? Math.max(FIRST_BYTES, 2 * size) : FIRST_BYTES;
        long wanted = Math.max(size, Math.min(regionSize, Math.max(first, slabs.carvedBytes(sizeClass))));
        // An array of exactly n G1 regions takes n + 1 of them, because of its header.
        boolean leaveHeaderRoom = array && wanted >= HUMONGOUS_FROM && wanted / size >= HEADER_ROOM_FROM_SLOTS;
        return (leaveHeaderRoom ? wanted - ARRAY_HEADER : wanted) / size * size;
    }

    /** A free slot that shares its region with no other: of the pool's memory, or plain heap memory if the policy pools nothing. */
    @Nullable Slot alone(int size) {
        if (!pooled) {
            regions.makeRoom(size);
            return unpooled(size, Region.Charge.WHILE_LEASED);
        }
        for (int attempt = 0; ; attempt++) {
            regions.makeRoom(size);
            Region region = reserveAlone(size);
            if (region == null && attempt == 1) {
                region = slabs.takeUnused(size);
                region = region == null ? adoptAnyOrGiveUp(size) : region;
                if (region == null) {
                    regions.makeAllRoom(size);
                    region = reserveAlone(size);
                }
            }
            if (region != null || attempt == 1) {
                return region == null ? null : cutAlone(region, region.bytes());
            }
            reclaiming.reclaim();
            reclaiming.revokeElsewhere();
        }
    }

    /** A free slot in plain heap memory; null when there is no memory for it. */
    @Nullable Slot unpooled(int size, Region.Charge charge) {
        Region region = regions.allocatePlain(size, charge);
        return region == null ? null : cutAlone(region, size);
    }

    private @Nullable Slot cutAlone(Region region, int size) {
        return cutAndTake(region, SizeClasses.OVERSIZE, size, 1);
    }

    private @Nullable Region reserveAlone(int size) {
        Region region = regions.adopt(size, Region.mostAlone(size));
        return region == null ? regions.allocate(size, 1) : region;
    }

    void preallocate() {
        long left = SlabStore.preallocated(pool.settings());
        while (left > 0) {
            int bytes = (int) Math.min(left, regionSize);
            regions.makeRoom(bytes);
            Region region = regions.allocate(bytes, 1);
            if (region == null) {
                throw new PoolExhaustedException(pool.name(), bytes, regions.refusal(), pool.stats());
            }
            regions.reportOnce(region);
            slabs.addUncut(region);
            left -= bytes;
        }
    }
}
