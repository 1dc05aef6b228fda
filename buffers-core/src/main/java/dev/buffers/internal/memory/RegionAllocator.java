// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.BufferPolicy;
import dev.buffers.PoolSettings;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Allocates, drops and adopts (uses again) the regions of a pool. The policy allocates, the budget permits, the collector frees.
 *
 * <p>Any thread. A user's policy is called with no lock held.
 */
public final class RegionAllocator implements Footprint.Owner {
    /*
     *   charge --> allocate --> reserved --drop--> dropped --the collector, or closed--> gone, credited
     *                              ^                  |
     *                              `------ adopt -----'
     *
     * R1  A region is charged before it is allocated. Its parts stay charged, first as reserved and after drop() as dropped, until their
     *     memory is known to be gone. The charge of a failed allocation is credited at once.
     * R2  allocateDirect is called only when the JVM's own count of direct memory plus the size fits the JVM's limit, which is read once.
     *     Otherwise it would run System.gc() and sleep for half a second before it fails. Among built-in policies the check is exact,
     *     since check and allocation hold one monitor; code outside this library can still allocate in between. A user's policy says
     *     whether its memory counts there.
     * R3  Dropped memory is held weakly. It is adopted before anything new is allocated, unless it might still be written to (because its
     *     slab had a lost or discarded slot).
     * R4  drop() allocates nothing: it uses links that were made with the region. An unused region is dropped under the monitor of
     *     SlabStore, and a block aside under that of BlockStore: a thread that looks there and then for dropped memory misses none. A
     *     region that its pool has lost comes back through its footprints, as a reserved region.
     * R5  While a waiter has its turn, a thread that takes memory for another one says how many bytes it leaves for that waiter (`kept`).
     *     Under the budget's monitor it takes no dropped part that the waiter can use as it is, no room unless so much of it is left, and no
     *     other dropped part unless room and dropped parts are left that add up to it. So neither room that grows by credits nor dropped
     *     memory that waits for the collector shrinks below what the waiter needs. Pools that share a budget do not know of each other's
     *     waiters.
     * R6  With `align` a part is the aligned piece of an allocation that is larger by `padding` bytes. These are not charged, but count for
     *     the JVM's limit. A part's footprint watches the entire allocation: views of the piece hold that, and not the piece.
     * R7  A large region can hold a slot of any class, or in a pool whose cap is less than max-size, of any class up to half of the cap. At
     *     every moment one is reserved, adoptable or being allocated (`largeRegions`), or there is room for one: the last `large` bytes of
     *     the cap go to a large region, whatever it is cut into. So with nothing leased every class is served: the large region is unused
     *     then, and is cut anew. Four things break this: memory that was lost or discarded is not used again; other pools take room of a
     *     shared budget; the JVM has less memory than the cap promises; an arena that an I/O uses cannot be closed. Then any region may be
     *     allocated. R7 holds again once a large region, or as much other memory, is gone.
     *     With an exact policy no part serves another class, and R7 does not apply.
     *
     * The budget's monitor guards `reserved`, `dropped`, `largeRegions` and `adoptable`, and the fields of a footprint for these.
     * `refusal`, `atDirectLimit` and `jvmLacksMemory` are volatile, and tell of the last allocation of any thread: hints.
     */
    private static final Object DIRECT = new Object();
    /** Size classes are multiples of it. */
    public static final int GRANULE = 128;

    private static final long NONE = -1;
    private static final long DIRECT_LIMIT = DirectLimit.limit();

    private final PoolState pool;
    private final BufferPolicy policy;
    private final String policyName;
    public final Budget budget;
    private final boolean prompt;
    private final int margin;
    private final int align;
    private final int padding;
    private final boolean views;
    private final boolean countsAsDirect;

    private final AdoptableParts adoptable = new AdoptableParts();

    /** The least bytes of a large region. */
    private final int large;

    private long reserved;
    private long dropped;
    private int largeRegions;

    /** Whether the last allocation was refused because of the JVM's limit for direct memory. */
    private volatile boolean atDirectLimit;

