package dev.buffers.internal.memory;

import dev.buffers.BufferPolicy;
import dev.buffers.PoolSettings;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Allocates, drops and adopts (uses again) the regions of a pool. The policy allocates, the budget permits, the collector frees.
 *
 * <p>Any thread. The policy is called with no lock held; but the built-in direct policies, which are code of the JDK, are called under one
 * lock of the JVM (R2).
 */
public final class RegionAllocator {
    /*
     *   charge --> allocate --> reserved --drop--> dropped --the collector, or closed--> gone, credited
     *                              ^                  |
     *                              `------ adopt -----'
     *
     * R1  A region is charged before it is allocated. It stays charged, first as reserved and after drop() as dropped, until its
     *     memory is known to be gone. The charge of a failed allocation is credited at once.
     * R2  allocateDirect is called only when the JVM's own count of direct memory plus the size fits the JVM's limit, which is read once.
     *     Otherwise it would run System.gc() and sleep for half a second before it fails. Among built-in policies the check is exact,
     *     since check and allocation hold one lock; code outside this library can still allocate in between.
     * R3  Dropped memory is held weakly. It is adopted before anything new is allocated, unless it might still be written to (because its
     *     slab had a lost or discarded slot).
     * R4  Nothing is allocated between the end of a region's slab and drop(), which uses a link that was made with the region. A region
     *     that is lost in between comes back through its footprint, as a reserved region.
     *
     * The lock guards `reserved`, `dropped` and `adoptable`, and the fields of a footprint for these. `refusal` is volatile and holds the
     * last refusal of any thread.
     */
    private static final Object DIRECT = new Object();
    private static final int STEPS = 4;
    private static final long DIRECT_LIMIT = DirectLimit.limit();

    private final PoolState pool;
    private final BufferPolicy policy;
    private final String policyName;
    private final Budget budget;
    private final boolean prompt;

    /** Adoptable regions by size, as {@link #rowOf} says. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private final IntrusiveList<Region.Footprint>[] adoptable = new IntrusiveList[32 * STEPS];

    private long reserved;
    private long dropped;

    /** Why the last region was refused, for the message of the exception. */
    private volatile String refusal = "nothing was refused";

    public RegionAllocator(PoolState pool, BufferPolicy policy, Budget budget) {
        this.pool = pool;
        this.policy = policy;
        this.policyName = policy.name();
        this.budget = budget;
        this.prompt = pool.settings().free() == PoolSettings.Freeing.PROMPT;
        Arrays.setAll(adoptable, row -> new IntrusiveList<>());
        if (policy.direct()) {
            DirectLimit.used(); // loads its classes now, for the reason given in Preload
        }
    }

    /** Adopts the smallest dropped region of {@code least} to {@code most} bytes that is not being collected; null without one. */
    public synchronized @Nullable Region adopt(int least, int most) {
        Region best = null;
        for (int row = rowOf(least); best == null && row <= rowOf(most); row++) {
            for (IntrusiveList.Link<Region.Footprint> link = adoptable[row].first();
                    link != null && (best == null || best.bytes > least);
                    link = link.next()) {
                int bytes = link.it.bytes;
                if (bytes >= least && bytes <= most && (best == null || bytes < best.bytes)) {
                    Region region = link.it.adopt();
                    best = region == null ? best : region;
                }
            }
        }
        if (best != null) {
            Region.Footprint it = Objects.requireNonNull(best.footprint);
            it.adoptable.leave();
            it.isDropped = false;
            dropped -= best.bytes;
            reserved += best.bytes;
            FlightEvents.regionReserved(pool.name(), policyName, best.bytes, true);
        }
        return best;
    }

    /** Passes the size of each dropped region that could be adopted to {@code each}, under the lock. */
    public synchronized void eachAdoptable(IntConsumer each) {
        for (IntrusiveList<Region.Footprint> row : adoptable) {
            for (IntrusiveList.Link<Region.Footprint> link = row.first(); link != null; link = link.next()) {
                if (!link.it.isUnreachable()) {
                    each.accept(link.it.bytes);
                }
            }
        }
    }

