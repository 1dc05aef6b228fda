// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.cache.ThreadTable;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where free slots lie, and in which order they are looked for: magazines, a depot for each size class, slabs, and regions that can be cut.
 *
 * <p>Any thread, with no lock held. Takes locks, allocates, and calls the policy and wake-ups.
 */
final class FreeSlots {
    /*
     *   an acquire looks into                                    a release puts the slot into
     *     its magazine, or a stripe    SlabPool, SlowAcquire       its magazine, or a stripe    SlabPool, SlowRelease
     *     the depot, the fullest slab  take                        the depot, or its slab       put
     *     regions                      find
     *
     * find tries, in this order:
     *
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
     *
     * What waiters get does not lie here: HandOff asks Cutting for it.
     *
     * A batch that moves between a magazine and a depot or slab is counted (Moves). The slot that an acquire is about to return, or that a
     * release has just freed, is not: no other thread needs to find it.
     */
    private static final int SEARCHES = 3;

    /** How long close closes arenas: each arena needs an answer of every thread, busy or not. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(1);

    final ThreadCaches threads;

    private final ThreadTable pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Cutting cutting;
    private final HandOff handOff;
    private final WaitQueue waitQueue;
    private final AtomicReferenceArray<Depot> depots;
    private final boolean pooled;
    private final int regionSize;
    private final boolean views;

    FreeSlots(
            ThreadTable pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            ThreadCaches threads,
            Cutting cutting,
            HandOff handOff) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.threads = threads;
        this.cutting = cutting;
        this.handOff = handOff;
        this.waitQueue = handOff.waitQueue();
        this.depots = new AtomicReferenceArray<>(classes.count());
        this.regionSize = Math.toIntExact(pool.settings().regionSize());
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.views = pool.settings().policy().views();
    }

    /** The depot of a class. It is made when it is first needed; a look-up is one load. */
    Depot depot(int sizeClass) {
        Depot depot = depots.getAcquire(sizeClass);
        if (depot == null) {
            depots.compareAndSet(sizeClass, null, new Depot(classes.sizeOf(sizeClass)));
            depot = Objects.requireNonNull(depots.getAcquire(sizeClass));
        }
        return depot;
    }

    private void eachDepot(Consumer<Depot> visit) {
        for (int c = 0; c < depots.length(); c++) {
            Depot depot = depots.getAcquire(c);
            if (depot != null) {
                visit.accept(depot);
            }
        }
    }

    /** Takes a free slot from the depot or a slab: with a grant a batch, of which the magazine gets the rest. It may be revoked. Null also when it misses one. */
    @Nullable Slot take(int sizeClass, Magazine magazine) {
        Depot depot = depot(sizeClass);
        if (depot.hasBatches() || magazine.isGranted() && slabs.seemsToHaveFree(sizeClass)) {
            depot.moves.begin();
            try {
                return takeBatch(depot, sizeClass, magazine);
            } finally {
                depot.moves.end();
            }
        }
        Slot loose = depot.takeLoose();
        return loose == null && slabs.seemsToHaveFree(sizeClass) ? slabs.take(sizeClass, 1) : loose;
    }

    private @Nullable Slot takeBatch(Depot depot, int sizeClass, Magazine magazine) {
        boolean hasGrant = magazine.isGranted();
        Slot first = hasGrant ? depot.takeBatch() : null;
        first = first != null ? first : depot.takeLoose();
        int most = hasGrant && !handOff.hasWaiters(sizeClass) ? depot.batchSize : 1;
        first = first != null ? first : slabs.take(sizeClass, most);
        first = first != null ? first : depot.takeBatch();
        if (first == null) {
            return null;
        }
        Slot rest = first.next;
        first.next = null;
        if (rest != null && magazine.tryClaim()) {
            if (magazine.isGranted() && magazine.isEmpty()) {
                magazine.load(rest);
                rest = null;
            }
            magazine.unclaim();
        }
        handOff.giveBack(rest);
        return first;
    }

    /** Puts a free slot that the magazine did not take where the next acquire looks for it. */
    void put(Slot slot, @Nullable ThreadCache own, @Nullable Magazine full) {
        int sizeClass = slot.sizeClass();
        Depot depot = depot(sizeClass);
        Magazine magazine = threads.prepare(own, full, sizeClass);
        if (!magazine.isGranted() || !exchange(depot, slot, magazine)) {
            afterDepot(slot, depot.putLoose(slot));
        }
    }

