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
 * Cuts regions into slabs: unused, dropped or new ones, for an acquire or for a waiter. It empties no cache.
 *
 * <p>Any thread, with no lock held. Takes locks, allocates, and calls the policy.
 */
final class Cutting {
    /*
     * Growth is geometric: the next region of a class is as large as all it has, between the first one and region-size, so that using every
     * class once stays cheap. The first one has FIRST_BYTES; of slots from TWO_SLOTS_FROM on it holds at least two, of slots from
     * ONE_SLOT_FROM on one.
     *
     * The last bytes of the cap go to a large region, as RegionAllocator says (R7). In a pool of less than SMALL_POOL bytes, regions for
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
    private static final int ADOPT_ANY = Integer.MAX_VALUE;
    static final long SMALL_POOL = 8 << 20;
    private static final int FIRST_BYTES = 64 << 10;
    private static final int TWO_SLOTS_FROM = 16 << 10;
    private static final int ONE_SLOT_FROM = 128 << 10;
    private static final int HUMONGOUS_FROM = 512 << 10;
    private static final int HEADER_ROOM_FROM_SLOTS = 16;
    private static final int ARRAY_HEADER = 16;

    private final SlotOwner pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final WaitQueue waitQueue;
    private final boolean pooled;
    private final int regionSize;
    private final boolean views;
    private final boolean array;
    private final boolean builtIn;
    private final long oneOfEach;
    private final Object[] growing;

    Cutting(SlotOwner pool, SizeClasses classes, RegionAllocator regions, SlabStore slabs, WaitQueue waitQueue) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.waitQueue = waitQueue;
        this.regionSize = Math.toIntExact(pool.settings().regionSize());
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.views = pool.settings().policy().views();
        this.array = views && !pool.settings().policy().direct();
        this.builtIn = pool.settings().policy() instanceof BuiltInPolicy;
        this.oneOfEach = Math.min(sumOf(classes), regions.budget.max() - FIRST_BYTES);
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

    /** How far a search goes for memory to cut. */
    enum Reach {
        /** To the unused regions. */
        UNUSED,
        /** Also to dropped regions of at most the usual size, and to new ones. */
        NEW,
        /** Also to dropped regions of any size. */
        ANY
    }

    /** Finds a free slot for a waiter; allocates only if it {@code may}. */
    @Nullable Slot findFor(WaitQueue.Waiter waiter, boolean may) {
        int bytes = waiter.bytes;
        int sizeClass = waiter.sizeClass;
        if (sizeClass != SizeClasses.OVERSIZE) {
            return obtain(waiter, sizeClass, Reach.ANY, may);
        }
        int kept = waitQueue.keptFrom(waiter, bytes);
        return pooled ? alone(bytes, Reach.ANY, kept, may) : unpooled(bytes, Region.Charge.WHILE_LEASED, kept);
    }

    /** Finds a free slot without a class, of at least so many bytes. Leaves {@code kept} bytes; allocates only if it {@code may}. */
    @Nullable Slot alone(int bytes, Reach reach, int kept, boolean may) {
        Region region = regions.adopt(bytes, Region.mostAlone(bytes), kept);
        region = region == null && may ? regions.allocate(bytes, 1, kept) : region;
        if (region == null && reach == Reach.ANY) {
            region = slabs.takeUnused(bytes, kept);
            region = region == null && views ? regions.adopt(bytes, ADOPT_ANY, kept) : region;
        }
        return region == null ? null : cutAlone(region, region.bytes());
    }

    /** Finds a free slot for this thread, as {@code reach} says. */
    @Nullable Slot obtain(int sizeClass, Reach reach) {
        return obtain(null, sizeClass, reach, true);
    }

    /** Takes a free slot from a slab, or cuts a region. Leaves the memory that is kept for a waiter. */
    private @Nullable Slot obtain(WaitQueue.@Nullable Waiter waiter, int sizeClass, Reach reach, boolean may) {
        int size = classes.sizeOf(sizeClass);
        int kept = waitQueue.keptFrom(waiter, size);
        boolean callsPolicy = may && !builtIn && reach != Reach.UNUSED;
        Slot found = null;
        synchronized (growing[sizeClass]) { // it shows what the thread before has placed
            Region region = null;
            if (reach == Reach.ANY || slabs.seemsToSupply(sizeClass, views)) {
                SlabStore.Supply supply = slabs.supply(sizeClass, size, views, kept);
                found = supply.slot;
                region = supply.unused;
            }
            if (found == null) {
                if (region == null && reach != Reach.UNUSED) {
                    long target = targetBytes(size, slabs.carvedBytesPlain(sizeClass));
                    region = adopt(size, regionSize, target, kept);
                    region = region == null && may && builtIn ? allocate(size, target, kept) : region;
                    region = region == null && reach == Reach.ANY && !callsPolicy
                            ? adopt(size, ADOPT_ANY, target, kept)
                            : region;
                }
                found = region == null ? null : cut(region, sizeClass, size);
            }
        }
        if (found == null && callsPolicy) {
            Region region = allocate(size, targetBytes(size, slabs.carvedBytesPlain(sizeClass)), kept);
            found = region == null ? null : cut(region, sizeClass, size);
            if (found == null && reach == Reach.ANY) {
                return obtain(waiter, sizeClass, reach, false);
            }
        }
        return reportNew(found);
    }

    /** Adopts a dropped region of at most {@code most} bytes, or of one slot; with an exact policy, parts for {@code target} bytes. */
    private @Nullable Region adopt(int size, int most, long target, int kept) {
        return views
                ? regions.adopt(size, Math.max(size, most), kept)
                : regions.adoptParts(size, (int) (target / size), kept);
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

    /** A region of so many bytes, or as large as there is room for. */
    private @Nullable Region allocate(int size, long due, int kept) {
        if (regions.budget.room() - kept < size) {
            regions.refuseAtCap(kept);
            return null;
        }
        Region region = null;
        for (long target = due; region == null && target >= size; target = multiple(target / 2, size)) {
            long room = regions.budget.room() - kept;
            target = target <= room ? target : multiple(room, size);
            if (target < size) {
                regions.refuseAtCap(kept);
                return null;
            }
            region = views
                    ? regions.allocateOrLarge((int) target, kept)
                    : regions.allocate(size, (int) Math.max(1, Math.min(target, room - oneOfEach) / size), kept);
        }
        return region;
    }

    /** As large a region as a class is due that has so many bytes in slots. */
    private long targetBytes(int size, long carved) {
        int first =
                size >= ONE_SLOT_FROM ? size : size >= TWO_SLOTS_FROM ? Math.max(FIRST_BYTES, 2 * size) : FIRST_BYTES;
        long due = Math.max(first, carved);
        due += isUniform(size) ? FIRST_BYTES - 1 : 0; // carved bytes may be a little less than its regions have
        return multiple(withHeaderRoom(Math.max(size, Math.min(regionSize, due)), size), size);
    }

    private boolean isUniform(int size) {
        return views && regions.budget.max() < SMALL_POOL && size <= FIRST_BYTES / 2;
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

    /** A free slot in plain heap memory. */
    @Nullable Slot unpooled(int size, Region.Charge charge, int kept) {
        Region region = regions.allocatePlain(size, charge, kept);
        return region == null ? null : cutAlone(region, size);
    }

    /** Cuts a region into one slot without a class. */
    private @Nullable Slot cutAlone(Region region, int size) {
        return reportNew(cut(region, SizeClasses.OVERSIZE, size));
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
