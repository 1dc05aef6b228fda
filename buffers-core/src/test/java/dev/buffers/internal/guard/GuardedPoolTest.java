// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Logged;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedPoolTest {
    private static final int MAX = 64 << 10;

    private final Logged log = new Logged("guarded-pool");
    private final List<BufferPool> opened = new ArrayList<>();

    private BufferPool pool(BufferPool.Builder builder) {
        BufferPool pool = builder.max(MAX).guard(true).build();
        opened.add(pool);
        return pool;
    }

    private BufferPool pool(String policy) {
        return pool(new Kind(policy).builder("guarded-pool"));
    }

    @AfterEach
    void close() {
        for (BufferPool pool : opened) {
            Conservation.check(pool);
            pool.close();
        }
        log.close();
    }

    @Test
    void endedLeaseStaysEndedWhenItsMemoryIsLeasedAgain() {
        BufferPool pool = pool(new Kind("heap-view").builder("guarded-pool"));
        PooledBuffer first = pool.acquire(100);
        first.release();
        pool.trim();
        PooledBuffer second = pool.acquire(100);
        assertFalse(first.isOpen());
        assertThrows(IllegalStateException.class, first::release);
        assertTrue(second.release());
    }

    @Test
    void writeThatIgnoresTheArrayOffsetIsFound() {
        BufferPool pool = pool("heap-view");
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer other = pool.acquire(100);
        lease.buffer().array()[0] = 1; // without its arrayOffset
        lease.release();
        String finding = log.lines("before its start").get(0);
        assertTrue(finding.contains("found here, 64 bytes before the buffer"), finding);
        assertEquals(0, other.buffer().get(0));
        other.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct-view", "unpooled"})
    void trimLeavesNothingAside(String policy) {
        BufferPool pool = pool(policy);
        pool.acquire(100).release();
        pool.acquire(5000).release();
        pool.trim();
        assertEquals(0, pool.stats().reservedBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "direct-view"})
    void forgottenPoolLeavesNothingCharged(String policy) {
        WeakReference<BufferPool> forgotten = forget(policy);
        Eventually.collected("it is collected", () -> forgotten.get() == null);
    }

    private static WeakReference<BufferPool> forget(String policy) {
        BufferPool pool = new Kind(policy).builder("forgotten").guard(true).build();
        pool.acquire(5000).release();
        pool.trim();
        pool.acquire(100);
        pool.acquire(1000).release();
        return new WeakReference<>(pool);
    }

    @Test
    void openLeasesComeOldestFirst() {
        BufferPool pool = pool("heap-view");
        PooledBuffer first = pool.acquire(100);
        PooledBuffer second = pool.acquire(1000);
        assertEquals(
                List.of(128, 1024),
                pool.openLeases().stream().map(LeakReport::capacity).toList());
        assertTrue(pool.dump().contains("open leases: 2"), pool::dump);
        first.release();
        second.release();
        assertSame(0, pool.openLeases().size());
    }

    @Test
    void furtherLeaseKeepsTheMemoryFromBeingLost() {
        BufferPool pool = pool("heap-view");
        PooledBuffer further = onlyFurther(pool);
        for (int i = 0; i < 3; i++) {
            System.gc();
            assertEquals(0, pool.stats().leaks());
        }
        assertEquals(7, further.buffer().get(3));
        assertTrue(further.release());
    }

    private static PooledBuffer onlyFurther(BufferPool pool) {
        PooledBuffer first = pool.acquire(100);
        first.buffer().put(3, (byte) 7);
        PooledBuffer further = first.retain();
        assertFalse(first.release());
        return further;
    }

    @Test
    void endedLeaseRejectsEveryUse() {
        BufferPool pool = pool("heap-view");
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer further = lease.retain();
        lease.close();
        lease.close();
        assertFalse(lease.isOpen());
        assertEquals("PooledBuffer[ended]", lease.toString());
        assertThrows(IllegalStateException.class, lease::buffer);
        assertThrows(IllegalStateException.class, lease::retain);
        assertThrows(IllegalStateException.class, lease::discard);
        lease.touch("late");
        assertEquals(
                0,
                pool.openLeases().get(0).acquisition().orElseThrow().touches().size());
        assertEquals("PooledBuffer[pool=guarded-pool, capacity=128]", further.toString());
        assertTrue(further.release());
    }

    @Test
    void partIsBoundedByTheCapacity() {
        PooledBuffer lease = pool("heap-view").acquire(100);
        PooledBuffer part = lease.slice(120, 8);
        assertEquals(8, part.capacity());
        assertThrows(IndexOutOfBoundsException.class, () -> lease.slice(121, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> lease.slice(-1, 8));
        part.close();
        lease.close();
    }

    @Test
    void leasesOnOneBufferAreLimited() {
        PooledBuffer lease = pool("heap-view").acquire(100);
        List<PooledBuffer> further = new ArrayList<>();
        for (int i = 0; i < 32_767; i++) {
            further.add(lease.retain());
        }
        assertThrows(IllegalStateException.class, lease::retain);
        further.forEach(PooledBuffer::close);
        lease.close();
    }
}
