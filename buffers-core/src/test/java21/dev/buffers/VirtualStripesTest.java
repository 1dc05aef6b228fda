// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.TrimTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand virtual threads keep no more than a few stripes do, and those for a while only (I5, I9). */
@Tag("virtual")
class VirtualStripesTest {
    private static final int THREADS = 10_000;

    /** Each on a separate virtual thread. */
    private static void together(List<Callable<Object>> tasks) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Object> result : threads.invokeAll(tasks)) {
                result.get();
            }
        }
    }

    private static void becomesEmpty(BufferPool pool) {
        Eventually.holds("nothing is kept", () -> {
            pool.trim();
            return Conservation.check(pool).reservedBytes() == 0;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "heap", "unpooled"})
    void keptMemoryDoesNotGrowWithThreads(String policy) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = new Kind(policy).builder("virtual").max(32 << 20).build()) {
            Semaphore live = new Semaphore(64);
            List<Callable<Object>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long stamp = i;
                tasks.add(() -> {
                    live.acquireUninterruptibly();
                    PooledBuffer lease = pool.acquire(16 << 10);
                    lease.buffer().putLong(0, stamp).putLong((16 << 10) - 8, stamp);
                    Thread.yield();
                    assertEquals(stamp, lease.buffer().getLong(0));
                    assertEquals(stamp, lease.buffer().getLong((16 << 10) - 8));
                    assertTrue(lease.release());
                    live.release();
                    return null;
                });
            }
            together(tasks);
            PoolStats stats = Conservation.check(pool);
            assertTrue(stats.reservedBytes() <= 8 << 20, () -> "reserved: " + stats);
            assertEquals(THREADS, stats.releases(ReleaseOutcome.RECYCLED));
            becomesEmpty(pool);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 8192, 300_000})
    void leasesAreHandedFromOneToAnother(int size) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = new Kind("direct-view").builder("virtual").build()) {
            List<Callable<Object>> tasks = new ArrayList<>();
            for (int pair = 0; pair < 20; pair++) {
                SynchronousQueue<PooledBuffer> queue = new SynchronousQueue<>();
                tasks.add(() -> {
                    for (int i = 0; i < 100; i++) {
                        PooledBuffer lease = pool.acquire(size);
                        lease.buffer().putInt(0, i);
                        queue.put(lease);
                    }
                    return null;
                });
                tasks.add(() -> {
                    for (int i = 0; i < 100; i++) {
                        PooledBuffer lease = queue.take();
                        assertEquals(i, lease.buffer().getInt(0));
                        lease.release();
                    }
                    return null;
                });
            }
            together(tasks);
            assertEquals(2000, Conservation.check(pool).releases(ReleaseOutcome.RECYCLED));
            becomesEmpty(pool);
        }
    }

    /** Slots that virtual threads left in their stripes go back in time, without any further call (I9). */
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap"})
    void unusedStripesAreEmptied(String policy) throws Exception {
        try (BufferPool pool =
                new Kind(policy).builder("virtual").max(128 << 20).build()) {
            together(Collections.nCopies(1000, () -> {
                List<PooledBuffer> leases = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    leases.add(pool.acquire(i % 2 == 0 ? 4096 : 16 << 10));
                    Thread.yield();
                }
                leases.forEach(PooledBuffer::release);
                return null;
            }));
            assertTrue(Conservation.check(pool).reservedBytes() > 0);
            new TrimTime(pool).seconds(25);
            assertEquals(0, Conservation.check(pool).reservedBytes());
        }
    }
}
