package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import org.junit.jupiter.api.Test;

class RecycledPoolTest {

    @Test
    void eachSlotHasOneLeaseObject() {
        try (BufferPool pool = BufferPool.builder("recycled-pool")
                .policy("heap-view")
                .max(1 << 20)
                .leases(PoolSettings.LeaseMode.RECYCLED)
                .build()) {
            assertSame(RecycledPool.class, pool.getClass());
            PooledBuffer first = pool.acquire(100);
            PooledBuffer other = pool.acquire(100);
            assertNotSame(first, other);
            other.release();
            PooledBuffer again = pool.acquire(90);
            assertSame(other, again);
            assertTrue(again.isOpen());
            assertTrue(again.buffer().remaining() == 90);
            assertTrue(again.release());
            first.release();
            Conservation.check(pool);
        }
    }
}