    /** Whether the JVM had no memory for the last allocation: because of that limit, or no heap. */
    private volatile boolean jvmLacksMemory;

    /** Why the last region was refused. */
    private volatile Refusal refusal = new Refusal("nothing was refused", NONE, null);

    public RegionAllocator(PoolState pool, BufferPolicy policy, Budget budget) {
        this(pool, policy, budget, pool.settings().free() == PoolSettings.Freeing.PROMPT, 0);
    }

    /**
     * The allocator of a pool with its own rules for memory.
     *
     * @param prompt whether memory comes from arenas, and not from the policy
     * @param margin the bytes that each part has more than are charged for it
     */
    public RegionAllocator(PoolState pool, BufferPolicy policy, Budget budget, boolean prompt, int margin) {
        this.pool = pool;
        this.policy = policy;
        this.policyName = policy.name();
        this.budget = budget;
        this.prompt = prompt;
        this.margin = margin;
        this.align = pool.settings().align();
        this.padding = align > 1 && !prompt ? align : 0;
        this.views = policy.views();
        this.countsAsDirect = policy.direct() && policy.countsAsDirect();
        int largest = largestClass(pool.settings().maxSize(), align);
        this.large = largest <= budget.max() ? largest : (int) (budget.max() / 2);
        if (prompt) {
            ArenaMemory.load();
        } else if (policy.direct()) {
            DirectLimit.used(); // loads its classes now, for the reason given in Preload
        }
    }

    /**
     * Adopts the smallest dropped part of {@code least} to {@code most} bytes that is not being collected and may be cut to {@code least}, as
     * a region; null without one.
     */
    public @Nullable Region adopt(int least, int most) {
        return adopt(least, most, 0);
    }

    /** The same, leaving {@code kept} bytes (R5). */
    public @Nullable Region adopt(int least, int most, int kept) {
        return adopt(least, most, 1, kept);
    }

    /** Adopts up to {@code most} dropped parts of exactly {@code bytes}, as one region, leaving {@code kept} bytes; null without any. */
    public @Nullable Region adoptParts(int bytes, int most, int kept) {
        return adopt(bytes, bytes, most, kept);
    }

    private @Nullable Region adopt(int least, int most, int parts, int kept) {
        if (adoptable.isEmpty()) {
            return null;
        }
        Region region = new Region(parts);
        synchronized (budget) {
            while (!region.hasAllParts() && adoptSmallest(least, most, kept, region)) {
                // and the next
            }
        }
        return region.footprints() == 0 ? null : region;
    }

    /** The size of the largest class of a pool with these settings. */
    public static int largestClass(int maxSize, int align) {
        int granule = Math.max(GRANULE, align);
        return Math.max(granule, maxSize + granule - 1 & -granule);
    }

    private boolean adoptSmallest(int least, int most, int kept, Region region) {
        Footprint part = adoptable.smallest(least, most);
        ByteBuffer memory = part == null ? null : part.memory();
        while (part != null && memory == null) { // the collector was faster
            part = adoptable.smallest(least, most);
            memory = part == null ? null : part.memory();
        }
        if (part == null || memory == null || kept > 0 && isKept(part, kept)) {
            return false;
        }
        ByteBuffer its = aligned(memory); // before anything changes: without heap the part stays where it is
        budget.adopt(part);
        adoptable.remove(part);
        part.isDropped = false;
        dropped -= part.bytes;
        reserved += part.bytes;
        region.add(its, part);
        region.isAdopted = true;
        return true;
    }

    /** With the budget's monitor held: whether a part must be left for a waiter that needs so many bytes (R5). */
    private boolean isKept(Footprint part, int kept) {
        boolean fits = views && part.bytes >= kept && !part.exactOnly;
        return fits || budget.room() + dropped - part.bytes < kept;
    }

