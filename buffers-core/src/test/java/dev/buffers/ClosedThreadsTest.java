// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A closed pool keeps no thread that has used it, whatever keeps the pool or a lease (I9). */
class ClosedThreadsTest {
    private static final int THREADS = 20;
    private static final int SIZE = 1000;

    private final List<WeakReference<Thread>> threads = new ArrayList<>();
    private final List<PooledBuffer> ended = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    private static BufferPool pool() {
        return BufferPool.builder("closed-threads")
                .policy("heap-view")
                .max(8 << 20)
                .build();
    }

    /** Threads that have acquired and released, and live. */
    private List<Thread> use(BufferPool pool) throws InterruptedException {
        CountDownLatch used = new CountDownLatch(THREADS);
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            started.add(Threads.start(() -> {
                pool.acquire(SIZE).release();
                PooledBuffer lease = pool.acquire(SIZE);
                lease.release();
                synchronized (ended) {
                    ended.add(lease);
                }
                used.countDown();
                Threads.await(end);
            }));
        }
        used.await();
        started.forEach(thread -> threads.add(new WeakReference<>(thread)));
        return started;
    }

    private void end(List<Thread> started) throws InterruptedException {
        end.countDown();
        for (Thread thread : started) {
            thread.join();
        }
        started.clear();
    }

    private void areCollected() {
        Eventually.collected("no thread is kept", () -> threads.stream().allMatch(thread -> thread.get() == null));
    }

    @Test
    void closedPoolKeepsNoThreadThatEndsLater() throws Exception {
        BufferPool pool = pool();
        List<Thread> started = use(pool);
        ended.clear();
        pool.close();
        end(started);
        areCollected();
        assertEquals(2 * THREADS, Conservation.check(pool).releases(ReleaseOutcome.RECYCLED));
    }

    @Test
    void closedPoolWithOpenLeaseKeepsNoThread() throws Exception {
        BufferPool pool = pool();
        PooledBuffer open = pool.acquire(SIZE);
        List<Thread> started = use(pool);
        pool.close();
        end(started);
        areCollected();
        open.release();
        Conservation.check(pool);
        Reference.reachabilityFence(ended);
    }

    @Test
    void leaseThatEndedKeepsNoThread() throws Exception {
        BufferPool pool = pool();
        List<Thread> started = use(pool);
        pool.close();
        pool = null;
        end(started);
        areCollected();
        assertEquals(THREADS, ended.size());
    }
}
