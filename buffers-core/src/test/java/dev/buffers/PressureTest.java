package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pressure belongs to what is wanted (I5): it slows nobody who wants something else, and nobody who waits starves. */
@SuppressWarnings("try") // the tick is held, and not used otherwise
class PressureTest {
    private static final int SMALL = 1000;
    private static final int LARGE = 20 << 20;

    private static BufferPool pool() {
        return BufferPool.builder("pressure").policy("heap-view").max(64 << 20).build();
    }

    /** Fills the pool with small leases, and gives all but a few back. */
    private static void cutForSmallOnes(BufferPool pool) {
        List<PooledBuffer> leases = new ArrayList<>();
        for (PooledBuffer lease = pool.tryAcquire(SMALL); lease != null; lease = pool.tryAcquire(SMALL)) {
            leases.add(lease);
        }
        leases.forEach(PooledBuffer::release);
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
            List<PooledBuffer> rest = new ArrayList<>();
            for (PooledBuffer lease = pool.tryAcquire(64 << 10); lease != null; lease = pool.tryAcquire(64 << 10)) {
                rest.add(lease);
            }
            pool.whenAvailable(wanted, () -> {});
            assertEquals(1, pool.stats().waiters());
            pool.acquire(SMALL).release(); // what the waiter has looked for came home
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

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void oneThatWaitsForMuchIsServedBesideSteadyTraffic(int threads) throws Exception {
        try (BufferPool pool = pool()) {
            cutForSmallOnes(pool);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong acquires = new AtomicLong();
            List<Thread> traffic = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Thread thread = new Thread(() -> {
                    while (!stop.get()) {
                        pool.acquire(SMALL).release();
                        acquires.incrementAndGet();
                    }
                });
                traffic.add(thread);
                thread.start();
            }
            try {
                WaitingThread large = WaitingThread.start(pool, LARGE, Duration.ofMinutes(2));
                Eventually.collected("it is served", large::hasEnded);
                large.release();
            } finally {
                stop.set(true);
                for (Thread thread : traffic) {
                    thread.join();
                }
            }
            assertTrue(acquires.get() > 0);
            Conservation.check(pool);
        }
    }

    @Test
    void theNextOfTheSameSizeStillGoesToTheOneThatWaits() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("pressure")
                        .policy("heap-view")
                        .max(64 << 10)
                        .build()) {
            List<PooledBuffer> leases = WaitReachTest.fill(pool, 4096);
            WaitingThread waiting = WaitingThread.parked(pool, 4096, Duration.ofMinutes(1));
            leases.remove(0).release();
            waiting.lease();
            waiting.release();
            leases.forEach(PooledBuffer::release);
        }
    }
}