    /**
     * Allocates a region for {@code count} slots of {@code bytes}: one part for all, or one for each with an exact policy, which may be
     * fewer than asked for. Null at the cap or when the JVM has no memory. Calls the policy.
     *
     * @throws IllegalStateException when the policy returns an unusable buffer
     */
    public @Nullable Region allocate(int bytes, int count) {
        return allocate(bytes, count, 0);
    }

    /** The same, leaving {@code kept} bytes of the cap (R5). */
    public @Nullable Region allocate(int bytes, int count, int kept) {
        int parts = views ? 1 : count;
        int each = views ? bytes * count : bytes;
        boolean charged;
        synchronized (budget) {
            charged = chargeHeld(each, parts, kept);
        }
        return allocateRegion(charged, each, parts, kept);
    }

    /**
     * Allocates a region of one part, of {@code least} bytes, or a large one if only a large one may take this room (R7). Leaves {@code kept}
     * bytes of the cap (R5).
     */
    public @Nullable Region allocateOrLarge(int least, int kept) {
        int bytes = least;
        boolean charged;
        synchronized (budget) {
            long room = budget.room();
            if (least < large && largeRegions == 0 && room >= large && room - least < large) {
                bytes = large;
            }
            charged = chargeHeld(bytes, 1, kept);
        }
        Region region = allocateRegion(charged, bytes, 1, kept);
        return region == null && charged && bytes > least ? allocate(least, 1, kept) : region;
    }

    /** With the budget's monitor held. */
    private boolean chargeHeld(int each, int parts, int kept) {
        boolean charged = chargeHeld(each * parts, kept);
        largeRegions += charged && isLarge(each) ? 1 : 0;
        return charged;
    }

    private boolean chargeHeld(int bytes, int kept) {
        boolean charged = bytes <= budget.room() - kept && budget.charge(bytes);
        reserved += charged ? bytes : 0;
        return charged;
    }

    private boolean isLarge(int bytes) {
        return views && bytes >= large;
    }

    private @Nullable Region allocateRegion(boolean charged, int each, int parts, int kept) {
        if (!charged) {
            refuseAtCap(kept);
            return null;
        }
        Region region = null;
        try {
            region = allocateCharged(each, parts);
            return region;
        } finally {
            if (isLarge(each)) {
                synchronized (budget) {
                    if (region == null) {
                        largeRegions--;
                    } else {
                        region.footprint(0).isLarge = true;
                    }
                }
            }
        }
    }

    /** With the budget's monitor held: from now on the pool will not use this memory. */
    private void discount(Footprint it) {
        largeRegions -= it.isLarge ? 1 : 0;
        it.isLarge = false;
    }

    /** The same for bytes that were charged: {@code parts} parts of {@code each}. Credits those of the parts that are not made. */
    public @Nullable Region allocateCharged(int each, int parts) {
        int made = 0;
        Region region = null;
        try {
            region = new Region(parts);
            while (made < parts && allocatePart(each, region)) {
                made++;
            }
        } catch (OutOfMemoryError e) {
            refuse("the JVM is out of memory", e);
        } catch (Throwable e) { // other languages throw checked exceptions from anywhere
            if (region != null) {
                drop(region); // the next allocation adopts its parts
            }
            throw e;
        } finally {
            if (made < parts) {
                credit((parts - made) * each);
            }
        }
        return made == 0 ? null : region;
    }

    /** Adds a new part to the region; false when the JVM has no room for it. */
    private boolean allocatePart(int charged, Region region) {
        int bytes = charged <= Integer.MAX_VALUE - 2 * margin ? charged + margin : charged;
        if (prompt) {
            ArenaMemory arena = new ArenaMemory();
            try {
                add(arena.allocate(bytes, align), charged, arena, region);
            } catch (Throwable e) {
                arena.tryClose();
                throw e;
            }
        } else if (!(policy instanceof BuiltInPolicy)) {
            int all = padded(bytes);
            if (countsAsDirect && !fitsTheJvm(all)) {
                return false;
            }
            add(PolicyMemory.allocate(pool, policy, all), charged, null, region);
        } else if (!countsAsDirect) {
            add(policy.allocate(bytes), charged, null, region);
        } else {
            int all = padded(bytes);
            synchronized (DIRECT) {
                if (!fitsTheJvm(all)) {
                    return false;
                }
                add(policy.allocate(all), charged, null, region);
            }
        }
        jvmLacksMemory = false;
        return true;
    }

