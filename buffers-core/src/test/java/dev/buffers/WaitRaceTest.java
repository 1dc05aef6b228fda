// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import dev.buffers.support.WaitingThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait or a registration that begins or ends as room is made (I5): nothing is lost, and no tick is needed for it. */
@SuppressWarnings("try") // the tick is held, and that is all
class WaitRaceTest {
    private static final int SIZE = 4096;
    private static final Duration LONG = Duration.ofMinutes(5);

    private static BufferPool pool(String policy, long max) {
        return BufferPool.builder("races")
                .policy(policy)
                .max(max)
                .threadCache(0)
                .build();
    }

    /** A release and an acquire at once; the acquire has no other slot to get. */
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "unpooled"})
    void aReleaseAndAWaitAtOnce(String policy) throws Exception {
        int rounds = 1_200;
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = pool(policy, SIZE)) {
            CyclicBarrier barrier = new CyclicBarrier(2);
            PooledBuffer[] lease = {pool.acquire(SIZE)};
            Threads.Action releaser = () -> {
                for (int i = 0; i < rounds; i++) {
                    barrier.await();
                    spin(i % 64 * 4);
                    lease[0].release();
                    barrier.await();
                }
            };
            Threads.Action waiter = () -> {
                for (int i = 0; i < rounds; i++) {
                    barrier.await();
                    PooledBuffer mine = pool.acquire(SIZE, LONG);
                    barrier.await();
                    lease[0] = mine;
                }
            };
            Threads.together(List.of(releaser, waiter));
            lease[0].release();
            assertEquals(0, Conservation.check(pool).waiters());
        }
    }

    /** Memory that is given to an ending wait is passed on to the waiter behind. */
    @ParameterizedTest
    @CsvSource({"heap-view, false", "heap-view, true", "unpooled, true"})
    void memoryGivenToEndingWaitGoesToTheNext(String policy, boolean interrupt) throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = pool(policy, SIZE)) {
            int rounds = 0;
            int served = 0;
            // Eighty rounds, and more until one wait has ended without a slot: a slow machine needs more time for that.
            for (; rounds < 80 || served == rounds && rounds < 400; rounds++) {
                int i = rounds;
                PooledBuffer lease = pool.acquire(SIZE);
                WaitingThread goes = WaitingThread.start(
                        pool, SIZE, interrupt ? LONG : Duration.ofNanos(5_000_000 + i % 10 * 100_000));
                WaitingThread stays =
                        interrupt ? WaitingThread.parked(pool, SIZE, LONG) : WaitingThread.start(pool, SIZE, LONG);
                if (interrupt) {
                    goes.awaitParked();
                    goes.interrupt();
                    spin(i * 20);
                } else {
                    long until = System.nanoTime() + 5_000_000;
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                }
                Thread.sleep(Math.max(0, i - 79));
                lease.release();
                PooledBuffer first = null;
                try {
                    first = goes.lease();
                    served++;
                } catch (AssertionError e) {
                    goes.refusal(PoolExhaustedException.class);
                }
                assertEquals(interrupt, goes.isFlagUp());
                if (first != null) {
                    first.release();
                }
                stays.release();
                assertEquals(0, Conservation.check(pool).waiters());
            }
            assertTrue(served < rounds, "some of them went");
        }
    }

    /** More threads than slots, each with little patience: whatever they do to each other, all slots are there afterwards. */
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap", "unpooled"})
    void impatientThreads(String policy) throws Exception {
        try (BufferPool pool = pool(policy, 3 * SIZE)) {
            AtomicLong served = new AtomicLong();
            AtomicLong refused = new AtomicLong();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            long deadline = Eventually.deadline();
            BooleanSupplier goOn = () -> System.nanoTime() - end < 0
                    || (served.get() <= 100 || refused.get() <= 10) && !Eventually.isPast(deadline);
            List<Threads.Action> actions = new ArrayList<>();
            for (int t = 0; t < 12; t++) {
                Random random = new Random(t);
                actions.add(() -> {
                    while (goOn.getAsBoolean()) {
                        if (random.nextInt(8) == 0) {
                            Thread.currentThread().interrupt();
                        }
                        try {
                            PooledBuffer lease = pool.acquire(SIZE, Duration.ofNanos(random.nextInt(200_000)));
                            served.incrementAndGet();
                            spin(random.nextInt(2_000));
                            lease.release();
                        } catch (PoolExhaustedException e) {
                            refused.incrementAndGet();
                        }
                        Thread.interrupted();
                    }
                });
            }
            Threads.together(actions);
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.waiters());
            assertTrue(served.get() > 100 && refused.get() > 10, () -> served + " served, " + refused + " refused");
            assertEquals(refused.get(), stats.acquires(AcquireOutcome.REJECTED));
            List<PooledBuffer> all = Leases.all(pool, SIZE);
            assertEquals(3, all.size());
            all.forEach(PooledBuffer::release);
        }
    }

    @Test
    void closeWhileThreadsComeToWait() throws Exception {
        for (int i = 0; i < 20; i++) {
            BufferPool pool = pool("heap-view", SIZE);
            PooledBuffer lease = pool.acquire(SIZE);
            List<WaitingThread> waiting = new ArrayList<>();
            for (int t = 0; t < 6; t++) {
                waiting.add(WaitingThread.start(pool, t % 2 == 0 ? SIZE : 100, LONG));
            }
            spin(i * 500);
            pool.close();
            for (WaitingThread one : waiting) {
                one.refusal(IllegalStateException.class);
            }
            lease.release();
            assertEquals(0, Conservation.check(pool).reservedBytes());
        }
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
                BufferPool pool = pool("heap-view", size == 200_000 ? 229_376 : size)) {
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

    /** Four threads, two slots: a thread that finds no slot sleeps until it is woken, and tries again. */
    @Test
    void fourThreadsShareTwoSlots() throws Exception {
        int rounds = 3_000;
        try (BufferPool pool = pool("heap-view", 2 * SIZE)) {
            Threads.together(Collections.nCopies(4, () -> {
                Semaphore awake = new Semaphore(0);
                for (int i = 0; i < rounds; i++) {
                    PooledBuffer lease = pool.tryAcquire(SIZE);
                    while (lease == null) {
                        pool.whenAvailable(SIZE, awake::release);
                        assertTrue(awake.tryAcquire(300, TimeUnit.SECONDS), () -> "not woken: " + pool.stats());
                        lease = pool.tryAcquire(SIZE);
                    }
                    lease.buffer().putInt(0, i);
                    lease.release();
                }
            }));
            assertEquals(0, Conservation.check(pool).waiters());
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
