package dev.buffers.internal.pool;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import org.junit.jupiter.api.Test;

class MaintenanceTest {

    /** The first condition of S4 of Slot, for a slot that is larger than any class: the tick finds it, without a trim. */
    @Test
    void theTickFindsAnOversizeSlotThatNoThreadOwns() {
        try (BufferPool pool = BufferPool.builder("owned-by-none")
                .policy("heap-view")
                .max(4 << 20)
                .build()) {
            PooledBuffer lease = pool.acquire(pool.settings().maxSize() + 1);
            Peek.slot(lease).endUnused(lease.buffer()); // as a release does that then finds no heap to go on
            Eventually.holds("nothing stays leased", () -> pool.stats().leasedBytes() == 0);
        }
    }
}
