// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Refusal;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import dev.buffers.support.WaitingThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting at the cap (I5): which threads are served, which are refused and when, and what messages and figures say. */
@SuppressWarnings("try") // the tick is held, and that is all
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class WaitContractTest extends PoolContract {
    private static final int CAP = 1 << 20;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<PooledBuffer> leases = new ArrayList<>();

    /** A pool with nothing left. */
    private BufferPool full() {
        return full(kind.builder("waiting"));
    }

    private BufferPool full(BufferPool.Builder builder) {
        BufferPool pool = pool(builder.max(CAP));
        leases.addAll(Leases.all(pool, MAX_SIZE));
        assertEquals(4, leases.size());
        return pool;
    }

    @AfterEach
    void releaseAll() {
        Leases.release(leases);
    }

    @Test
    void atLimitWaitWaitsForThatLong() throws Exception {
        BufferPool pool = full(kind.builder("waiting").atLimit(Exhaustion.waiting(Duration.ofMillis(80))));
        inTime(80, () -> {
            WaitingThread waiting = WaitingThread.start(pool, () -> pool.acquire(MAX_SIZE));
            waiting.refusal(PoolExhaustedException.class, "reason=waited ");
            return waiting;
        });
        releaseAll();
        BufferPool patient = full(kind.builder("waiting").atLimit(Exhaustion.waiting(LONG)));
        WaitingThread waiting =
                WaitingThread.start(patient, () -> patient.acquire(MAX_SIZE)).awaitParked();
        leases.remove(0).release();
        waiting.release();
    }

    @Test
    void thePatienceIsExact() throws Exception {
        BufferPool pool = full();
        inTime(60, () -> {
            WaitingThread waiting = WaitingThread.start(pool, MAX_SIZE, Duration.ofMillis(60));
            PoolExhaustedException refused = waiting.refusal(PoolExhaustedException.class, "the cap is reached");
            assertEquals(0, refused.stats().waiters(), "it is not one of those who wait any more");
            assertFalse(waiting.isFlagUp());
            return waiting;
        });
    }

    /** No thread waits for less, and not all of them for much more. */
    private static void inTime(long patienceMillis, Callable<WaitingThread> refusal) {
        Eventually.within(patienceMillis + 400, () -> {
            try {
                long took = refusal.call().millis();
                assertTrue(took >= patienceMillis, () -> "took " + took + " ms");
                return took;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aPatienceWithoutEnd() throws Exception {
        BufferPool pool = full();
        List<WaitingThread> waiting = List.of(
                WaitingThread.parked(pool, MAX_SIZE, Duration.ofNanos(Long.MAX_VALUE)),
                WaitingThread.parked(pool, MAX_SIZE, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)));
        leases.remove(0).release();
        leases.remove(0).release();
        for (WaitingThread one : waiting) {
            one.release();
        }
    }

    @Test
    void invalidPatienceIsRefused() {
        BufferPool pool = pool();
        Refusal.of(() -> pool.acquire(1, Duration.ofNanos(-1)), "patience=PT-0.000000001S");
        assertThrows(NullPointerException.class, () -> pool.acquire(1, null));
        assertThrows(IllegalArgumentException.class, () -> pool.acquire(-1, LONG));
        assertEquals(0, pool.stats().waiters());
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        BufferPool pool = full();
        WaitingThread waiting = WaitingThread.parked(pool, MAX_SIZE, LONG);
        WaitingThread behind = WaitingThread.parked(pool, MAX_SIZE, LONG);
        waiting.interrupt();
        waiting.refusal(PoolExhaustedException.class, "interrupted");
        assertTrue(waiting.isFlagUp());
        assertEquals(1, pool.stats().waiters());
        waited(pool, 1, waiting);
        leases.remove(0).release();
        behind.release();
    }

    @Test
    void interruptedThreadDoesNotWait() throws Exception {
        BufferPool pool = full();
        WaitingThread waiting = interrupted(pool);
        waiting.refusal(PoolExhaustedException.class, "interrupted");
        assertTrue(waiting.isFlagUp());
        releaseAll();
        WaitingThread served = interrupted(pool);
        served.release(); // a free buffer is not refused
        assertTrue(served.isFlagUp());
    }

    private static WaitingThread interrupted(BufferPool pool) {
        return WaitingThread.start(pool, () -> {
            Thread.currentThread().interrupt();
            return pool.acquire(MAX_SIZE, LONG);
        });
    }

    @Test
    void closeEndsEveryWait() throws Exception {
        BufferPool pool = full();
        List<WaitingThread> waiting = new ArrayList<>();
        for (int size : new int[] {MAX_SIZE, MAX_SIZE, 100, CAP}) {
            waiting.add(WaitingThread.parked(pool, size, LONG));
        }
        pool.close();
        for (WaitingThread one : waiting) {
            one.refusal(IllegalStateException.class, "pool is closed");
        }
        assertEquals(0, Conservation.check(pool, 4).waiters());
        waited(pool, 4, waiting.toArray(WaitingThread[]::new));
    }

    @Test
    void tryAcquireIsNeverInTheQueue() throws Exception {
        BufferPool pool = full(kind.builder("waiting").atLimit(Exhaustion.waiting(LONG)));
        WaitingThread waiting = WaitingThread.parked(pool, MAX_SIZE, LONG);
        for (int i = 0; i < 20; i++) {
            Eventually.within(400, () -> {
                assertNull(pool.tryAcquire(MAX_SIZE));
                assertNull(pool.tryAcquire(1));
            });
            assertEquals(1, pool.stats().waiters());
        }
        leases.remove(0).release();
        waiting.release();
    }

    @Test
    void waitersAreServedInOrderOfArrival() throws Exception {
        BufferPool pool = full();
        Queue<Integer> order = new ConcurrentLinkedQueue<>();
        List<WaitingThread> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int place = i;
            waiting.add(WaitingThread.start(pool, () -> {
                        PooledBuffer lease = pool.acquire(MAX_SIZE, LONG);
                        order.add(place);
                        return lease;
                    })
                    .awaitParked());
        }
        for (int i = 0; i < 6; i++) {
            leases.remove(0).release();
            leases.add(waiting.get(i).lease()); // in any other order this fails for lack of patience
            assertEquals(i + 1, order.size());
        }
        assertEquals(List.of(0, 1, 2, 3, 4, 5), new ArrayList<>(order));
    }

    @Test
    void wakeUpsAndThreadsStandInOneQueue() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick()) {
            BufferPool pool = full();
            Queue<String> order = new ConcurrentLinkedQueue<>();
            WaitingThread first = WaitingThread.parked(pool, MAX_SIZE, LONG);
            pool.whenAvailable(MAX_SIZE, () -> order.add("second"));
            WaitingThread third = WaitingThread.parked(pool, MAX_SIZE, LONG);
            assertEquals(3, pool.stats().waiters());
            leases.remove(0).release();
            PooledBuffer lease = first.lease();
            assertEquals(List.of(), new ArrayList<>(order));
            lease.release();
            assertEquals(List.of("second"), new ArrayList<>(order));
            leases.remove(0).release(); // the wake-up's buffer is still free; this one is for the third in any case
            third.release();
        }
    }

    @Test
    void waiterBetweenThrowingWakeUpsIsServed() throws Exception {
        BufferPool pool = full();
        pool.whenAvailable(MAX_SIZE, () -> {
            throw new UnsupportedOperationException("from the wake-up");
        });
        WaitingThread waiting = WaitingThread.parked(pool, MAX_SIZE, LONG);
        pool.whenAvailable(MAX_SIZE, () -> {
            throw new AssertionError("from the wake-up");
        });
        releaseAll();
        waiting.release();
        assertEquals(0, Conservation.check(pool).waiters());
    }

    // ---------------------------------------------------------------- counts

    /** The figures of waits that have ended; time is counted with the wait, and never more than passed. */
    private static void waited(BufferPool pool, int waits, WaitingThread... threads) throws InterruptedException {
        PoolStats stats = pool.stats();
        assertEquals(waits, stats.waits());
        assertEquals(waits > 0, stats.waitedNanos() > 0, () -> "waited " + stats.waitedNanos() + " ns");
        long most = 0;
        for (WaitingThread thread : threads) {
            most += thread.millis() + 1;
        }
        assertTrue(
                stats.waitedNanos() <= most * 1_000_000,
                () -> "waited " + stats.waitedNanos() + " ns in acquires of " + waits + " threads");
    }

    @Test
    void servedWaitIsCountedAfterTheEnd() throws Exception {
        BufferPool pool = full();
        WaitingThread first = WaitingThread.parked(pool, MAX_SIZE - 1, LONG);
        WaitingThread second = WaitingThread.parked(pool, MAX_SIZE, LONG);
        waited(pool, 0);
        Threads.run(() -> leases.remove(0).release());
        leases.add(first.lease());
        assertEquals(MAX_SIZE - 1, leases.get(3).buffer().limit());
        assertEquals(1, Conservation.check(pool, 4).waiters());
        waited(pool, 1, first);
        long nanos = pool.stats().waitedNanos();
        leases.remove(0).release();
        leases.add(second.lease());
        waited(pool, 2, first, second);
        assertTrue(pool.stats().waitedNanos() > nanos);
        releaseAll();
        PoolStats stats = Conservation.check(pool);
        assertEquals(2, stats.waits());
        assertEquals(0, stats.waiters());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWaitThatIsRefusedInTheEndIsCountedWithAllItsTime(boolean guard) throws Exception {
        BufferPool pool = full(kind.builder("waiting").guard(guard).atLimit(Exhaustion.waiting(Duration.ofMillis(3))));
        WaitingThread atLimit = WaitingThread.start(pool, () -> pool.acquire(MAX_SIZE));
        atLimit.refusal(PoolExhaustedException.class);
        waited(pool, 1, atLimit);
        assertTrue(pool.stats().waitedNanos() >= 3_000_000);
        WaitingThread patient = WaitingThread.start(pool, MAX_SIZE, Duration.ofMillis(5));
        patient.refusal(PoolExhaustedException.class);
        waited(pool, 2, atLimit, patient);
        assertTrue(pool.stats().waitedNanos() >= 8_000_000);
        assertEquals(2 + 1, pool.stats().acquires(AcquireOutcome.REJECTED), "and the one that filled the pool");
    }

    /** The thread is interrupted and served at the same time. To restore its flag, the pool calls a method that a subclass overrides. */
    @Test
    void interruptThatThrowsLosesNoMemory() throws Exception {
        BufferPool pool = full();
        for (int i = 0; i < 30; i++) {
            AtomicReference<PooledBuffer> lease = new AtomicReference<>();
            Thread thread = new Thread(() -> lease.set(acquireOrNull(pool))) {
                @Override
                public void interrupt() {
                    super.interrupt();
                    if (Thread.currentThread() == this) {
                        throw new UnsupportedOperationException("never by itself");
                    }
                }
            };
            thread.start();
            Eventually.holds("it waits", () -> pool.stats().waiters() == 1);
            thread.interrupt();
            leases.remove(0).release();
            thread.join();
            leases.add(lease.get() == null ? pool.acquire(MAX_SIZE, Duration.ofSeconds(5)) : lease.get());
        }
        assertEquals(leases.size(), pool.openLeases().size());
    }

    private static PooledBuffer acquireOrNull(BufferPool pool) {
        try {
            return pool.acquire(MAX_SIZE, LONG);
        } catch (UnsupportedOperationException e) {
            return null;
        }
    }

    @Test
    void immediateAnswersAndWakeUpsAreNotCountedAsWaits() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick()) {
            BufferPool pool = full();
            assertNull(pool.tryAcquire(MAX_SIZE));
            assertThrows(PoolExhaustedException.class, () -> pool.acquire(MAX_SIZE));
            assertThrows(PoolExhaustedException.class, () -> pool.acquire(MAX_SIZE, Duration.ZERO));
            assertThrows(PoolExhaustedException.class, () -> pool.acquire(CAP + 1, LONG));
            List<String> woken = new ArrayList<>();
            pool.whenAvailable(MAX_SIZE, () -> woken.add("later"));
            assertEquals(1, pool.stats().waiters());
            releaseAll();
            pool.whenAvailable(MAX_SIZE, () -> woken.add("at once"));
            assertEquals(List.of("later", "at once"), woken);
            assertEquals(0, pool.stats().waiters());
            pool.acquire(MAX_SIZE, LONG).release();
            waited(pool, 0);
        }
    }
}
