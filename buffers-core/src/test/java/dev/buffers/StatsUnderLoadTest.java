// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a pool says of itself while it is used (I1): each figure is recent, and none makes a nonsense of another. */
class StatsUnderLoadTest {

    private static final int IDLE_THREADS = 100;

    /** Idle threads have magazines too, so each sum takes long enough for the busy thread to go on. */
    @Test
    void noMoreIsReleasedThanWasAcquired() throws Exception {
        try (BufferPool pool =
                BufferPool.builder("busy").policy("heap-view").max(1 << 20).build()) {
            CompletableFuture<Void> begun = new CompletableFuture<>();
            CompletableFuture<Void> end = new CompletableFuture<>();
            List<Thread> threads = new ArrayList<>();
            threads.add(Threads.start(() -> {
                while (!end.isDone()) {
                    for (int i = 0; i < 1000; i++) {
                        pool.acquire(1000).release();
                    }
                    begun.complete(null);
                }
            }));
            begun.get();
            for (int i = 0; i < IDLE_THREADS; i++) {
                threads.add(Threads.start(() -> {
                    pool.acquire(1000).release();
                    end.join();
                }));
            }
            try {
                for (int i = 0; i < 20_000; i++) {
                    PoolStats stats = pool.stats();
                    long acquires = Arrays.stream(AcquireOutcome.values())
                            .mapToLong(stats::acquires)
                            .sum();
                    assertTrue(stats.releases(ReleaseOutcome.RECYCLED) <= acquires, stats::toString);
                    for (PoolStats.SizeClass each : stats.sizeClasses()) {
                        assertTrue(each.leased() >= 0 && each.cached() >= 0, stats::toString);
                    }
                }
            } finally {
                end.complete(null);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            Conservation.check(pool);
        }
    }
}
