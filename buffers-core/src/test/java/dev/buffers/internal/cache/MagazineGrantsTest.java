// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** How much the magazines hold, looked at in the magazines: what others could have of it by revoking it is another matter (I5). */
class MagazineGrantsTest {
    private static final int SIZE = 1024;

    private static BufferPool pool(long max) {
        return BufferPool.builder("grants")
                .policy("heap-view")
                .max(max)
                .threadCache(1 << 20)
                .build();
    }

    @Test
    void sleepingThreadsHoldAtMostOneEighthOfCap() throws Exception {
        long max = 2 << 20; // an eighth is as much as one thread's magazines hold
        CountDownLatch end = new CountDownLatch(1);
        try (BufferPool pool = pool(max)) {
            for (int t = 0; t < 16; t++) {
                CountDownLatch released = new CountDownLatch(1);
                Threads.start(() -> {
                    for (int size = SIZE; size <= 8 * SIZE; size *= 2) {
                        List<PooledBuffer> leases = new ArrayList<>();
                        for (int bytes = 0; bytes < 64 << 10; bytes += size) {
                            leases.add(pool.acquire(size));
                        }
                        leases.forEach(PooledBuffer::release);
                    }
                    released.countDown();
                    Threads.await(end);
                });
                released.await();
            }
            long[] held = new long[1];
            Peek.magazines(pool).peekElsewhere(slot -> held[0] += slot.size());
            assertTrue(held[0] > 0 && held[0] <= max / 8, () -> "held by sleeping threads: " + held[0]);
            Conservation.check(pool);
        } finally {
            end.countDown();
        }
    }

    @Test
    void grantOfDeadThreadServesOthers() throws Exception {
        try (BufferPool pool = pool(1 << 20)) { // enough for two threads' magazines of this size
            for (int t = 1; t <= 5; t++) {
                Threads.run(() -> {
                    pool.acquire(SIZE).release();
                    pool.acquire(SIZE).release();
                });
                pool.trim();
                assertEquals(t, pool.stats().acquires(AcquireOutcome.THREAD));
            }
        }
    }

    /** Hundreds of threads that mostly sleep would each keep slots, which are in no processor's cache when they wake up. */
    @Test
    void onlyBusyThreadIsGrantedBesideOthers() throws Exception {
        PoolParts parts = new PoolParts("heap-view", 1 << 20);
        ThreadCaches threads = parts.threads;
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int i = 0; i < ThreadCaches.AT_ONCE; i++) {
                assertTrue(stayingAlive(end, () -> Peek.prepare(threads, 0)));
            }
            assertFalse(Threads.call(() -> Peek.prepare(threads, 0)), "it has missed once");
            assertFalse(Threads.call(() -> isGrantedAfter(threads, ThreadCaches.BUSY - 1)));
            assertTrue(stayingAlive(end, () -> isGrantedAfter(threads, ThreadCaches.BUSY)));
            assertFalse(
                    Threads.call(() -> {
                        boolean granted = isGrantedAfter(threads, ThreadCaches.BUSY - 1);
                        threads.tick();
                        return granted || isGrantedAfter(threads, ThreadCaches.BUSY - 1);
                    }),
                    "it misses less often");
        } finally {
            end.countDown();
        }
    }

    private static boolean isGrantedAfter(ThreadCaches threads, int misses) {
        boolean granted = false;
        for (int i = 0; i < misses; i++) {
            granted = Peek.prepare(threads, 0);
        }
        return granted;
    }

    /** Calls it on a thread that then waits for {@code end}. */
    private static boolean stayingAlive(CountDownLatch end, Callable<Boolean> task) throws Exception {
        FutureTask<Boolean> future = new FutureTask<>(task);
        Threads.start(() -> {
            future.run();
            Threads.await(end);
        });
        return future.get();
    }

    @Test
    void grantsOfEndedThreadsServeOthers() throws Exception {
        PoolParts parts = new PoolParts("heap-view", 1 << 20);
        for (int i = 0; i <= ThreadCaches.AT_ONCE; i++) {
            assertTrue(Threads.call(() -> Peek.prepare(parts.threads, 0)));
            parts.threads.sweep(false, slot -> {});
        }
    }
}
