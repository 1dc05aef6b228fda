// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No wake-up is lost, whatever a release and a registration do to each other (I5). */
class WakeUpRaceTest {
    private static final int SIZE = 4096;

    private static BufferPool pool(long max, long threadCache) {
        return BufferPool.builder("wake-ups")
                .policy("heap-view")
                .max(max)
                .threadCache(threadCache)
                .build();
    }

    /** When a release and a registration have both ended, and a slot is free, the wake-up has been called. */
    @ParameterizedTest
    @ValueSource(ints = {SIZE, 200_000, 300_000})
    void aReleaseAndARegistrationAtOnce(int size) throws Exception {
        int rounds = 20_000;
        boolean alone = size == 300_000;
        // The tick would make up for a lost wake-up. Only oversize buffers need it, and time: the collector may already
        // have their region.
        Duration patience = Duration.ofSeconds(alone ? 60 : 0);
        try (WaitHeldTick noTick = alone ? null : new WaitHeldTick();
                BufferPool pool = pool(size == 200_000 ? 229_376 : size, 0)) {
            assertEquals(alone, noTick == null);
            CyclicBarrier barrier = new CyclicBarrier(2);
            PooledBuffer[] lease = new PooledBuffer[1];
            AtomicInteger woken = new AtomicInteger();
            Threads.Action releaser = () -> {
                for (int i = 0; i < rounds; i++) {
                    lease[0] = pool.acquire(size, patience);
                    barrier.await();
                    spin(i % 64);
                    lease[0].release();
                    barrier.await();
                    int expected = i + 1;
                    if (alone) {
                        Eventually.holds("the wake-up", () -> woken.get() == expected);
                    }
                    assertEquals(expected, woken.get(), () -> "a wake-up was lost: " + pool.stats());
                }
            };
            Threads.Action waiter = () -> {
                for (int i = 0; i < rounds; i++) {
                    barrier.await();
                    spin(i / 64 % 64);
                    pool.whenAvailable(size, woken::incrementAndGet);
                    barrier.await();
                }
            };
            Threads.together(List.of(releaser, waiter));
            Conservation.check(pool);
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    /** Four threads, two slots: a thread that finds no slot sleeps until it is woken, and tries again. */
    @Test
    void fourThreadsShareTwoSlots() throws Exception {
        int rounds = 3_000;
        try (BufferPool pool = pool(2 * SIZE, 0)) {
            Threads.together(Collections.nCopies(4, () -> {
                Semaphore awake = new Semaphore(0);
                for (int i = 0; i < rounds; i++) {
                    PooledBuffer lease = pool.tryAcquire(SIZE);
                    while (lease == null) {
                        pool.whenAvailable(SIZE, awake::release);
                        assertTrue(awake.tryAcquire(60, TimeUnit.SECONDS), () -> "nobody woke this: " + pool.stats());
                        lease = pool.tryAcquire(SIZE);
                    }
                    lease.buffer().putInt(0, i);
                    lease.release();
                }
            }));
            assertEquals(0, Conservation.check(pool).waiters());
        }
    }
}
