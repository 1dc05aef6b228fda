// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where ours is meant to differ from Jetty's own, and what Jetty does not ask about: names, settings, the cap and the end. */
class JettyBufferPoolTest {
    @AfterEach
    void forget() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("buffers."));
    }

    @Test
    void aLateReleaseNeverReachesTheNextHolder() {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            RetainableByteBuffer late = pool.acquire(1000, true);
            ByteBuffer memory = late.getByteBuffer();
            late.release();
            RetainableByteBuffer next = pool.acquire(1000, true);
            assertNotSame(late, next);
            assertSame(memory, next.getByteBuffer());
            assertThrows(IllegalStateException.class, late::release);
            assertThrows(IllegalStateException.class, late::retain);
            assertFalse(late.isRetained());
            assertTrue(next.canRetain());
            assertNotSame(memory, pool.acquire(1000, true).getByteBuffer());
            assertTrue(next.release());
            assertEquals(0, pool.pool().stats().releases(ReleaseOutcome.INVALID));
        }
    }

    /** Jetty's own pool would not pool such a buffer, and 12.0 would not even count it. */
    @Test
    void oversizeBuffersAreCounted() {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            for (boolean direct : new boolean[] {true, false}) {
                RetainableByteBuffer large = pool.acquire(20 << 20, direct);
                large.retain();
                assertFalse(large.release());
                assertTrue(large.release());
                assertThrows(IllegalStateException.class, large::release);
            }
            assertEquals(1, pool.pool().stats().acquires(AcquireOutcome.OVERSIZE));
            assertEquals(1, pool.heapPool().stats().acquires(AcquireOutcome.OVERSIZE));
        }
    }

    /** The reason for the first test: here the late release goes through, and three holders have the same memory at once. */
    @Test
    void lateReleaseInJettysPoolReachesNextHolder() {
        ArrayByteBufferPool pool = new ArrayByteBufferPool();
        pool.acquire(1000, true).release();
        RetainableByteBuffer late = pool.acquire(1000, true);
        late.release();
        RetainableByteBuffer next = pool.acquire(1000, true);
        assertTrue(late.release());
        RetainableByteBuffer another = pool.acquire(1000, true);
        assertSame(next.getByteBuffer(), another.getByteBuffer());
    }

    /** The line before a chunk is 12 bytes, and it is held for as long as its answer lasts; a web socket's header is 28. */
    @Test
    void tinyBuffersAreTiny() {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            for (int size : new int[] {1, 12, 28, 32}) {
                RetainableByteBuffer line = pool.acquire(size, true);
                assertEquals(128, line.capacity());
                line.release();
            }
            RetainableByteBuffer large = pool.acquire(16_709, false);
            assertEquals(16_896, large.capacity());
            large.release();
        }
    }

    @Test
    void theMemoryIsOutOfReachAfterTheLastRelease() {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            RetainableByteBuffer buffer = pool.acquire(1000, true);
            buffer.retain();
            buffer.release();
            assertEquals(0, buffer.getByteBuffer().remaining());
            buffer.release();
            RetainableByteBuffer next = pool.acquire(1000, true);
            BufferUtil.append(next.getByteBuffer(), new byte[] {1, 2, 3});
            assertThrows(IllegalStateException.class, buffer::getByteBuffer);
            assertThrows(IllegalStateException.class, buffer::clear);
            assertEquals(0, buffer.remaining());
            assertFalse(buffer.hasRemaining());
            assertFalse(buffer.toString().contains("\\x01"), buffer::toString);
            assertEquals(3, next.remaining());
            next.release();
        }
    }

    @Test
    void removedMemoryIsNeverUsedAgain() {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            RetainableByteBuffer removed = pool.acquire(1000, true);
            ByteBuffer memory = removed.getByteBuffer();
            removed.retain();
            assertFalse(ThisJetty.remove(pool, new RetainableByteBuffer.Wrapper(removed)));
            assertTrue(removed.release());
            PoolStats stats = pool.pool().stats();
            assertEquals(1, stats.releases(ReleaseOutcome.DISCARDED));
            assertEquals(0, stats.releases(ReleaseOutcome.RECYCLED));
            assertEquals(0, stats.leases());
            for (int i = 0; i < 1000; i++) {
                assertNotSame(memory, pool.acquire(1000, true).getByteBuffer());
            }
            assertThrows(IllegalStateException.class, () -> ThisJetty.remove(pool, removed));
            RetainableByteBuffer foreign = new ArrayByteBufferPool().acquire(1000, true);
            assertTrue(ThisJetty.remove(pool, foreign));
        }
    }

    @Test
    void jettysFlagChoosesBetweenThePools() {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            assertEquals("jetty", pool.pool().name());
            assertEquals("direct-view", pool.pool().settings().policy().name());
            assertEquals("jetty-heap", pool.heapPool().name());
            assertEquals("heap", pool.heapPool().settings().policy().name());
            pool.acquire(1000, true).release();
            assertEquals(1, pool.pool().stats().releases(ReleaseOutcome.RECYCLED));
            assertEquals(0, pool.heapPool().stats().releases(ReleaseOutcome.RECYCLED));
            pool.acquire(1000, false).release();
            assertEquals(1, pool.pool().stats().releases(ReleaseOutcome.RECYCLED));
            assertEquals(1, pool.heapPool().stats().releases(ReleaseOutcome.RECYCLED));
        }
    }

    @Test
    void thePolicyIsThatOfTheFirstPool() {
        System.setProperty("buffers.policy", "heap-view");
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            assertEquals("heap-view", pool.pool().settings().policy().name());
            assertEquals("heap", pool.heapPool().settings().policy().name());
        }
        for (String exact : new String[] {"heap", "unpooled"}) {
            System.setProperty("buffers.policy", exact);
            try (JettyBufferPool pool = JettyBufferPool.create()) {
                assertEquals(exact, pool.pool().settings().policy().name());
                assertSame(pool.pool(), pool.heapPool());
            }
        }
    }

    @Test
    void settingsOfEachPool() {
        System.setProperty("buffers.web.max", "1m");
        System.setProperty("buffers.web-heap.max", "2m");
        try (JettyBufferPool pool = JettyBufferPool.create("web")) {
            assertEquals(1 << 20, pool.pool().settings().maxBytes());
            assertEquals(2 << 20, pool.heapPool().settings().maxBytes());
        }
    }

    @Test
    void atTheCapAcquireThrowsAndSaysWhy() {
        System.setProperty("buffers.jetty.max", "64k");
        System.setProperty("buffers.jetty-heap.max", "64k");
        System.setProperty("buffers.at-limit", "fail");
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            for (boolean direct : new boolean[] {true, false}) {
                RetainableByteBuffer all = pool.acquire(64 * 1024, direct);
                PoolExhaustedException full =
                        assertThrows(PoolExhaustedException.class, () -> pool.acquire(64 * 1024, direct));
                assertEquals(64 * 1024, full.size());
                all.release();
                pool.acquire(64 * 1024, direct).release();
            }
            assertEquals(1, pool.pool().stats().acquires(AcquireOutcome.REJECTED));
        }
    }

    /** By default the answer at the cap is a plain array, whatever Jetty asked for. */
    @Test
    void atTheCapTheHeapMayServeAnyRequest() {
        System.setProperty("buffers.max", "64k");
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            for (boolean direct : new boolean[] {true, false}) {
                RetainableByteBuffer all = pool.acquire(64 * 1024, direct);
                RetainableByteBuffer more = pool.acquire(5000, direct);
                ByteBuffer bytes = more.getByteBuffer();
                assertEquals(0, bytes.limit());
                assertEquals(0, bytes.arrayOffset());
                assertEquals(bytes.capacity(), bytes.array().length);
                assertTrue(more.release());
                all.release();
            }
        }
    }

    @Test
    void clearReleasesIdleMemory() {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            RetainableByteBuffer direct = pool.acquire(1000, true);
            pool.acquire(1000, false).release();
            assertTrue(pool.heapPool().stats().reservedBytes() > 0);
            pool.clear();
            assertEquals(0, pool.heapPool().stats().reservedBytes());
            assertTrue(pool.pool().stats().reservedBytes() > 0);
            direct.release();
            pool.clear();
            assertEquals(0, pool.pool().stats().reservedBytes());
        }
    }

    @Test
    void aLostBufferIsCounted() throws InterruptedException {
        try (JettyBufferPool pool = JettyBufferPool.create()) {
            pool.acquire(1000, true);
            long end = System.nanoTime() + 300_000_000_000L;
            while (pool.pool().stats().leaks() == 0) {
                assertTrue(System.nanoTime() - end < 0);
                System.gc();
                Thread.sleep(5);
            }
        }
    }

    @Test
    void closeEndsOwnPoolsAndFreesTheirNames() {
        JettyBufferPool pool = JettyBufferPool.create();
        RetainableByteBuffer out = pool.acquire(1000, true);
        pool.close();
        pool.close();
        assertThrows(IllegalStateException.class, () -> pool.acquire(1000, true));
        assertThrows(IllegalStateException.class, () -> pool.acquire(1000, false));
        out.getByteBuffer().limit(4).putInt(0, 1);
        assertTrue(out.release());
        try (JettyBufferPool next = JettyBufferPool.create()) {
            assertEquals("jetty", next.pool().name());
            assertEquals("jetty-heap", next.heapPool().name());
        }
    }

    @Test
    void callersPoolsStayOpen() {
        try (BufferPool direct = BufferPool.builder("direct").policy("direct").build();
                BufferPool heap = BufferPool.builder("heap").policy("heap").build()) {
            JettyBufferPool pool = JettyBufferPool.of(direct, heap);
            pool.acquire(1000, true).release();
            pool.acquire(1000, false).release();
            pool.close();
            pool.acquire(1000, true).release();
            assertEquals(2, direct.stats().releases(ReleaseOutcome.RECYCLED));
            assertEquals(1, heap.stats().releases(ReleaseOutcome.RECYCLED));
            JettyBufferPool both = JettyBufferPool.of(heap, heap);
            assertSame(both.pool(), both.heapPool());
            assertEquals("JettyBufferPool[pool=direct, heap=heap]", pool.toString());
        }
    }

    @Test
    void errorNamesUnacceptableValue() {
        for (String policy : new String[] {"direct", "heap-view"}) {
            try (BufferPool views = BufferPool.builder("views").policy(policy).build()) {
                IllegalArgumentException refused =
                        assertThrows(IllegalArgumentException.class, () -> JettyBufferPool.of(views, views));
                assertTrue(refused.getMessage().contains("heap=views, policy=" + policy), refused::getMessage);
            }
        }
        System.setProperty("buffers.jetty-heap.max", "many");
        assertThrows(IllegalArgumentException.class, JettyBufferPool::create);
        forget();
        try (JettyBufferPool next = JettyBufferPool.create()) {
            assertEquals("jetty", next.pool().name()); // the failure has left no pool behind
        }
    }
}