    /** Puts a slot into a magazine, from which a batch goes to the depot if it is full; false when another thread has claimed it. */
    private boolean exchange(Depot depot, Slot slot, Magazine magazine) {
        depot.moves.begin();
        try {
            if (!magazine.tryClaim()) {
                return false;
            }
            Slot batch = magazine.isGranted() && magazine.isFull() ? magazine.unload(depot.batchSize) : null;
            boolean put = magazine.put(slot);
            magazine.unclaim();
            if (batch != null) {
                afterDepot(batch, depot.putBatch(batch));
            }
            return put;
        } finally {
            depot.moves.end();
        }
    }

    /** Puts a slot that a channel has kept into this thread's magazine, if that has room, or else into the depot. */
    void putKept(Slot slot) {
        Magazine own = pool.current(slot.sizeClass());
        if (own == null || !own.put(slot)) {
            afterDepot(slot, depot(slot.sizeClass()).putLoose(slot));
        }
    }

    /**
     * After the depot was asked to take these slots: returns them to their slabs if it had no room. Serves the waiters that have come since
     * then: they may have looked into the depot before the slots were in it.
     */
    private void afterDepot(Slot first, boolean taken) {
        int sizeClass = first.sizeClass();
        if (!taken) {
            giveBack(first);
        }
        VarHandle.fullFence(); // a relaxed offer is only a release
        if (handOff.hasWaiters(sizeClass)) {
            emptyDepot(sizeClass);
        }
    }

    /** Returns linked free slots of one class to the waiters or their slabs, and closes about one arena if their slab dissolved. */
    void giveBack(Slot first) {
        handOff.giveBack(first);
        handOff.closeArenas(first);
    }

    /** Returns the free slots of a class that lie in the depot. */
    void emptyDepot(int sizeClass) {
        depot(sizeClass).drain(handOff::giveBack);
    }

    /** The waiters of a class come before this thread: they get what its magazine holds. */
    void flushForWaiters(int sizeClass) {
        if (handOff.hasWaiters(sizeClass)) {
            threads.flushOwn(sizeClass, handOff::giveBack);
        }
    }

    /**
     * Finds a free slot of a class in a slab, a depot or a magazine, or in a new region. Null only when no slot has been free there from
     * the beginning to the end. Unless the caller {@code insists}, it empties no cache at the cap, and drops no memory.
     *
     * @param own the current thread's magazines, as {@link ThreadCaches#own} has found them
     */
    @Nullable Slot find(int sizeClass, @Nullable ThreadCache own, boolean insists) {
        return find(sizeClass, own, insists, 0);
    }

    /** @param begun how many moves of this class the caller itself has begun and not ended */
    private @Nullable Slot find(int sizeClass, @Nullable ThreadCache own, boolean insists, int begun) {
        regions.makeRoom(regionSize);
        if (!insists && regions.budget.room() < classes.sizeOf(sizeClass)) {
            return cutting.obtain(sizeClass, Cutting.Reach.NEW);
        }
        Slot found = null;
        if (regions.budget.charged() >= Cutting.SMALL_POOL // read without a monitor
                && regions.reservedBytesPlain() >= Cutting.SMALL_POOL) {
            found = findCached(sizeClass, own);
        }
        found = found == null ? cutting.obtain(sizeClass, Cutting.Reach.NEW) : found;
        if (found != null || !insists) {
            return found;
        }
        for (int left = SEARCHES; found == null && left > 0; left--) {
            long moves = finishedMoves(sizeClass) + begun;
            found = search(sizeClass, own);
            if (found == null && !hasMovedSince(sizeClass, moves)) {
                return null;
            }
        }
        found = found == null ? slabs.revokeAndTake(sizeClass) : found;
        return found == null ? search(sizeClass, own) : found;
    }

    /** For {@link #hasMovedSince}. */
    long finishedMoves(int sizeClass) {
        return depot(sizeClass).moves.finished() + threads.moves.finished();
    }

    /** Whether free slots of this class may have moved between lists since {@link #finishedMoves} returned this number. */
    boolean hasMovedSince(int sizeClass, long finished) {
        return depot(sizeClass).moves.begun() + threads.moves.begun() != finished;
    }

    /** Finds a free slot in a slab, or an unused region, if need be after the caches that this thread can reach are emptied. */
    private @Nullable Slot findCached(int sizeClass, @Nullable ThreadCache own) {
        Slot found = supplied(sizeClass);
        if (found == null) {
            reclaim(own);
            found = supplied(sizeClass);
        }
        if (found == null && views && slabs.idleElsewhere(sizeClass) >= regions.reservedBytesPlain() / 4) {
            revokeElsewhere();
        }
        return found;
    }

    private @Nullable Slot supplied(int sizeClass) {
        return slabs.seemsToSupply(sizeClass, views) ? cutting.obtain(sizeClass, Cutting.Reach.UNUSED) : null;
    }

