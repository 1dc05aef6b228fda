// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand virtual threads keep no more than a few stripes do (I5, I9). */
@Tag("virtual")
class VirtualStripesTest {
    private static final int THREADS = 10_000;

    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "heap", "unpooled"})
    void keptMemoryDoesNotGrowWithThreads(String policy) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = new Kind(policy).builder("virtual").max(32 << 20).build()) {
            Semaphore live = new Semaphore(64);
            List<Future<?>> results = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < THREADS; i++) {
                    long stamp = i;
                    results.add(threads.submit(() -> {
                        live.acquireUninterruptibly();
                        PooledBuffer lease = pool.acquire(16 << 10);
                        lease.buffer().putLong(0, stamp).putLong((16 << 10) - 8, stamp);
                        Thread.yield();
                        assertEquals(stamp, lease.buffer().getLong(0));
                        assertEquals(stamp, lease.buffer().getLong((16 << 10) - 8));
                        assertTrue(lease.release());
                        live.release();
                    }));
                }
            }
            for (Future<?> result : results) {
                result.get();
            }
            PoolStats stats = Conservation.check(pool);
            assertTrue(stats.reservedBytes() <= 8 << 20, () -> "reserved: " + stats);
            assertEquals(THREADS, stats.releases(ReleaseOutcome.RECYCLED));
            Eventually.holds("nothing is kept", () -> {
                pool.trim();
                return Conservation.check(pool).reservedBytes() == 0;
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 8192, 300_000})
    void leasesAreHandedFromOneToAnother(int size) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = new Kind("direct-view").builder("virtual").build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> results = new ArrayList<>();
            for (int pair = 0; pair < 20; pair++) {
                SynchronousQueue<PooledBuffer> queue = new SynchronousQueue<>();
                results.add(threads.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        PooledBuffer lease = pool.acquire(size);
                        lease.buffer().putInt(0, i);
                        queue.put(lease);
                    }
                    return null;
                }));
                results.add(threads.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        PooledBuffer lease = queue.take();
                        assertEquals(i, lease.buffer().getInt(0));
                        lease.release();
                    }
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
            PoolStats stats = Conservation.check(pool);
            assertEquals(2000, stats.releases(ReleaseOutcome.RECYCLED));
            Eventually.holds("nothing is kept", () -> {
                pool.trim();
                return Conservation.check(pool).reservedBytes() == 0;
            });
        }
    }
}
