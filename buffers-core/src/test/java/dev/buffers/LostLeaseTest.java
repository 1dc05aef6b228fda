// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease dropped without a release (I8): counted, never used again, its bytes back once the rest of its slab is. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class LostLeaseTest extends PoolContract {
    @Test
    void aLostLeaseIsCountedAndItsSlabComesBack() {
        BufferPool pool = pool();
        PooledBuffer beside = pool.acquire(4096);
        Leases.lose(pool, 4096);
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
        PoolStats stats = Conservation.check(pool, 1);
        if (kind.isViews()) {
            assertEquals(4096, stats.lostBytes());
        }
        beside.release();
        pool.trim();
        assertEquals(0, Conservation.check(pool).lostBytes());
        Conservation.becomesEmpty(pool, false);
        assertEquals(1, Conservation.check(pool).leaks());
    }

    @Test
    void aLostOversizeLeaseComesBackByItself() {
        BufferPool pool = pool();
        Leases.lose(pool, 1 << 20);
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
        Conservation.check(pool);
        Conservation.becomesEmpty(pool, false);
    }

    @Test
    void aLossIsCountedOnceHoweverManyLeasesWereLost() {
        BufferPool pool = pool();
        loseThree(pool);
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
        System.gc();
        assertEquals(1, Conservation.check(pool).leaks());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeaseOfWhichAPartIsHeldIsNotLost(boolean guard) {
        BufferPool pool = pool(kind.builder("contract").guard(guard));
        PooledBuffer part = retained(pool);
        for (int i = 0; i < 3; i++) {
            System.gc();
            assertEquals(0, Conservation.check(pool, 1).leaks());
        }
        part.buffer().put(0, (byte) 1);
        // The first lease can end no more, and with this one the memory is lost.
        part.release();
        part = null;
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
    }

    @Tag("full")
    @Test
    void aDiscardIsNoLoss() {
        BufferPool pool = pool();
        pool.acquire(4096).discard();
        for (int i = 0; i < 3; i++) {
            System.gc();
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.leaks());
            assertEquals(1, stats.releases(ReleaseOutcome.DISCARDED));
        }
        Conservation.becomesEmpty(pool, true);
    }

    private static void loseThree(BufferPool pool) {
        PooledBuffer lease = pool.acquire(4096);
        lease.retain().slice(0, 10);
    }

    private static PooledBuffer retained(BufferPool pool) {
        return pool.acquire(4096).retain();
    }
}
