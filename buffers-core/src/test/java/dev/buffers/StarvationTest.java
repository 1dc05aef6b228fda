// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.SlabPool;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import dev.buffers.support.WaitingThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** While other threads acquire and release without a pause, each waiter is served soon (I5). */
@SuppressWarnings("try") // the tick is held, and not used otherwise
class StarvationTest {
    private static final int THREADS = 40;
    private static final int[] SMALL = {1000};
    private static final int[] LARGE = {16_000};
    private static final int MANY_REGIONS = 20 << 20;
    private static final int[] FIVE = {1000, 2000, 4000, 8000, 16_000};
    private static final long HOLD_NANOS = 1_000_000;
    private static final long PROMISED_NANOS = Duration.ofSeconds(2).toNanos();

    /** The sizes that flow, the sizes that are waited for, and the pool. */
    enum Load {
        SIZES_UP("heap-view", 64, SMALL, LARGE),
        SIZES_UP_FOUR_REGIONS("heap-view", 256, SMALL, LARGE),
        SIZES_UP_DIRECT("direct-view", 64, SMALL, LARGE),
        SIZES_DOWN("heap-view", 64, LARGE, SMALL),
        FIVE_CLASSES("heap-view", 64, FIVE, FIVE),
        FIVE_CLASSES_FOUR_REGIONS("heap-view", 256, FIVE, FIVE),
        OVERSIZE("heap-view", 64, SMALL, new int[] {40_000}),
        WAKE_UP("heap-view", 64, SMALL, LARGE),
        GUARD("heap-view", 64, SMALL, LARGE),
        GUARD_DOWN("heap-view", 64, LARGE, SMALL),
        EXACT("heap", 64, SMALL, LARGE),
        EXACT_DOWN("heap", 64, LARGE, SMALL),
        LARGER_THAN_A_REGION("heap-view", 256, SMALL, new int[] {100_000});

        final String policy;
        final int max;
        final int[] flowing;
        final int[] waitedFor;

        Load(String policy, int kib, int[] flowing, int[] waitedFor) {
            this.policy = policy;
            this.max = kib << 10;
            this.flowing = flowing;
            this.waitedFor = waitedFor;
        }

        /** Whether memory reaches another size only through the collector. */
        boolean needsCollections() {
            return ordinal() >= GUARD.ordinal();
        }

        BufferPool open() {
            return BufferPool.builder("starve")
                    .policy(policy)
                    .max(max)
                    .regionSize(64 << 10)
                    .maxSize(16 << 10)
                    .guard(this == GUARD || this == GUARD_DOWN)
                    .build();
        }
    }

    @ParameterizedTest
    @EnumSource
    void waiterIsServedWhileMemoryFlows(Load load) throws Exception {
        run(load, 3, Long.MAX_VALUE);
    }

    @Tag("stress")
    @ParameterizedTest
    @EnumSource
    void eachOfManyWaitersIsServedWithinPromisedTime(Load load) throws Exception {
        run(load, 100, PROMISED_NANOS);
    }

