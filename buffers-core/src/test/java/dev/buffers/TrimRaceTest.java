// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.internal.pool.SlabPool;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory is taken back while others are just using it: no byte has two holders, and none is left behind. */
class TrimRaceTest {
    /** One thread that takes and gives the same few slots as fast as it can, and others that take them back. */
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap"})
    void concurrentRevocationLosesNoSlot(String policy) throws Exception {
        try (BufferPool pool =
                BufferPool.builder("trim-race").policy(policy).max(16 << 20).build()) {
            for (int round = 0; round < 10; round++) {
                AtomicBoolean end = new AtomicBoolean();
                Thread busy = Threads.start(() -> {
                    while (!end.get()) {
                        for (int i = 0; i < 1000; i++) {
                            pool.acquire(4096).release();
                        }
                    }
                });
                long start = System.nanoTime();
                while (System.nanoTime() - start < 50_000_000) {
                    pool.trim();
                }
                end.set(true);
                busy.join();
                // Not at the first look, which may leave some alone; nor while the daemon has some in its hands.
                Eventually.holds("all memory goes back", () -> {
                    pool.trim();
                    return Conservation.check(pool).reservedBytes() == 0;
                });
            }
        }
    }

    /** A tick that looks at many slabs while all of them are changing. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 20})
    void tickToleratesConcurrentSlabChanges(int threadCache) throws Exception {
        try (BufferPool pool = BufferPool.builder("trim-race")
                .policy("heap")
                .max(64 << 20)
                .threadCache(threadCache)
                .trimAfter(Duration.ofMillis(1))
                .build()) {
            AtomicBoolean end = new AtomicBoolean();
            Thread busy = Threads.start(() -> {
                while (!end.get()) {
                    List<PooledBuffer> leases = Leases.of(5000, () -> pool.acquire(1024));
                    leases.forEach(PooledBuffer::release);
                }
            });
            long now = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
            for (long start = System.nanoTime(); System.nanoTime() - start < 300_000_000; ) {
                now += TimeUnit.SECONDS.toNanos(2);
                ((SlabPool) pool).tick(now);
            }
            end.set(true);
            busy.join();
            Conservation.check(pool);
        }
    }

    /** A pool with {@code at-limit=unpooled} refuses nothing, whatever other threads take back. */
    @Tag("full")
    @Test
    void trimTakesNoMemoryFromAcquireBeyondTheCap() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (BufferPool pool = BufferPool.builder("beyond")
                .policy("heap-view")
                .max(64 << 10)
                .regionSize(64 << 10)
                .maxSize(4096)
                .atLimit(Exhaustion.unpooled())
                .build()) {
            PooledBuffer all = pool.acquire(64 << 10);
            Threads.together(List.of(
                    () -> {
                        try {
                            for (int i = 0; i < 100_000; i++) {
                                pool.acquire(1000).release();
                            }
                        } finally {
                            done.set(true);
                        }
                    },
                    () -> {
                        while (!done.get()) {
                            pool.trim();
                        }
                    }));
            all.release();
            assertEquals(0, Conservation.check(pool).acquires(AcquireOutcome.REJECTED));
        }
    }
}
