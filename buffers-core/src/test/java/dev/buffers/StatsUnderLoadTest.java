// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Threads;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a pool says of itself while it is used (I1): each figure is recent, and none makes a nonsense of another. */
class StatsUnderLoadTest {

    @Test
    void noMoreIsReleasedThanWasAcquired() throws Exception {
        try (BufferPool pool =
                BufferPool.builder("busy").policy("heap-view").max(1 << 20).build()) {
            AtomicBoolean end = new AtomicBoolean();
            Thread busy = Threads.start(() -> {
                while (!end.get()) {
                    for (int i = 0; i < 1000; i++) {
                        pool.acquire(1000).release();
                    }
                }
            });
            try {
                for (int i = 0; i < 20_000; i++) {
                    PoolStats stats = pool.stats();
                    long acquires = Arrays.stream(AcquireOutcome.values())
                            .mapToLong(stats::acquires)
                            .sum();
                    assertTrue(stats.releases(ReleaseOutcome.RECYCLED) <= acquires, stats::toString);
                }
            } finally {
                end.set(true);
                Threads.join(busy);
            }
            Conservation.check(pool);
        }
    }
}
