// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.SlabPool;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of other code, and a pool that closes in every state: every byte is accounted for afterwards (I1). */
class FaultTest {
    private static BufferPool.Builder views(long max) {
        return BufferPool.builder("faults").policy("heap-view").max(max);
    }

    private static void assertGone(BufferPool pool) {
        Eventually.holds(
                "nothing is reserved any more", () -> Conservation.check(pool).reservedBytes() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "direct-view"})
    void aThreadDiesWithAFullMagazineAndOpenLeases(String policy) throws Exception {
        DirectRoom.make();
        try (BufferPool pool =
                BufferPool.builder("faults").policy(policy).max(16 << 20).build()) {
            List<PooledBuffer> open = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                FutureTask<Void> task = new FutureTask<>(() -> {
                    List<PooledBuffer> leases = Leases.of(40, () -> pool.acquire(4096));
                    open.add(leases.remove(20));
                    leases.forEach(PooledBuffer::release);
                    pool.acquire(8192); // lost
                    throw new UnsupportedOperationException("dies");
                });
                Threads.start(task).join();
            }
            Eventually.collected("the losses are counted", () -> pool.stats().leaks() == 10);
            Conservation.check(pool, 10);
            open.forEach(PooledBuffer::release);
            pool.trim();
            assertGone(pool);
        }
    }

    @Test
    void closeDuringTrimAndTickLeavesNothingBehind() throws Exception {
        for (int round = 0; round < 20; round++) {
            BufferPool pool = views(8 << 20).build();
            List<PooledBuffer> out = Leases.of(500, () -> pool.acquire(4096));
            PooledBuffer last = out.remove(250);
            int pause = round * 30;
            Threads.together(List.of(
                    () -> out.forEach(PooledBuffer::release),
                    () -> {
                        try {
                            while (true) {
                                pool.trim();
                            }
                        } catch (IllegalStateException e) {
                            assertTrue(e.getMessage().startsWith("pool is closed"), e.getMessage());
                        }
                    },
                    () -> {
                        long now = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
                        for (int i = 0; i < 50; i++) {
                            ((SlabPool) pool).tick(now += TimeUnit.SECONDS.toNanos(5));
                        }
                    },
                    () -> {
                        TimeUnit.MICROSECONDS.sleep(pause);
                        pool.close();
                        pool.close();
                    }));
            Conservation.check(pool, 1);
            last.buffer().putLong(0, 1);
            last.release();
            assertGone(pool);
        }
    }
}
