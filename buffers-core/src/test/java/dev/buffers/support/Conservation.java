// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;

/** Invariant I1, and everything else that must hold of the figures whenever nothing moves. */
public final class Conservation {

    private Conservation() {}

    /** Nothing is out on lease, and every byte is accounted for. */
    public static PoolStats check(BufferPool pool) {
        // A slot with a separate region that trim or close took from under its acquire is brought home by the next
        // tick. The daemon may have just allocated a region for a waiter that is gone.
        Eventually.holds("nothing is on its way", () -> {
            PoolStats now = pool.stats();
            return now.leases() != 0 || now.leasedBytes() == 0 && now.reservedBytes() == inSlabs(now);
        });
        return check(pool, 0);
    }

    /** So many buffers are out on lease, and every byte is accounted for. */
    public static PoolStats check(BufferPool pool, long leases) {
        PoolStats stats = pool.stats();
        assertEquals(leases, stats.leases(), () -> "leases: " + stats);
        assertEquals(stats.reservedBytes(), inSlabs(stats), () -> "I1: " + stats);
        assertTrue(stats.reservedBytes() + stats.droppedBytes() <= stats.maxBytes(), () -> "I4: " + stats);
        if (leases == 0) {
            assertEquals(0, stats.leasedBytes(), () -> "leased: " + stats);
        }
        long cached = 0;
        long leased = 0;
        for (PoolStats.SizeClass ofClass : stats.sizeClasses()) {
            assertTrue(ofClass.leased() >= 0 && ofClass.cached() >= 0 && ofClass.slabs() > 0, () -> "class: " + stats);
            cached += ofClass.size() * ofClass.cached();
            leased += ofClass.size() * ofClass.leased();
        }
        assertEquals(stats.cachedBytes(), cached, () -> "cached: " + stats);
        assertTrue(leased <= stats.leasedBytes(), () -> "leased: " + stats);
        if (!pool.settings().sharesDefaultBudget()) {
            // Two readings, between which the daemon may hear of what the collector took.
            Eventually.holds("what is charged to the budget is reserved or dropped: " + pool.stats(), () -> {
                PoolStats now = pool.stats();
                return now.maxBytes() - Peek.room(pool) == now.reservedBytes() + now.droppedBytes();
            });
        }
        return stats;
    }

    private static long inSlabs(PoolStats stats) {
        return stats.leasedBytes() + stats.cachedBytes() + stats.uncarvedBytes() + stats.lostBytes();
    }

    /** After collections, and a trim before each look if that is asked for, nothing is reserved and nothing is dropped. */
    public static void becomesEmpty(BufferPool pool, boolean trims) {
        Eventually.collected(() -> "all memory goes back: " + pool.stats(), () -> {
            if (trims) {
                pool.trim();
            }
            PoolStats now = pool.stats();
            return now.reservedBytes() + now.droppedBytes() == 0;
        });
    }
}
