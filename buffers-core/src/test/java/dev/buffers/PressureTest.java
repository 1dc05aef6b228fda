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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pressure stays with the size in demand (I5): it slows no thread that asks for another size, and no waiter starves. */
@SuppressWarnings("try") // the tick is held, and not used otherwise
class PressureTest {
    private static final int SMALL = 1000;
    private static final int LARGE = 20 << 20;

    private static BufferPool pool() {
        return BufferPool.builder("pressure")
                .policy("heap-view")
                .max(64 << 20)
                .trimAfter(Duration.ofHours(1)) // so that memory goes only for the waiter
                .build();
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE, 64 << 10})
    void aHitOfAnotherSizeStaysAHit(int wanted) throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("pressure")
                        .policy("heap-view")
                        .max(21 << 20)
                        .build()) {
            PooledBuffer filling = pool.acquire(LARGE);
            PooledBuffer small = pool.acquire(SMALL); // its region stays
            List<PooledBuffer> rest = Leases.all(pool, 64 << 10);
            pool.whenAvailable(wanted, () -> {});
            assertEquals(1, pool.stats().waiters());
            pool.acquire(SMALL).release(); // the search for the waiter has recalled slots
            long hits = pool.stats().acquires(AcquireOutcome.THREAD);
            for (int i = 0; i < 1000; i++) {
                pool.acquire(SMALL).release();
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
                        pool.acquire(SMALL).release();
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
                BufferPool pool = pool()) {
            Leases.all(pool, SMALL).forEach(PooledBuffer::release); // all of it is cut for small ones
            List<PooledBuffer> leases = Leases.all(pool, SMALL);
            WaitingThread large = WaitingThread.parked(pool, LARGE, Duration.ofMinutes(2));
            leases.forEach(PooledBuffer::release);
            leases.clear();
            try (Traffic traffic = new Traffic(pool, threads)) {
                int ticks = 0;
                long deadline = Eventually.deadline();
                while (!large.hasEnded()) {
                    PoolStats stats = pool.stats();
                    assertFalse(Eventually.isPast(deadline), () -> "no room comes together: " + stats);
                    boolean does = stats.maxBytes() - stats.reservedBytes() - stats.droppedBytes() >= LARGE;
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
