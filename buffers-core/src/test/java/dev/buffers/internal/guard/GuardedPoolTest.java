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
}
