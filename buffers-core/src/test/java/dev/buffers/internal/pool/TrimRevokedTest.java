// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Conservation;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An acquire that comes upon slots that were taken back in the meantime is one acquire (section 4: at quiescence figures are exact). */
class TrimRevokedTest {

    /** In the thread's magazine, and without one in the depot: an acquire that meets them is counted once, and there. */
    @ParameterizedTest
    @ValueSource(longs = {4 << 20, 0})
    void revokedSlotsChangeNoFigure(long threadCache) throws Exception {
        BufferPool.Builder builder =
                BufferPool.builder("revoked").policy("heap-view").max(8 << 20).threadCache(threadCache);
        try (BufferPool pool = builder.build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int round = 0; round < 50; round++) {
                for (int i = 0; i < 16; i++) {
                    leases.add(pool.acquire(4096));
                }
                leases.forEach(PooledBuffer::release);
                leases.clear();
                PoolStats before = pool.stats();
                Threads.run(pool::trim); // revokes what this thread's magazine holds
                PoolStats after = Conservation.check(pool);
                assertEquals(0, after.reservedBytes());
                assertEquals(acquires(before), acquires(after));
                assertEquals(before.releases(ReleaseOutcome.RECYCLED), after.releases(ReleaseOutcome.RECYCLED));
            }
            PoolStats stats = Conservation.check(pool);
            assertEquals(50 * 16, stats.releases(ReleaseOutcome.RECYCLED));
            assertEquals(50 * 16, acquires(stats), () -> stats.toString());
        }
    }

    private static long acquires(PoolStats stats) {
        return Arrays.stream(AcquireOutcome.values()).mapToLong(stats::acquires).sum();
    }
}
