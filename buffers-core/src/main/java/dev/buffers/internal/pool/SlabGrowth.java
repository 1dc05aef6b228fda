package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
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
 * <p>Any thread. Takes locks, allocates, and calls the policy with no lock held.
 */
final class SlabGrowth {
    /*
     * 1. an unused region (none of its slots is out), cut anew; if the pool has RECUT_FROM bytes, once more after all cached slots that
     *    this thread can reach are returned
     * 2. a dropped region (given up, but the collector has not taken it yet), adopted
     * 3. a new region
     * 4. 1 to 3 once more, after cached slots are returned and the magazines of other threads are revoked
     * 5. a dropped region of any size
     *
     * Growth is geometric: the next region of a class is as large as all it has, between the first one and region-size, so that using every
     * class once stays cheap. The first one has FIRST_BYTES; of slots from TWO_SLOTS_FROM on it holds at least two, of slots from
     * ONE_SLOT_FROM on one. Below RECUT_FROM no magazine or depot is emptied for another class before the pool grows: two sizes that take
     * turns would cut each other's slabs anew forever. Before the pool grows, magazines of other threads are revoked only if a quarter of
     * the pool is idle in slabs of other classes.
     *
     * One thread at a time grows a class, and looks again first. So threads that all miss at once share one region. A
     * user's policy is called with no lock held, so there each of these threads may make a region.
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
    private final HandOff handOff;
    private final boolean pooled;
    private final long regionSize;
    private final boolean views;
    private final boolean array;
    private final Object @Nullable [] growing;

    SlabGrowth(
            SlotOwner pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            Reclaiming reclaiming,
            HandOff handOff) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.reclaiming = reclaiming;
        this.handOff = handOff;
        this.regionSize = pool.settings().regionSize();
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.views = pool.settings().policy().views();
        this.array = views && !pool.settings().policy().direct();
        this.growing = pool.settings().policy() instanceof BuiltInPolicy ? new Object[classes.count()] : null;
        if (growing != null) {
            Arrays.setAll(growing, i -> new Object());
        }
    }

    /**
     * Finds up to {@code most} slots of a class anywhere but in its own slabs, and returns them linked; null without any. The wake-ups that
     * follow run when no lock is held any more.
     */
    @Nullable Slot grow(int sizeClass, int most) {
        regions.makeRoom(regionSize);
        return handOff.batch(() -> {
            if (growing == null) {
                return growNow(sizeClass, most);
            }
            synchronized (growing[sizeClass]) {
                Slot found = slabs.take(sizeClass, most);
                return found != null ? found : growNow(sizeClass, most);
            }
        });
    }

    private @Nullable Slot growNow(int sizeClass, int most) {
        int size = classes.sizeOf(sizeClass);
        Region region = slabs.takeUnused(size, !views);
        if (region == null && regions.reservedBytes() >= RECUT_FROM) {
            Slot found = reclaimAndTake(sizeClass, most);
            if (found != null) {
                return found;
            }
            region = slabs.takeUnused(size, !views);
            if (region == null && views && slabs.idleElsewhere(sizeClass) >= regions.reservedBytes() / 4) {
                reclaiming.revokeElsewhere();
                region = slabs.takeUnused(size, false);
            }
        }
        region = region == null ? reserve(sizeClass, size) : region;
        if (region == null) {
            Slot found = reclaimAndTake(sizeClass, most);
            if (found == null) {
                reclaiming.revokeElsewhere();
                found = slabs.take(sizeClass, most);
            }
            if (found != null) {
                return found;
            }
            region = slabs.takeUnused(size, !views);
            region = region == null ? reserve(sizeClass, size) : region;
            region = region == null ? adoptAnyOrGiveUp(size) : region;
        }
        return region == null ? null : cutAndTake(region, sizeClass, size, most);
    }

    /**
     * The last resort: adopts a dropped region of any size. Without one, drops the unused regions, none of which fits. Their bytes return
     * to the budget once the collector has them; until then any thread that can use them adopts them. What was preallocated is dropped too.
     */
    private @Nullable Region adoptAnyOrGiveUp(int size) {
        Region region = views ? regions.adopt(size, Integer.MAX_VALUE) : null;
        if (region == null) {
            slabs.dropUnused(0);
        }
        return region;
    }

