package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.failsafe.AllocationFreeLock;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.slab.Preallocated;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where slots come from when a class's own have run out: the order in which regions are found.
 *
 * <p>Any thread. Takes locks, allocates, and calls the policy with no lock held.
 */
final class SlabGrowth {
    /*
     * An unused region cut anew, first those at home, then, in a pool that is not small, with all idle slots brought home ->
     * dropped region -> new region -> everything brought home, other threads' magazines revoked, and all of this once
     * more -> dropped regions of any size.
     *
     * Growth is geometric: a class's next region is as large as all it has, between FIRST_BYTES and region-size, so that
     * touching every class once stays cheap. Below RECUT_FROM no magazine or depot is emptied for the sake of
     * another class before the pool grows: two sizes that take turns would cut each other's slabs anew for ever. Magazines of
     * other threads are revoked before that only when a quarter of the pool lies idle in other classes' slabs.
     *
     * One thread at a time grows a class, and who came second looks again first: a herd of threads that all miss at once
     * shares one region. A user's policy is called with no lock held, so there a herd is a herd.
     */
    private static final int FIRST_BYTES = 64 << 10;
    private static final int FEW_SLOTS_FROM = 16 << 10;
    private static final int ONE_SLOT_FROM = 128 << 10;
    private static final long RECUT_FROM = 8 << 20;
    private static final int HUMONGOUS_FROM = 512 << 10;
    private static final int FEW_SLOTS = 16;
    private static final int ARRAY_HEADER = 16;

