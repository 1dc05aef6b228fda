// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.TrimTime;
import dev.buffers.support.WaitHeldTick;
import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

/** What trim and the tick do about slots that are out on lease. */
@SuppressWarnings("try") // the tick is held, and that is all
class TrimLeasedTest {
    private static final int SIZE = 4096;

    private static BufferPool pool() {
        return BufferPool.builder("leased").policy("heap-view").max(8 << 20).build();
    }

    @Test
    void aRegionWithALeaseOutIsKept() {
        try (BufferPool pool = pool();
                PooledBuffer lease = pool.acquire(SIZE)) {
            long reserved = pool.stats().reservedBytes();
            lease.buffer().putLong(0, 42);
            assertEquals(0, pool.trim());
            assertEquals(reserved, Conservation.check(pool, 1).reservedBytes());
            PooledBuffer large = pool.acquire(2 * SIZE);
            large.buffer().putLong(0, 7);
            assertEquals(42, lease.buffer().getLong(0));
            large.release();
        }
    }

    /** Its slab had a lost slot: it gives out nothing more, and goes with the last slot that is out. */
    @Test
    void aReleaseFromACondemnedSlabGoesHome() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = pool()) {
            PooledBuffer kept = pool.acquire(SIZE);
            PooledBuffer lost = pool.acquire(SIZE);
            Peek.slot(lost).enqueue(); // as the collector does
            Peek.tick(pool);
            assertEquals(1, pool.stats().leaks());
            new TrimTime(pool).seconds(5);
            assertTrue(Conservation.check(pool, 1).reservedBytes() > 0);
            kept.release();
            assertEquals(0, Conservation.check(pool).reservedBytes());
            Reference.reachabilityFence(lost);
        }
    }
}
