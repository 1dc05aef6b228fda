package dev.buffers.internal.pool;

import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.LostLeases;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.Preallocated;
import dev.buffers.internal.slab.SlabStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Brings free slots back into their slabs, from every cache and every thread, and gives back the memory of a pool that trims or closes.
 *
 * <p>Any thread, with no lock held: wake-ups of users may follow.
 */
final class Reclaiming {
    /** For how long close waits for others, and how long it takes to close arenas: each time every thread must answer, busy or not. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** For how long it waits for releases that are under way, and may never come. */
    private static final long RELEASING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final PoolState pool;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final Caches caches;
    private final LostLeases lostLeases;
    private final HandOff handOff;
    private final Revocation revocation;

    Reclaiming(
            PoolState pool,
            RegionAllocator regions,
            SlabStore slabs,
            Caches caches,
            LostLeases lostLeases,
            HandOff handOff) {
        this.pool = pool;
        this.regions = regions;
        this.slabs = slabs;
        this.caches = caches;
        this.lostLeases = lostLeases;
        this.handOff = handOff;
        this.revocation = new Revocation(slabs);
    }

    /** Brings back every free slot that this thread can reach: depots, its own magazines, dead threads', stripes. */
    void reclaim() {
        // One cache after the other: a thread that looks meanwhile need not wait for all of this.
        handOff.batch(() -> caches.drain(handOff::giveBack, handOff::track));
        collect();
    }

    /** Gives what this thread's magazine has of a class to the threads that wait for it. */
    void flushOwn(int sizeClass) {
        caches.threads.flushOwn(sizeClass, handOff::giveBack);
    }

    /** Revokes what other threads' magazines hold, whether they are asleep or not. */
    void revokeElsewhere() {
        if (caches.threads.holdElsewhere() || revocation.isPending()) {
            handOff.transfer(() -> revocation.revokeNow(caches::peekElsewhere));
            serveAll();
        }
    }

    /** Revokes the free slots of these places, and brings back what was revoked a while ago. */
    void revokeLater(Revocation.Places places) {
        revocation.revokeLater(places);
    }

    /** Hears what the collector has found: leases that were lost, and memory that is gone. */
    void collect() {
        boolean heard = lostLeases.collect();
        if ((regions.collect() > 0 || heard) && handOff.hasWaiters()) {
            handOff.offerRoom();
        }
    }

    /** By the tick: what dead threads have left. */
    void sweep() {
        handOff.transfer(() -> caches.sweep(handOff::giveBack));
    }

    /** By the tick: what lies in the depots and no thread has needed since the last time. */
    void reapDepots() {
        caches.reap(handOff::giveBackUnused, handOff::transfer);
    }

    /** By the tick: what an I/O was using as it was released, and is no more. */
    void landed() {
        caches.landed(handOff::giveBack);
    }

    /** Gives back all memory that is not leased, but for what is preallocated. Says how many bytes. */
    long trim() {
        reclaim();
        revocation.revokeNow(slabs::eachOut);
        serveAll();
        long bytes = slabs.dropUnused(Preallocated.bytes(pool.settings()));
        pool.counters.trimmedBytes.addAndGet(bytes);
        handOff.closeArenas();
        serveAll();
        return bytes;
    }

    private void serveAll() {
        if (handOff.hasWaiters()) {
            handOff.serveAll();
        }
    }

    /** The pool has closed: gives back what is not leased, and wakes every waiter. */
    void close() {
        try {
            reclaim();
        } finally {
            try {
                closeSlabs();
            } finally { // the tick does again what has found no heap
                handOff.callAll();
                handOff.closeArenas(CLOSING_NANOS);
            }
        }
    }

    /** Waits a while for what others are just moving, and less for releases that may never come; what takes longer, the tick closes. */
    void closeSlabs() {
        long start = System.nanoTime();
        while (!closeOnce(System.nanoTime() - start < RELEASING_NANOS) && System.nanoTime() - start < CLOSING_NANOS) {
            LockSupport.parkNanos(50_000);
        }
    }

    /** False when free slots are still out, apart from those without a view unless these are {@code awaited}. */
    boolean closeOnce(boolean awaited) {
        revocation.revokeNow(slabs::eachOut);
        return slabs.close(awaited);
    }
}