    private final SlotOwner pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Reclaiming reclaiming;
    private final HandOff handOff;
    private final boolean pooled;
    private final boolean views;
    private final boolean array;
    private final AllocationFreeLock @Nullable [] growing;

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
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.views = pool.settings().policy().views();
        this.array = views && !pool.settings().policy().direct();
        this.growing = pool.settings().policy() instanceof BuiltInPolicy ? locks(classes.count()) : null;
    }

    private static AllocationFreeLock[] locks(int count) {
        AllocationFreeLock[] locks = new AllocationFreeLock[count];
        Arrays.setAll(locks, i -> new AllocationFreeLock());
        return locks;
    }

    /**
     * More slots of a class from anywhere but its own slabs; up to {@code most} into {@code into}. Says how many, and less than 0 when a
     * slab was cut for that. The wake-ups that follow from it come when no lock is held any more.
     */
    int grow(int sizeClass, Slot[] into, int most) {
        int[] got = new int[1];
        regions.makeRoom(pool.settings().regionSize());
        handOff.batch(() -> got[0] = growOne(sizeClass, into, most));
        return got[0];
    }

    private int growOne(int sizeClass, Slot[] into, int most) {
        if (growing == null) {
            return growNow(sizeClass, into, most);
        }
        AllocationFreeLock mine = growing[sizeClass];
        boolean second = !mine.tryLock();
        if (second) {
            mine.lock();
        }
        try {
            int n = second ? slabs.take(sizeClass, into, most) : 0;
            return n > 0 ? n : growNow(sizeClass, into, most);
        } finally {
            mine.unlock();
        }
    }

    private int growNow(int sizeClass, Slot[] into, int most) {
        int size = classes.sizeOf(sizeClass);
        Region region = slabs.takeUnused(size, !views);
        if (region == null && regions.reservedBytes() >= RECUT_FROM) {
            int n = reclaimAndTake(sizeClass, into, most);
            if (n > 0) {
                return n;
            }
            region = slabs.takeUnused(size, !views);
            if (region == null && views && slabs.idleElsewhere(sizeClass) >= regions.reservedBytes() / 4) {
                reclaiming.revokeElsewhere();
                region = slabs.takeUnused(size, false);
            }
        }
        if (region == null) {
            region = reserve(sizeClass, size);
        }
        if (region == null) {
            int n = reclaimAndTake(sizeClass, into, most);
            if (n == 0) {
                reclaiming.revokeElsewhere();
                n = slabs.take(sizeClass, into, most);
            }
            if (n > 0) {
                return n;
            }
            region = slabs.takeUnused(size, !views);
            region = region == null ? reserve(sizeClass, size) : region;
            region = region == null && views ? regions.adopt(size, Integer.MAX_VALUE) : region;
        }
        if (region == null) {
            giveUpUnfit();
            return 0;
        }
        return -cutAndTake(region, sizeClass, into, most);
    }

    /**
     * Unused regions, none of which fits: they come back to the budget once the collector has them, and until then whoever can use
     * them adopts them. What was preallocated goes too, since a refusal is the last resort.
     */
    private void giveUpUnfit() {
        slabs.dropUnused(0);
    }

    private int cutAndTake(Region region, int sizeClass, Slot[] into, int most) {
        int n = 0;
        try {
            n = slabs.addAndTake(new Slab(pool, region, sizeClass, classes.sizeOf(sizeClass)), into, most);
        } catch (OutOfMemoryError e) {
            giveUpUncut(region, e);
        }
        if (pool.isClosed()) {
            reclaiming.closeSlabs();
        }
        return n;
    }

    /** There was no heap to cut it: nothing of it is in use. */
    private void giveUpUncut(Region region, OutOfMemoryError e) {
        regions.drop(region, false); // whoever adopted it would only fail again
        regions.refuse("the JVM is out of memory while cutting a slab", e);
    }

    private int reclaimAndTake(int sizeClass, Slot[] into, int most) {
        reclaiming.reclaim();
        return slabs.take(sizeClass, into, most);
    }

    private @Nullable Region reserve(int sizeClass, int size) {
        long target = views ? targetBytes(sizeClass, size) : size;
        Region region = regions.adopt(
                size, (int) Math.max(target, views ? pool.settings().regionSize() : size));
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
                size >= ONE_SLOT_FROM ? size : size >= FEW_SLOTS_FROM ? Math.max(FIRST_BYTES, 2 * size) : FIRST_BYTES;
        long most = pool.settings().regionSize();
        long wanted = Math.max(size, Math.min(most, Math.max(first, slabs.carvedBytes(sizeClass))));
        // An array of exactly one or more of G1's regions takes one more of them, for its header.
        boolean shy = array && wanted >= HUMONGOUS_FROM && wanted / size >= FEW_SLOTS;
        return (shy ? wanted - ARRAY_HEADER : wanted) / size * size;
    }

    /** A slot that shares its region with none, counted: of the pool's memory, or plain heap memory if the policy pools nothing. */
    @Nullable Slot alone(int size) {
        return pooled ? oversize(size) : unpooled(size, Region.Charge.WHILE_LEASED);
    }

    /** Whether there is room for {@code size} bytes now. What was found for that lies open to all afterwards. */
    boolean hasRoom(int size, int sizeClass) {
        if (sizeClass != SizeClasses.OVERSIZE) {
            Slot[] one = new Slot[1];
            int n = reclaimAndTake(sizeClass, one, 1);
            n = n == 0 ? Math.abs(grow(sizeClass, one, 1)) : n;
            handOff.giveBack(one, n);
            return n > 0;
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

    /** A slot in a region of its own, counted; null when that is not to be had. */
    private @Nullable Slot oversize(int size) {
        Region region = reserveAlone(size);
        return region == null ? null : alone(region, region.bytes, AcquireOutcome.OVERSIZE);
    }

    /** The same in plain heap memory. */
    @Nullable Slot unpooled(int size, Region.Charge charge) {
        Region region = regions.allocatePlain(size, charge);
        return region == null ? null : alone(region, size, AcquireOutcome.UNPOOLED);
    }

    /** A region for one slot that is larger than any class. */
    private @Nullable Region reserveAlone(int size) {
        for (int attempt = 0; ; attempt++) {
            regions.makeRoom(size);
            Region region = regions.adopt(size, Region.mostAlone(size));
            region = region == null ? regions.allocate(size) : region;
            if (region != null || attempt == 1) {
                region = region == null ? slabs.takeUnused(size, false) : region;
                region = region == null && views ? regions.adopt(size, Integer.MAX_VALUE) : region;
                if (region == null) {
                    giveUpUnfit();
                }
                return region;
            }
            reclaiming.reclaim();
            reclaiming.revokeElsewhere();
        }
    }

    /** The one slot of a region, counted; null when there is no heap for it. */
    private @Nullable Slot alone(Region region, int size, AcquireOutcome outcome) {
        Slot[] one;
        try {
            one = new Slot[1];
            Slab slab = new Slab(pool, region, SizeClasses.OVERSIZE, size);
            slab.condemn(); // it ends with its lease
            slabs.addAndTake(slab, one, 1);
        } catch (OutOfMemoryError e) {
            giveUpUncut(region, e);
            return null;
        }
        pool.counters.acquired(outcome, SizeClasses.OVERSIZE);
        return one[0];
    }

    void preallocate() {
        long left = Preallocated.bytes(pool.settings());
        while (left > 0) {
            int bytes = (int) Math.min(left, pool.settings().regionSize());
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
