package dev.buffers.internal.pool;

import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Returns free slots to their slabs from every cache and every thread, and drops the memory of a pool that trims or closes.
 *
 * <p>Any thread, with no lock held, because wake-ups of users may follow.
 */
final class Reclaiming {
    /** How long close waits for other threads, and how long it closes arenas: each arena needs an answer of every thread, busy or not. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long close waits for releases that have begun and may never end. */
    private static final long RELEASING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final PoolState pool;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Caches caches;
    private final LeakTracker leaks;
    private final HandOff handOff;
    private final Revocation revocation;

    Reclaiming(
            PoolState pool,
            RegionAllocator regions,
            SlabStore slabs,
            Caches caches,
            LeakTracker leaks,
            HandOff handOff) {
        this.pool = pool;
        this.regions = regions;
        this.slabs = slabs;
        this.caches = caches;
        this.leaks = leaks;
        this.handOff = handOff;
        this.revocation = new Revocation(slabs);
    }

    /** Returns every free slot that this thread can reach: depots, its own magazines, those of dead threads, stripes. */
    void reclaim() {
        // One cache after the other: a thread that looks meanwhile need not wait for all of them.
        handOff.batch(() -> {
            caches.drain(handOff::giveBack, handOff::track);
            return null;
        });
        collect();
    }

    /** Gives this thread's cached slots of a class to the threads that wait for that class. */
    void flushOwn(int sizeClass) {
        caches.threads.flushOwn(sizeClass, handOff::giveBack);
    }

    /** Revokes the slots in other threads' magazines, whether these threads sleep or not. */
    void revokeElsewhere() {
        handOff.transfer(() -> {
            if (revocation.revokeNow(caches.threads::peekElsewhere) > 0) {
                handOff.serveAll();
            }
        });
    }

    /** Revokes the free slots of these places, and returns what was revoked a while ago to its slabs. */
    void revokeWithoutPause(Consumer<Consumer<Slot>> places) {
        revocation.revokeWithoutPause(places);
    }

    /** Handles what the collector has found: lost leases, and regions whose memory is gone. */
    void collect() {
        boolean found = leaks.collect();
        if (regions.collect() > 0 || found) {
            handOff.offerRoom();
        }
    }

    /** Called by the tick: returns the slots that dead threads have left. */
    void sweep() {
        handOff.transfer(() -> caches.threads.sweep(false, handOff::giveBack));
    }

    /** Called by the tick: returns the slots in the depots that no thread has needed since the last tick. */
    void reapDepots() {
        caches.reap(first -> handOff.giveBack(first, true), handOff::transfer);
    }

    /** Drops all memory that is not leased, except what is preallocated. Says how many bytes. */
    long trim() {
        reclaim();
        revocation.revokeNow(slabs::eachOut);
        handOff.serveAll();
        long bytes = slabs.dropUnused(SlabStore.preallocated(pool.settings()));
        pool.counters.trimmedBytes.addAndGet(bytes);
        handOff.closeArenas(Long.MAX_VALUE);
        handOff.serveAll();
        return bytes;
    }

    /** Called once the pool is closed: gives back what is not leased, and wakes every waiter. */
    void close() {
        try {
            reclaim();
        } finally {
            try {
                closeSlabs();
            } finally { // the tick repeats what failed for want of heap
                handOff.callAll();
                handOff.closeArenas(CLOSING_NANOS);
            }
        }
    }

    /** Waits for slots that others are just moving, and less long for releases that may never end; the tick closes the rest. */
    void closeSlabs() {
        long start = System.nanoTime();
        while (!closeOnce(System.nanoTime() - start < RELEASING_NANOS) && System.nanoTime() - start < CLOSING_NANOS) {
            LockSupport.parkNanos(50_000);
        }
    }

    /** Closes the slabs; false when free slots are still outside them. Slots without a view count only if they are {@code awaited}. */
    boolean closeOnce(boolean awaited) {
        revocation.revokeNow(slabs::eachOut);
        return slabs.close(awaited);
    }
}
