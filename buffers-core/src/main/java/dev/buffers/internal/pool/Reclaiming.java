// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SlabStore;
import java.util.concurrent.TimeUnit;

/**
 * Returns free slots to their slabs from every cache and every thread, and drops the memory of a pool that trims or closes.
 *
 * <p>Any thread, with no lock held, because wake-ups of users may follow.
 */
final class Reclaiming {
    /** How long close closes arenas: each arena needs an answer of every thread, busy or not. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PoolState pool;
    private final SlabStore slabs;
    private final Caches caches;
    private final HandOff handOff;

    Reclaiming(PoolState pool, SlabStore slabs, Caches caches, HandOff handOff) {
        this.pool = pool;
        this.slabs = slabs;
        this.caches = caches;
        this.handOff = handOff;
    }

    /** For {@link #hasMovedSince}. */
    long finishedMoves(int sizeClass) {
        return caches.depot(sizeClass).moves.finished() + caches.threads.moves.finished();
    }

    /** Whether free slots of this class may have moved between lists since {@link #finishedMoves} returned this number. */
    boolean hasMovedSince(int sizeClass, long finished) {
        return caches.depot(sizeClass).moves.begun() + caches.threads.moves.begun() != finished;
    }

    /** Returns every free slot that this thread can reach: depots, its own magazines, those of dead threads, stripes. */
    void reclaim() {
        caches.threads.flushOwn(handOff::giveBack);
        caches.threads.sweep(true, handOff::giveBack);
        caches.eachDepot(depot -> depot.drain(handOff::giveBack));
    }

    /** Revokes the slots in other threads' magazines, whether these threads sleep or not. */
    void revokeElsewhere() {
        int[] revoked = new int[1];
        caches.threads.peekElsewhere(slot -> revoked[0] += slabs.revoke(slot) ? 1 : 0);
        if (revoked[0] > 0) {
            handOff.serve();
        }
    }

    /** Called by the tick, at most once a second: returns the slots that dead threads have left. */
    void sweep() {
        caches.threads.tick();
        caches.threads.sweep(false, handOff::giveBack);
    }

    /** Called by the tick of a closed pool. */
    void forgetThreads() {
        caches.threads.forgetThreads();
    }

    /** Called by the tick: returns the slots in the depots that no thread has needed since the last tick. */
    void reapDepots() {
        caches.eachDepot(depot -> depot.reap(handOff::giveBack));
    }

    /** Drops all memory that is neither leased nor preallocated. Returns the number of bytes. */
    long trim() {
        reclaim();
        slabs.revokeAll();
        handOff.serve();
        long bytes = slabs.dropUnused(false);
        pool.counters.trimmedBytes.addAndGet(bytes);
        handOff.closeArenas(Long.MAX_VALUE);
        handOff.serve();
        return bytes;
    }

    /** Called once the pool is closed: gives back all memory that is not leased, and wakes every waiter. */
    void close() {
        try {
            reclaim();
        } finally {
            try {
                slabs.close();
            } finally { // the tick repeats what failed for want of heap
                handOff.waitQueue().wakeAll();
                handOff.closeArenas(CLOSING_NANOS);
            }
        }
    }
}
