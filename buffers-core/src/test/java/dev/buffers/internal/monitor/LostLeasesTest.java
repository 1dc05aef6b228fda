package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.WaitHeldTick;
import java.lang.ref.Reference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the pool makes of the collector's word that a view is gone (I8). The test gives that word, so that nothing waits for it. */
class LostLeasesTest {
    /** So that nobody else hears of it first. */
    private WaitHeldTick tick;

    @BeforeEach
    void hold() throws Exception {
        tick = new WaitHeldTick();
    }

    @AfterEach
    void letGo() {
        tick.close();
    }

    private static BufferPool pool() {
        return BufferPool.builder("collected").policy("heap-view").max(1 << 20).build();
    }

    @Test
    void aLossIsCountedAsSoonAsTheCollectorTells() {
        try (BufferPool pool = pool()) {
            PooledBuffer lease = pool.acquire(4096);
            Peek.slot(lease).enqueue();
            assertEquals(1, pool.stats().leaks());
            PoolStats stats = Conservation.check(pool);
            assertEquals(1, stats.leaks());
            assertEquals(4096, stats.lostBytes());
            assertEquals(0, stats.releases(ReleaseOutcome.RECYCLED));
            Reference.reachabilityFence(lease);
        }
    }

    @Test
    void whatWasReleasedBeforeIsNoLoss() {
        try (BufferPool pool = pool()) {
            PooledBuffer lease = pool.acquire(4096);
            Slot slot = Peek.slot(lease);
            lease.release();
            slot.enqueue();
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.leaks());
            assertEquals(0, stats.lostBytes());
        }
    }
}