    /** Whether the collector has begun to take a dropped region that is not credited yet. */
    public synchronized boolean isAnyUnreachable() {
        for (IntrusiveList<Region.Footprint> row : adoptable) {
            for (IntrusiveList.Link<Region.Footprint> link = row.first(); link != null; link = link.next()) {
                if (link.it.isUnreachable()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** There are as many rows per doubling as size classes. */
    private static int rowOf(int bytes) {
        int some = Math.max(STEPS, bytes);
        int doubling = 31 - Integer.numberOfLeadingZeros(some);
        return doubling * STEPS + (some >>> doubling - 2 & STEPS - 1);
    }

    /**
     * Allocates a region of {@code bytes}; null at the cap or when the JVM has no memory. Calls the policy.
     *
     * @throws IllegalStateException when the policy returns an unusable buffer
     */
    public @Nullable Region allocate(int bytes) {
        if (!charge(bytes)) {
            return null;
        }
        Region region = null;
        try {
            region = policy instanceof BuiltInPolicy ? allocateOurs(bytes) : allocateTheirs(bytes);
            if (region != null) {
                budget.track(Objects.requireNonNull(region.footprint));
                FlightEvents.regionReserved(pool.name(), policyName, bytes, false);
            }
            return region;
        } catch (OutOfMemoryError e) {
            refuse("the JVM is out of memory", e);
            return null;
        } finally {
            if (region == null) {
                credit(bytes);
            }
        }
    }

    private @Nullable Region allocateOurs(int bytes) {
        if (!policy.direct()) {
            return region(policy.allocate(bytes));
        }
        if (!prompt) {
            synchronized (DIRECT) {
                return fitsTheJvm(bytes) ? region(policy.allocate(bytes)) : null;
            }
        }
        ArenaMemory arena = new ArenaMemory();
        try {
            return new Region(arena.allocate(bytes), arena, budget.collected, this);
        } catch (Throwable e) {
            arena.tryClose();
            throw e;
        }
    }

    private Region region(ByteBuffer memory) {
        return new Region(memory, null, budget.collected, this);
    }

    private @Nullable Region allocateTheirs(int bytes) {
        if (policy.direct() && !fitsTheJvm(bytes)) {
            return null;
        }
        ByteBuffer memory = pool.allocate(policy, bytes);
        String wrong = wrong(memory, bytes);
        if (memory == null || wrong != null) {
            throw new IllegalStateException(
                    "policy " + wrong + ": policy=" + policyName + ", bytes asked for=" + bytes);
        }
        return region(
                memory.isDirect() ? memory : ByteBuffer.wrap(memory.array())); // the policy may have kept its buffer
    }

    /** Allocates plain heap memory for one lease, charged while the lease lasts or not at all; null at the cap or without heap. */
    public @Nullable Region allocatePlain(int bytes, Region.Charge charge) {
        boolean charges = charge != Region.Charge.NONE;
        if (charges && !charge(bytes)) {
            return null;
        }
        try {
            return new Region(ByteBuffer.allocate(bytes), charge);
        } catch (OutOfMemoryError e) {
            if (charges) {
                credit(bytes);
            }
            refuse("the JVM is out of memory", e);
            return null;
        }
    }

    /**
     * Drops a region after all its slots have ended. {@code reusable}: nothing can still write into it (R3). May be called under locks:
     * {@link #closeArenas} closes arenas later.
     */
    public synchronized void drop(Region region, boolean reusable) {
        region.forget();
        Region.Footprint it = region.footprint;
        if (it != null) {
            reserved -= region.bytes;
            dropped += region.bytes;
            it.isDropped = true;
            if (reusable && !it.isPrompt()) {
                adoptable[rowOf(region.bytes)].add(it.adoptable);
            }
            budget.drop(it);
            FlightEvents.regionDropped(pool.name(), policyName, region.bytes);
        } else if (region.charge == Region.Charge.WHILE_LEASED) {
            credit(region.bytes);
        }
    }

    /** As {@link Budget#collect}; closes no arena. */
    public long collect() {
        return budget.collect(0);
    }

    /** Closes arenas of dropped regions, for about that many nanoseconds. Called with no lock held. True when there is more room now. */
    public boolean closeArenas(long nanos) {
        return prompt && budget.collect(Long.MAX_VALUE, nanos) > 0;
    }

    /** Closes the arena of about one dropped region. Called with no lock held. True when there is more room now. */
    public boolean closeOneArena() {
        return prompt && budget.collect(budget.room() + 1) > 0;
    }

    /** Credits what is gone and closes arenas, of any pool, until that many bytes fit. True when there is more room now. */
    public boolean makeRoom(long bytes) {
        long before = budget.room();
        return budget.collect(Math.min(bytes, budget.max())) > 0 || budget.room() > before;
    }

    /** Called by the budget: the memory of a region is gone. */
    synchronized void onGone(Region.Footprint it) {
        if (it.isDropped) {
            it.adoptable.leave();
            dropped -= it.bytes;
        } else {
            reserved -= it.bytes; // the pool's own record of it was lost
        }
    }

    public long room() {
        return budget.room();
    }

    public long max() {
        return budget.max();
    }

    public synchronized long reservedBytes() {
        return reserved;
    }

    public synchronized long droppedBytes() {
        return dropped;
    }

    /** Whether there are dropped regions whose arenas could not be closed yet. */
    public boolean isClosing() {
        return prompt && droppedBytes() > 0;
    }

    /** Records a refusal for lack of heap; there may be no heap for the full reason either. */
    public void refuse(String reason, OutOfMemoryError why) {
        try {
            refusal = reason + ": " + why.getMessage();
        } catch (OutOfMemoryError e) {
            refusal = reason;
        }
    }

    public void refuse(String reason) {
        refusal = reason;
    }

    public String refusal() {
        return refusal;
    }

    private boolean charge(int bytes) {
        if (!budget.tryCharge(bytes)) {
            refusal = "the cap is reached";
            return false;
        }
        synchronized (this) {
            reserved += bytes;
        }
        return true;
    }

    private void credit(int bytes) {
        synchronized (this) {
            reserved -= bytes;
        }
        budget.credit(bytes);
    }

    private boolean fitsTheJvm(int bytes) {
        long used = DirectLimit.used();
        if (used + bytes <= DIRECT_LIMIT) {
            return true;
        }
        refusal = "the JVM's limit for direct memory is reached: used=" + used + ", limit=" + DIRECT_LIMIT;
        return false;
    }

    /** What is wrong with the buffer that the policy returned; null when it is usable. */
    private @Nullable String wrong(@Nullable ByteBuffer memory, int bytes) {
        if (memory == null) {
            return "returned null";
        } else if (memory.isReadOnly()) {
            return "returned a read-only buffer";
        } else if (memory.isDirect() != policy.direct()) {
            return "returned a " + (memory.isDirect() ? "direct" : "heap") + " buffer but says direct="
                    + policy.direct();
        } else if (memory.capacity() != bytes) {
            return "returned a buffer of another size: capacity=" + memory.capacity();
        } else if (memory.hasArray() && (memory.arrayOffset() != 0 || memory.array().length != bytes)) {
            return "returned a slice of a larger array: arrayOffset=" + memory.arrayOffset() + ", array.length="
                    + memory.array().length;
        } else if (memory.position() != 0 || memory.limit() != bytes) {
            return "returned a buffer in use: position=" + memory.position() + ", limit=" + memory.limit();
        }
        return null;
    }
}