    /** Cuts a region and takes slots from it; if there is no heap for that, drops it. A slab without a class ends with its one lease. */
    private @Nullable Slot cutAndTake(Region region, int sizeClass, int size, int most) {
        Slot first = null;
        try {
            Slab slab = new Slab(pool, region, sizeClass, size);
            if (sizeClass == SizeClasses.OVERSIZE) {
                slab.condemn();
            }
            first = slabs.addAndTake(slab, most);
        } catch (OutOfMemoryError e) {
            regions.drop(region, false); // not reusable: to cut it would only fail again
            regions.refuse("the JVM is out of memory while cutting a slab", e);
        }
        if (pool.isClosed()) {
            reclaiming.closeSlabs();
        }
        return first;
    }

    private @Nullable Slot reclaimAndTake(int sizeClass, int most) {
        reclaiming.reclaim();
        return slabs.take(sizeClass, most);
    }

    private @Nullable Region reserve(int sizeClass, int size) {
        long target = views ? targetBytes(sizeClass, size) : size;
        Region region = regions.adopt(size, (int) Math.max(target, views ? regionSize : size));
        while (region == null && target >= size) {
            long fits = Math.min(target, regions.room()) / size * size;
            if (fits == 0) {
                regions.refuse("the cap is reached");
                return null;
            }
            region = regions.allocate((int) fits);
            target = fits / 2;
        }
        return region;
    }

    private long targetBytes(int sizeClass, int size) {
        int first =
                size >= ONE_SLOT_FROM ? size : size >= TWO_SLOTS_FROM ? Math.max(FIRST_BYTES, 2 * size) : FIRST_BYTES;
        long wanted = Math.max(size, Math.min(regionSize, Math.max(first, slabs.carvedBytes(sizeClass))));
        // An array of exactly n G1 regions takes n + 1 of them, because of its header.
        boolean leaveHeaderRoom = array && wanted >= HUMONGOUS_FROM && wanted / size >= HEADER_ROOM_FROM_SLOTS;
        return (leaveHeaderRoom ? wanted - ARRAY_HEADER : wanted) / size * size;
    }

    /** A counted slot that shares its region with no other: of the pool's memory, or plain heap memory if the policy pools nothing. */
    @Nullable Slot alone(int size) {
        if (!pooled) {
            return unpooled(size, Region.Charge.WHILE_LEASED);
        }
        Region region = reserveAlone(size);
        return region == null ? null : alone(region, region.bytes, AcquireOutcome.OVERSIZE);
    }

    /** A counted slot in plain heap memory of its own; null when there is no memory for it. */
    @Nullable Slot unpooled(int size, Region.Charge charge) {
        Region region = regions.allocatePlain(size, charge);
        return region == null ? null : alone(region, size, AcquireOutcome.UNPOOLED);
    }

    private @Nullable Slot alone(Region region, int size, AcquireOutcome outcome) {
        Slot one = cutAndTake(region, SizeClasses.OVERSIZE, size, 1);
        if (one != null) {
            pool.counters.acquired(outcome, SizeClasses.OVERSIZE);
        }
        return one;
    }

    /** Whether there is room for {@code size} bytes now. Every thread can use afterwards what was found for this. */
    boolean hasRoom(int size, int sizeClass) {
        if (sizeClass != SizeClasses.OVERSIZE) {
            Slot one = reclaimAndTake(sizeClass, 1);
            one = one == null ? grow(sizeClass, 1) : one;
            if (one != null) {
                slabs.countCut(one.slab); // for no acquire
            }
            handOff.giveBack(one);
            return one != null;
        }
        Region region = pooled ? reserveAlone(size) : regions.allocatePlain(size, Region.Charge.WHILE_LEASED);
        if (region != null && pooled) {
            slabs.addUncut(region);
            if (pool.isClosed()) {
                reclaiming.closeSlabs();
            }
        } else if (region != null) {
            regions.drop(region, true);
        }
        return region != null;
    }

    /** A region for one slot that is larger than any class. */
    private @Nullable Region reserveAlone(int size) {
        for (int attempt = 0; ; attempt++) {
            regions.makeRoom(size);
            Region region = regions.adopt(size, Region.mostAlone(size));
            region = region == null ? regions.allocate(size) : region;
            if (region != null) {
                return region;
            }
            if (attempt == 1) {
                region = slabs.takeUnused(size, false);
                return region == null ? adoptAnyOrGiveUp(size) : region;
            }
            reclaiming.reclaim();
            reclaiming.revokeElsewhere();
        }
    }

    void preallocate() {
        long left = SlabStore.preallocated(pool.settings());
        while (left > 0) {
            int bytes = (int) Math.min(left, regionSize);
            regions.makeRoom(bytes);
            Region region = regions.allocate(bytes);
            if (region == null) {
                throw new PoolExhaustedException(pool.name(), bytes, regions.refusal(), pool.stats());
            }
            slabs.addUncut(region);
            left -= bytes;
        }
    }
}
