// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.ReleaseOutcome;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Undertow's contract: sizes, the twin, closing twice, and use after closing. */
class UndertowBufferPoolTest {
    private static final String POLICY = "buffers.undertow.policy";
    private static final String MAX = "buffers.max";
    private static final String HEAP_MAX = "buffers.undertow-heap.max";

    @AfterEach
    void forget() {
        List.of(POLICY, MAX, HEAP_MAX).forEach(System::clearProperty);
    }

    @Test
    void systemPropertiesGovernBothPools() {
        System.setProperty(MAX, "8m");
        try (UndertowBufferPool pool = UndertowBufferPool.create()) {
            assertEquals(8 << 20, pool.pool().stats().maxBytes());
            assertEquals(8 << 20, twin(pool).stats().maxBytes());
            assertEquals(Exhaustion.unpooled(), pool.pool().settings().atLimit());
            assertEquals(Exhaustion.unpooled(), twin(pool).settings().atLimit());
        }
        System.setProperty(HEAP_MAX, "4m");
        try (UndertowBufferPool pool = UndertowBufferPool.create()) {
            assertEquals(8 << 20, pool.pool().stats().maxBytes());
            assertEquals(4 << 20, twin(pool).stats().maxBytes());
        }
    }

    @Test
    void aSecondServersPoolsAreTheSecondOfTheirNames() {
        try (UndertowBufferPool first = UndertowBufferPool.create();
                UndertowBufferPool second = UndertowBufferPool.create()) {
            assertEquals("undertow", first.pool().name());
            assertEquals("undertow-heap", twin(first).name());
            assertEquals("undertow-2", second.pool().name());
            assertEquals("undertow-heap-2", twin(second).name());
        }
    }

    private static BufferPool twin(UndertowBufferPool pool) {
        return ((UndertowBufferPool) pool.getArrayBackedPool()).pool();
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
            PooledByteBuffer third = pool.allocate();
            assertNotSame(second.getBuffer(), third.getBuffer());
            second.close();
            third.close();
            assertEquals(0, pool.pool().stats().leases());
            assertEquals(0, pool.pool().stats().releases(ReleaseOutcome.INVALID));
        }
    }

    /** Undertow sets back the limit of a buffer whose exchange ended in the middle of a read. */
    @Test
    void limitSetAfterClosingIsNoLaterHoldersLimit() {
        try (UndertowBufferPool pool = UndertowBufferPool.create("undertow", 1000)) {
            PooledByteBuffer first = pool.allocate();
            ByteBuffer ended = first.getBuffer().put(0, (byte) 42);
            first.close();
            PooledByteBuffer second = pool.allocate();
            assertEquals(42, second.getBuffer().get(0), "the same memory");
            second.getBuffer().limit(10);
            ended.limit(1000);
            assertEquals(10, second.getBuffer().limit());
            second.close();
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
            assertEquals("undertow-heap", twin(pool).name());
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
    void closeEndsOwnPoolsAndFreesTheirNames() {
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
            assertEquals("undertow-heap", twin(next).name());
        }
    }

    @Test
    void callersPoolsStayOpen() {
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
    void errorNamesUnacceptableValue() {
        IllegalArgumentException size =
                assertThrows(IllegalArgumentException.class, () -> UndertowBufferPool.create("undertow", 0));
        assertTrue(size.getMessage().contains("bufferSize=0"), size::getMessage);
        try (BufferPool direct = BufferPool.builder("direct").policy("direct").build()) {
            IllegalArgumentException twin =
                    assertThrows(IllegalArgumentException.class, () -> UndertowBufferPool.of(direct, direct, 100));
            assertTrue(twin.getMessage().contains("heap=direct, policy=direct"), twin::getMessage);
        }
        System.setProperty(HEAP_MAX, "many");
        assertThrows(IllegalArgumentException.class, UndertowBufferPool::create);
        System.clearProperty(HEAP_MAX);
        try (UndertowBufferPool next = UndertowBufferPool.create()) {
            assertEquals("undertow", next.pool().name()); // the failure has left no pool behind
        }
    }
}