    private void add(ByteBuffer memory, int charged, @Nullable ArenaMemory arena, Region region) {
        Footprint footprint = new Footprint(memory, charged, arena, this);
        budget.track(footprint);
        region.add(aligned(memory), footprint);
    }

    private int padded(int bytes) {
        if (bytes > Integer.MAX_VALUE - padding) {
            throw new OutOfMemoryError("an aligned buffer has at most " + (Integer.MAX_VALUE - padding) + " bytes");
        }
        return bytes + padding;
    }

    /** The part of this memory from the first aligned address on, without the padding. */
    private ByteBuffer aligned(ByteBuffer memory) {
        return padding == 0
                ? memory
                : memory.slice(align - 1 & -memory.alignmentOffset(0, align), memory.capacity() - padding);
    }

    /** Records a region that was allocated or adopted; does nothing when that was done before. Called with no lock held. */
    public void reportOnce(Region region) {
        if (!region.isReported.getAndSet(true) && region.footprints() > 0) {
            FlightEvents.regionReserved(pool.name(), policyName, region.bytes(), region.isAdopted);
        }
    }

    /**
     * Allocates plain heap memory for one lease, charged while the lease lasts or not at all; null at the cap, of which {@code kept} bytes
     * are left, or without heap.
     */
    public @Nullable Region allocatePlain(int bytes, Region.Charge charge, int kept) {
        boolean charges = charge != Region.Charge.NONE;
        if (charges && !charge(bytes, kept)) {
            return null;
        }
        try {
            Region plain = new Region(ByteBuffer.allocate(bytes), charge);
            if (charges) { // memory beyond the cap may be of another kind than the policy's
                jvmLacksMemory = false;
            }
            return plain;
        } catch (OutOfMemoryError e) {
            if (charges) {
                credit(bytes);
            }
            refuse("the JVM is out of memory", e);
            return null;
        }
    }

    /**
     * Drops a region after all its slots have ended. The caller calls {@link #reportDrop} later, with no lock held; {@link #closeArenas}
     * closes arenas.
     */
    public void drop(Region region) {
        synchronized (budget) {
            for (int i = 0; i < region.footprints(); i++) {
                Footprint it = region.footprint(i);
                if (budget.drop(it)) {
                    reserved -= it.bytes;
                    dropped += it.bytes;
                    it.isDropped = true;
                    if (region.isReusable && !it.isPrompt()) {
                        adoptable.add(it);
                    } else {
                        discount(it);
                    }
                }
            }
        }
        if (region.charge == Region.Charge.WHILE_LEASED) {
            credit(region.bytes());
        }
        region.forget(); // last: until here it holds the memory
    }

    /** Records that a region was dropped. Called with no lock held. */
    public void reportDrop(Region region) {
        if (region.footprints() > 0) {
            FlightEvents.regionDropped(pool.name(), policyName, region.bytes());
        }
    }

    /** Closes arenas of dropped regions, for about that many nanoseconds. Called with no lock held. True when there is more room now. */
    public boolean closeArenas(long nanos) {
        return prompt && budget.collect(Long.MAX_VALUE, nanos) > 0;
    }

    /** Closes the arena of about one dropped region. Called with no lock held. True when there is more room now. */
    public boolean closeOneArena() {
        return prompt && budget.collect(budget.room() + 1) > 0;
    }

    /** Credits memory that is gone and closes arenas, of any pool, until that many bytes fit. */
    public void makeRoom(long bytes) {
        budget.collect(Math.min(bytes, budget.max()));
    }

    @Override
    public void gone(Footprint it) {
        discount(it);
        if (it.isDropped) {
            adoptable.remove(it);
            dropped -= it.bytes;
        } else {
            reserved -= it.bytes; // the pool's own record of it was lost
        }
    }