    private static void run(Load load, int tries, long mostNanos) throws Exception {
        try (BufferPool pool = load.open()) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong served = new AtomicLong();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int first = i;
                threads.add(Threads.start(() -> flow(pool, load, first, stop, served)));
            }
            if (load.needsCollections()) {
                threads.add(Threads.start(() -> {
                    while (!stop.get()) {
                        System.gc();
                        LockSupport.parkNanos(100_000_000);
                    }
                }));
            }
            try {
                while (served.get() < 20 * THREADS) {
                    Thread.onSpinWait();
                }
                for (int i = 0; i < tries; i++) {
                    int size = load.waitedFor[i % load.waitedFor.length];
                    long begin = System.nanoTime();
                    waitFor(pool, size, load == Load.WAKE_UP);
                    long took = System.nanoTime() - begin;
                    int at = i;
                    assertTrue(
                            took <= mostNanos, () -> "try " + at + " took " + took / 1_000_000 + " ms: " + pool.dump());
                }
            } finally {
                stop.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            Conservation.check(pool);
        }
    }

    /** Most of the threads wait at the cap, and some of them do without. */
    private static void flow(BufferPool pool, Load load, int first, AtomicBoolean stop, AtomicLong served) {
        for (int i = first; !stop.get(); i++) {
            int size = load.flowing[i % load.flowing.length];
            PooledBuffer lease = first % 5 > 0 ? pool.acquire(size, Duration.ofMinutes(1)) : pool.tryAcquire(size);
            LockSupport.parkNanos(HOLD_NANOS);
            if (lease != null) {
                lease.release();
                served.incrementAndGet();
            }
        }
    }

    private static void waitFor(BufferPool pool, int size, boolean byWakeUp) throws InterruptedException {
        PooledBuffer lease = byWakeUp ? pool.tryAcquire(size) : pool.acquire(size, Duration.ofMinutes(1));
        while (lease == null) {
            CountDownLatch called = new CountDownLatch(1);
            pool.whenAvailable(size, called::countDown);
            assertTrue(called.await(5, TimeUnit.MINUTES), "not called");
            lease = pool.tryAcquire(size);
        }
        lease.release();
    }

    /** Pressure stays with the size in demand: it slows no thread that asks for another size. */
    @ParameterizedTest
    @ValueSource(ints = {MANY_REGIONS, 64 << 10})
    void aHitOfAnotherSizeStaysAHit(int wanted) throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("starve")
                        .policy("heap-view")
                        .max(21 << 20)
                        .build()) {
            PooledBuffer filling = pool.acquire(MANY_REGIONS);
            PooledBuffer small = pool.acquire(1000); // its region stays
            List<PooledBuffer> rest = Leases.all(pool, 64 << 10);
            pool.whenAvailable(wanted, () -> {});
            assertEquals(1, pool.stats().waiters());
            pool.acquire(1000).release(); // the search for the waiter has recalled slots
            long hits = pool.stats().acquires(AcquireOutcome.THREAD);
            for (int i = 0; i < 1000; i++) {
                pool.acquire(1000).release();
            }
            assertEquals(1000, pool.stats().acquires(AcquireOutcome.THREAD) - hits);
            assertEquals(1, pool.stats().waiters());
            small.release();
            rest.forEach(PooledBuffer::release);
            filling.release();
        }
    }

    /** Threads that acquire and release without a pause until it is closed. */
    private static final class Traffic implements AutoCloseable {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicInteger done = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();

        Traffic(BufferPool pool, int threads) {
            for (int i = 0; i < threads; i++) {
                this.threads.add(Threads.start(() -> {
                    while (!stop.get()) {
                        pool.acquire(1000).release();
                    }
                    done.incrementAndGet();
                }));
            }
        }

        @Override
        public void close() throws Exception {
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(threads.size(), done.get(), "none of them was refused");
        }
    }

    /** Free slots come together in whole regions, the collector takes them, and from then on the waiter needs no more than two ticks. */
    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void largeWaiterIsServedWithinTwoTicksOfRoom(int threads) throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("starve")
                        .policy("heap-view")
                        .max(64 << 20)
                        .trimAfter(Duration.ofHours(1)) // so that memory goes only for the waiter
                        .build()) {
            Leases.all(pool, 1000).forEach(PooledBuffer::release); // all of it is cut for small ones
            List<PooledBuffer> leases = Leases.all(pool, 1000);
            WaitingThread large = WaitingThread.parked(pool, MANY_REGIONS, Duration.ofMinutes(2));
            Leases.release(leases);
            try (Traffic traffic = new Traffic(pool, threads)) {
                int ticks = 0;
                long deadline = Eventually.deadline();
                while (!large.hasEnded()) {
                    PoolStats stats = pool.stats();
                    assertFalse(Eventually.isPast(deadline), () -> "no room comes together: " + stats);
                    boolean does = stats.maxBytes() - stats.reservedBytes() - stats.droppedBytes() >= MANY_REGIONS;
                    assertTrue(ticks <= 2, () -> "not served: " + stats);
                    ticks += does ? 1 : 0;
                    ((SlabPool) pool).tick(System.nanoTime());
                    System.gc();
                    if (does) {
                        Eventually.holds("it has looked", () -> large.hasEnded() || large.isParked());
                    }
                }
                large.release();
            }
            Conservation.check(pool);
        }
    }
}