    /** Empties the caches, and tries every source of memory. */
    private @Nullable Slot search(int sizeClass, @Nullable ThreadCache own) {
        reclaim(own);
        Slot found = slabs.seemsToHaveFree(sizeClass) ? slabs.take(sizeClass, 1) : null;
        if (found == null) { // also if the hint was true and another thread took the slot
            revokeElsewhere();
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

    /** A free slot that shares its region with no other: of the pool's memory, or plain heap memory if the policy pools nothing. */
    @Nullable Slot alone(int size) {
        regions.makeRoom(size);
        int kept = waitQueue.keptFrom(null, size);
        if (!pooled) {
            return cutting.unpooled(size, Region.Charge.WHILE_LEASED, kept);
        }
        Slot found = cutting.alone(size, Cutting.Reach.NEW, kept, true);
        if (found != null) {
            return found;
        }
        reclaim(threads.own());
        revokeElsewhere();
        regions.makeRoom(size);
        found = cutting.alone(size, Cutting.Reach.ANY, kept, true);
        if (found == null) {
            slabs.dropUnusedFor(size);
        }
        for (int left = SEARCHES; found == null && left > 0; left = regions.isClosing() ? left - 1 : 0) {
            regions.makeRoom(size);
            found = cutting.alone(size, Cutting.Reach.NEW, kept, true);
        }
        return found;
    }

    /** A free slot in plain heap memory beyond the cap; null when there is no memory for it. */
    @Nullable Slot beyond(int size) {
        return cutting.unpooled(size, Region.Charge.NONE, 0);
    }

    /** Whether an acquire of so many bytes would succeed now: finds a slot, and returns it to its slab. */
    boolean hasRoom(int bytes, int sizeClass) {
        if (sizeClass == SizeClasses.OVERSIZE) {
            return regions.hasRoom(bytes, waitQueue.keptFrom(null, bytes)) || giveBackUncounted(alone(bytes));
        }
        Depot depot = depot(sizeClass);
        depot.drain(handOff::giveBack);
        depot.moves.begin();
        try {
            return giveBackUncounted(find(sizeClass, threads.own(), true, 1));
        } finally {
            depot.moves.end();
        }
    }

    private boolean giveBackUncounted(@Nullable Slot slot) {
        if (slot == null) {
            return false;
        }
        slot.slab.countCut(); // for no acquire
        handOff.giveBack(slot);
        return true;
    }

    long max() {
        return regions.budget.max();
    }

    /** Why the last region was refused. */
    String refusal() {
        return regions.refusal();
    }

    /** Returns every free slot that this thread can reach: depots, its own magazines, those of dead threads, stripes. */
    void reclaim(@Nullable ThreadCache own) {
        if (own != null) {
            threads.flush(own, handOff::giveBack);
        }
        threads.sweep(true, handOff::giveBack);
        eachDepot(depot -> depot.drain(handOff::giveBack));
    }

    /** Revokes the slots in other threads' magazines, whether these threads sleep or not. */
    private void revokeElsewhere() {
        int[] revoked = new int[1];
        threads.peekElsewhere(slot -> revoked[0] += slabs.revoke(slot) ? 1 : 0);
        if (revoked[0] > 0) {
            handOff.serve();
        }
    }

    /** Called by the tick, at most once a second: returns the slots that dead threads have left. */
    void sweep() {
        threads.tick();
        threads.sweep(false, handOff::giveBack);
    }

    /** Called by the tick: returns the slots in the depots that no thread has needed since the last tick. */
    void reapDepots() {
        eachDepot(depot -> depot.reap(handOff::giveBack));
    }

    /** Returns all free slots to their slabs, also those in other threads' magazines and in return stacks, and serves the waiters. */
    void gather() {
        reclaim(threads.own());
        slabs.revokeAll();
        handOff.serve();
    }

    /** Drops all memory that is neither leased nor preallocated. Returns the number of bytes. */
    long trim() {
        gather();
        long bytes = slabs.dropUnused(false);
        pool.counters.trimmedBytes.addAndGet(bytes);
        handOff.closeArenas(Long.MAX_VALUE);
        handOff.serve();
        return bytes;
    }

    /** Called once the pool is closed: gives back all memory that is not leased, and wakes every waiter. */
    void close() {
        try {
            reclaim(threads.own());
        } finally {
            try {
                slabs.close();
            } finally { // the tick repeats what failed for want of heap
                waitQueue.wakeAll();
                handOff.closeArenas(CLOSING_NANOS);
            }
        }
    }
}