    /** Reserved bytes; without the monitor, a hint. */
    public long reservedBytesPlain() {
        return reserved;
    }

    /** Reserved and dropped bytes of one moment, whose sum is never more than the cap. */
    public long[] reservedAndDropped() {
        synchronized (budget) {
            return new long[] {reserved, dropped};
        }
    }

    public long droppedBytes() {
        return reservedAndDropped()[1];
    }

    /** Whether there are dropped regions whose arenas could not be closed yet. */
    public boolean isClosing() {
        return prompt && droppedBytes() > 0;
    }

    /** Whether nothing is left to credit: no region, none that is just being allocated, and none that was dropped. */
    public boolean isEmpty() {
        long[] held = reservedAndDropped();
        return held[0] + held[1] == 0;
    }

    /** Its text is made when it is asked for, with no lock held. */
    private record Refusal(
            String reason, long directUsed, @Nullable OutOfMemoryError why) {
        static final Refusal AT_CAP = new Refusal("the cap is reached", NONE, null);
        static final Refusal KEPT =
                new Refusal("the cap is reached, and memory that comes free is kept for a waiter", NONE, null);

        String text() {
            String used = directUsed == NONE ? "" : ": used=" + directUsed + ", limit=" + DIRECT_LIMIT;
            return reason + (why == null ? used : ": " + why.getMessage());
        }
    }

    /** Records a refusal for lack of heap; there may be no heap for this either. */
    public void refuse(String reason, OutOfMemoryError why) {
        jvmLacksMemory = true;
        try {
            refusal = new Refusal(reason, NONE, why);
        } catch (OutOfMemoryError e) {
            // The message gives an older reason.
        }
    }

    /** Records that the cap is reached, of which {@code kept} bytes are left for a waiter. */
    public void refuseAtCap(int kept) {
        atDirectLimit = false;
        refusal = kept > 0 ? Refusal.KEPT : Refusal.AT_CAP;
    }

    public String refusal() {
        Refusal last = refusal;
        long others;
        synchronized (budget) {
            others = budget.charged() - reserved - dropped;
        }
        boolean atCap = last == Refusal.AT_CAP || last == Refusal.KEPT;
        return last.text() + (atCap && others > 0 ? "; other pools hold " + others + " of it" : "");
    }

    /** Charges bytes that {@link #allocateCharged} or {@link #credit} gets later; false at the cap, of which {@code kept} are left (R5). */
    public boolean charge(int bytes, int kept) {
        boolean charged;
        synchronized (budget) {
            charged = chargeHeld(bytes, kept);
        }
        if (!charged) {
            refuseAtCap(kept);
        }
        return charged;
    }

    /** Credits bytes for which there is no memory. */
    public void credit(int bytes) {
        synchronized (budget) {
            reserved -= bytes;
            budget.credit(bytes);
        }
    }

    public boolean isAtDirectLimit() {
        return atDirectLimit;
    }

    /** Whether the JVM had no memory when an allocation was last tried: then room under the cap is no memory. */
    public boolean jvmLacksMemory() {
        return jvmLacksMemory;
    }

    /** Whether so many bytes fit under the cap besides those kept, and the JVM most likely has them. Credits memory that is gone. */
    public boolean hasRoom(int bytes, int kept) {
        makeRoom((long) bytes + kept);
        return budget.room() - kept >= bytes && !jvmLacksMemory;
    }

    /** How many bytes there are as room that the JVM most likely has, or will be once a collection has taken what this pool has dropped. */
    public long withinReach() {
        synchronized (budget) {
            return dropped + (jvmLacksMemory ? 0 : budget.room());
        }
    }

    private boolean fitsTheJvm(int bytes) {
        long used = DirectLimit.used();
        boolean fits = used + bytes <= DIRECT_LIMIT;
        atDirectLimit = !fits;
        if (!fits) {
            jvmLacksMemory = true;
            refusal = new Refusal("the JVM's limit for direct memory is reached", used, null);
        }
        return fits;
    }
}
