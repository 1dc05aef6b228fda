package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Undertow's contract: sizes, the twin, closing twice, and use after closing. */
class UndertowBufferPoolTest {
    private static final String POLICY = "buffers.undertow.policy";

    @AfterEach
    void forget() {
        System.clearProperty(POLICY);
    }

    @Test
    void buffersArriveClearedAtTheSizeThatThePoolNames() {
        try (UndertowBufferPool pool = UndertowBufferPool.create("undertow", 1000)) {
            for (int i = 0; i < 2; i++) {
                PooledByteBuffer pooled = pool.allocate();
                ByteBuffer buffer = pooled.getBuffer();
                assertEquals(0, buffer.position());
                assertEquals(pool.getBufferSize(), buffer.limit());
                assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
                assertTrue(buffer.isDirect() && pool.isDirect());
                buffer.order(ByteOrder.LITTLE_ENDIAN).putLong(7).flip();
                pooled.close();
            }
        }
    }

    @Test
    void closingAgainDoesNothingAndUseAfterwardsThrows() {
        try (UndertowBufferPool pool = UndertowBufferPool.create()) {
            PooledByteBuffer first = pool.allocate();
            assertTrue(first.isOpen());
            first.close();
            PooledByteBuffer second = pool.allocate();
            first.close();
            assertFalse(first.isOpen());
            assertThrows(IllegalStateException.class, first::getBuffer);
            assertTrue(second.isOpen());
            assertNotSame(second.getBuffer(), pool.allocate().getBuffer());
            assertEquals(2, pool.pool().stats().leases());
            assertEquals(0, pool.pool().stats().releases(ReleaseOutcome.INVALID));
        }
    }

    @Test
    void theTwinHasArraysOfTheSameSizeAndIsItsOwnTwin() {
        try (UndertowBufferPool pool = UndertowBufferPool.create()) {
            ByteBufferPool twin = pool.getArrayBackedPool();
            assertNotSame(pool, twin);
            assertSame(twin, twin.getArrayBackedPool());
            assertFalse(twin.isDirect());
            assertEquals(pool.getBufferSize(), twin.getBufferSize());
            try (PooledByteBuffer pooled = twin.allocate()) {
                assertTrue(pooled.getBuffer().hasArray());
                assertEquals(0, pooled.getBuffer().arrayOffset());
            }
            assertEquals("undertow-heap", ((UndertowBufferPool) twin).pool().name());
        }
    }

    @Test
    void aPoolOnTheHeapIsItsOwnTwin() {
        System.setProperty(POLICY, "heap-view");
        try (UndertowBufferPool pool = UndertowBufferPool.create()) {
            assertSame(pool, pool.getArrayBackedPool());
            assertFalse(pool.isDirect());
            try (PooledByteBuffer pooled = pool.allocate()) {
                assertTrue(pooled.getBuffer().hasArray());
            }
        }
    }

    @Test
    void closingEndsItsOwnPoolsAndTheirNames() {
        UndertowBufferPool pool = UndertowBufferPool.create();
        PooledByteBuffer out = pool.allocate();
        pool.close();
        pool.close();
        assertThrows(IllegalStateException.class, pool::allocate);
        assertThrows(IllegalStateException.class, pool.getArrayBackedPool()::allocate);
        out.getBuffer().putInt(1);
        out.close();
        try (UndertowBufferPool next = UndertowBufferPool.create()) {
            assertEquals("undertow", next.pool().name());
            assertEquals(
                    "undertow-heap",
                    ((UndertowBufferPool) next.getArrayBackedPool()).pool().name());
        }
    }

    @Test
    void poolsOfTheCallersStayOpen() {
        try (BufferPool direct = BufferPool.builder("direct").policy("direct").build();
                BufferPool heap = BufferPool.builder("heap").policy("heap").build()) {
            UndertowBufferPool pool = UndertowBufferPool.of(direct, heap, 100);
            pool.allocate().close();
            pool.getArrayBackedPool().allocate().close();
            pool.close();
            pool.allocate().close();
            assertEquals(2, direct.stats().releases(ReleaseOutcome.RECYCLED));
            assertEquals(1, heap.stats().releases(ReleaseOutcome.RECYCLED));
            UndertowBufferPool both = UndertowBufferPool.of(heap, heap, 100);
            assertSame(both, both.getArrayBackedPool());
        }
    }

    @Test
    void whatIsNotAcceptableIsNamed() {
        IllegalArgumentException size =
                assertThrows(IllegalArgumentException.class, () -> UndertowBufferPool.create("undertow", 0));
        assertTrue(size.getMessage().contains("bufferSize=0"), size::getMessage);
        try (BufferPool direct = BufferPool.builder("direct").policy("direct").build()) {
            IllegalArgumentException twin =
                    assertThrows(IllegalArgumentException.class, () -> UndertowBufferPool.of(direct, direct, 100));
            assertTrue(twin.getMessage().contains("heap=direct, policy=direct"), twin::getMessage);
        }
        System.setProperty("buffers.undertow-heap.max", "many");
        try {
            assertThrows(IllegalArgumentException.class, UndertowBufferPool::create);
        } finally {
            System.clearProperty("buffers.undertow-heap.max");
        }
        try (UndertowBufferPool next = UndertowBufferPool.create()) {
            assertEquals("undertow", next.pool().name()); // what failed has left nothing behind
        }
    }
}
