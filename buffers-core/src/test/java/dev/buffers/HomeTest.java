// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a slot goes at its release: a lease knows the magazine that it came from. */
class HomeTest {
    private static final int SIZE = 4096;
    private static final int LARGE = 64 << 10;

    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        other.shutdownNow();
    }

    /** Batches of the class are two slots: after a miss and a hit a thread's magazine is empty. */
    @Test
    void releasedSlotGoesToMagazineOfReleasingThread() throws Exception {
        try (BufferPool pool = BufferPool.create("home")) {
            pool.acquire(LARGE).release();
            PooledBuffer hit = pool.acquire(LARGE);
            assertEquals(1, hits(pool));

            other.submit(() -> {
                        PooledBuffer miss = pool.acquire(LARGE);
                        PooledBuffer last = pool.acquire(LARGE);
                        assertEquals(1, hits(pool));
                        hit.release();
                        pool.acquire(LARGE).release();
                        assertEquals(2, hits(pool));
                        miss.release();
                        return last.release();
                    })
                    .get();

            Conservation.check(pool);
        }
    }

    private static long hits(BufferPool pool) {
        return pool.stats().acquires(AcquireOutcome.THREAD);
    }

    @Test
    void aLeaseKeepsNoThreadThatHasEnded() throws Exception {
        try (BufferPool pool = BufferPool.create("home")) {
            AtomicReference<PooledBuffer> kept = new AtomicReference<>();
            WeakReference<Thread> ended = hitInAThreadThatEnds(pool, kept);
            pool.trim();
            Eventually.collected("the thread is collected", () -> ended.get() == null);
            assertTrue(kept.get().release());
        }
    }

    private static WeakReference<Thread> hitInAThreadThatEnds(BufferPool pool, AtomicReference<PooledBuffer> kept)
            throws Exception {
        Thread thread = Threads.call(() -> {
            pool.acquire(SIZE).release();
            kept.set(pool.acquire(SIZE));
            return Thread.currentThread();
        });
        assertEquals(1, hits(pool));
        return new WeakReference<>(thread);
    }

    @Test
    void anUnpooledSlotGoesIntoNoMagazine() {
        try (BufferPool pool = BufferPool.builder("home")
                .max(1 << 20)
                .atLimit(Exhaustion.unpooled())
                .build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            while (pool.stats().acquires(AcquireOutcome.UNPOOLED) == 0) {
                leases.add(pool.acquire(SIZE));
            }
            leases.remove(leases.size() - 1).release();
            leases.add(pool.acquire(SIZE));
            assertEquals(2, pool.stats().acquires(AcquireOutcome.UNPOOLED));
            leases.forEach(PooledBuffer::close);
            Conservation.check(pool);
        }
    }
}
