// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Threads;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a pool says of itself (I1). */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class StatsContractTest extends PoolContract {
    @Test
    void aNewPoolHasNothing() {
        PoolStats stats = Conservation.check(pool());
        assertEquals(16 << 20, stats.maxBytes());
        assertEquals(0, stats.reservedBytes());
        assertEquals(0, stats.regions());
        assertEquals(List.of(), stats.sizeClasses());
        assertEquals(0, acquires(stats));
        for (Executable change : List.<Executable>of(
                () -> stats.sizeClasses().clear(),
                () -> stats.acquiresByOutcome().clear(),
                () -> stats.releasesByOutcome().clear())) {
            assertThrows(UnsupportedOperationException.class, change);
        }
    }

    @Test
    void hitsAndMissesOfTheClassesAddUpToAllAcquires() throws Exception {
        BufferPool pool = pool();
        Threads.run(() -> {
            for (int i = 0; i < 300; i++) {
                pool.acquire(i % 3 * 4096).release();
            }
        });
        try (PooledBuffer out = pool.acquire(4096);
                ChannelBuffers channel = pool.channel()) {
            assertTrue(out.isOpen());
            for (int i = 0; i < 10; i++) {
                channel.acquire(4096).release();
            }
            Threads.run(pool::trim); // revokes what this thread has cached: such acquires must not stay counted
            pool.acquire(4096).release();
            PoolStats stats = Conservation.check(pool, 1);
            long hits = stats.sizeClasses().stream()
                    .mapToLong(PoolStats.SizeClass::hits)
                    .sum();
            long misses = stats.sizeClasses().stream()
                    .mapToLong(PoolStats.SizeClass::misses)
                    .sum();
            if (!kind.isPooled()) {
                assertEquals(0, hits + misses);
                return;
            }
            PoolStats.SizeClass fours = stats.sizeClasses().stream()
                    .filter(size -> size.size() == 4096)
                    .findFirst()
                    .orElseThrow();
            assertEquals(100 + 1 + 10 + 1, fours.hits() + fours.misses());
            assertTrue(fours.hits() >= 108, () -> stats.toString());
            assertTrue(hits <= stats.acquires(AcquireOutcome.THREAD) + stats.acquires(AcquireOutcome.CHANNEL));
            assertTrue(misses <= stats.acquires(AcquireOutcome.DEPOT) + stats.acquires(AcquireOutcome.CARVED));
        }
    }

    @Test
    void theCountsOfDeadThreadsStay() throws Exception {
        BufferPool pool = pool();
        for (int t = 0; t < 5; t++) {
            Threads.run(() -> {
                for (int i = 0; i < 100; i++) {
                    pool.acquire(1000).release();
                }
            });
        }
        assertEquals(500, acquires(pool.stats()));
        pool.trim();
        PoolStats stats = Conservation.check(pool);
        assertEquals(500, acquires(stats));
        assertEquals(500, stats.releases(ReleaseOutcome.RECYCLED));
        pool.close();
        assertEquals(500, acquires(pool.stats()));
    }

    @Test
    void eachSizeClassIsShown() {
        BufferPool pool = pool();
        PooledBuffer one = pool.acquire(4096);
        PooledBuffer two = pool.acquire(4096);
        two.release();
        PooledBuffer other = pool.acquire(20_000);
        PoolStats stats = Conservation.check(pool, 2);
        if (kind.isPooled()) {
            assertEquals(
                    List.of(4096, 20_480),
                    stats.sizeClasses().stream().map(PoolStats.SizeClass::size).toList());
            assertEquals(1, stats.sizeClasses().get(0).leased());
            assertEquals(1, stats.sizeClasses().get(1).leased());
            assertTrue(stats.sizeClasses().get(0).cached() >= 1);
            assertEquals(4096 + 20_480, stats.leasedBytes());
        } else {
            assertEquals(List.of(), stats.sizeClasses());
            assertEquals(24_096, stats.leasedBytes());
        }
        one.release();
        other.release();
    }

    @Test
    void regionsAndSlabsGoWithTheMemory() {
        BufferPool pool = pool();
        PooledBuffer lease = pool.acquire(4096);
        assertEquals(1, pool.stats().regions());
        assertEquals(1, pool.stats().slabs());
        lease.release();
        long reserved = pool.stats().reservedBytes();
        assertEquals(reserved, pool.trim());
        PoolStats stats = Conservation.check(pool);
        assertEquals(reserved, stats.trimmedBytes());
        assertEquals(0, stats.regions());
        assertEquals(0, stats.slabs());
        assertEquals(0, stats.reservedBytes());
        assertEquals(0, pool.trim());
    }

    private static long acquires(PoolStats stats) {
        return Arrays.stream(AcquireOutcome.values())
                .filter(outcome -> outcome != AcquireOutcome.REJECTED)
                .mapToLong(stats::acquires)
                .sum();
    }
}
