// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import dev.buffers.support.WaitingThread;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Corner cases in which a waiter was forgotten, overtaken, or given memory that another holder had (I5). */
@SuppressWarnings("try") // the tick is held, and that is all
class WaitGapsTest {
    private static final int SIZE = 4096;
    private static final Duration LONG = Duration.ofMinutes(5);

    private static BufferPool.Builder builder(long max) {
        return BufferPool.builder("gaps").policy("heap-view").max(max).threadCache(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "unpooled"})
    void lateAcquireWithPatienceOvertakesNoWaiter(String policy) throws Exception {
        try (BufferPool pool = builder(SIZE).policy(policy).build()) {
            int overtaken = 0;
            for (int i = 0; i < 100; i++) {
                PooledBuffer first = pool.acquire(SIZE);
                AtomicBoolean served = new AtomicBoolean();
                WaitingThread waiting = servedOnce(pool, served);
                waiting.awaitParked();
                first.release();
                PooledBuffer late = pool.acquire(SIZE, LONG);
                overtaken += served.get() ? 0 : 1;
                late.release();
                waiting.lease();
            }
            assertEquals(0, overtaken);
        }
    }

    /** Waits for a buffer, and gives it back at once. */
    private static WaitingThread servedOnce(BufferPool pool, AtomicBoolean served) {
        return WaitingThread.start(pool, () -> {
            PooledBuffer lease = pool.acquire(SIZE, LONG);
            served.set(true);
            lease.release();
            return lease;
        });
    }

    /** No release serves this waiter: its memory comes when the policy can allocate again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lateAcquireWithPatienceLeavesNewRoomToWaiter(boolean views) throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        BufferPolicy policy = Kind.own(false, views, bytes -> {
            if (fails.get()) {
                throw new OutOfMemoryError("from the policy");
            }
            return ByteBuffer.allocate(bytes);
        });
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = builder(SIZE).policy(policy).build()) {
            AtomicBoolean served = new AtomicBoolean();
            WaitingThread waiting = servedOnce(pool, served);
            waiting.awaitParked();
            awaitFailedAttempts(pool);
            fails.set(false);
            PooledBuffer late = pool.acquire(SIZE, LONG);
            assertTrue(served.get());
            late.release();
            waiting.lease();
        }
    }

    /** The room that a running attempt has charged is hidden from all others, which then leave the waiters to the tick. */
    private static void awaitFailedAttempts(BufferPool pool) {
        String name = "buffers-callbacks-" + pool.name();
        Eventually.holds(
                "the attempts for waiters have failed",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals(name)));
    }

    /** A slot given to a thread that has not yet come to run is not free: no trim or tick may revoke it. */
    @Test
    void trimKeepsOrderOfWaiters() throws Exception {
        try (BufferPool pool = builder(64 << 10).build()) {
            List<PooledBuffer> leases = Leases.all(pool, SIZE);
            AtomicBoolean stop = new AtomicBoolean();
            Thread trims = Threads.start(() -> {
                while (!stop.get()) {
                    pool.trim();
                }
            });
            List<Integer> expected = List.of(0, 1, 2, 3, 4, 5);
            for (int round = 0; round < 25; round++) {
                Queue<Integer> order = new ConcurrentLinkedQueue<>();
                List<WaitingThread> waiting = new ArrayList<>();
                for (int place : expected) {
                    waiting.add(WaitingThread.start(pool, () -> {
                        PooledBuffer lease = pool.acquire(SIZE, LONG);
                        order.add(place);
                        return lease;
                    }));
                    Eventually.holds("it waits", () -> pool.stats().waiters() == place + 1);
                }
                for (int place : expected) {
                    leases.remove(0).release();
                    Eventually.holds("one is served", () -> order.size() > place);
                }
                assertEquals(expected, new ArrayList<>(order));
                for (WaitingThread one : waiting) {
                    leases.add(one.lease());
                }
            }
            stop.set(true);
            trims.join();
            leases.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
    }

    /** One waiter grows the class and takes a slot; the waiter that came behind it in the meantime gets the next slot. */
    @Test
    void restOfRegionServesWaitersBehind() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        AtomicBoolean stops = new AtomicBoolean();
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        BufferPolicy policy = Kind.own(bytes -> {
            if (fails.get()) {
                throw new OutOfMemoryError("from the policy");
            }
            if (stops.get()) {
                stopped.countDown();
                Threads.await(goOn);
            }
            return ByteBuffer.allocate(bytes);
        });
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = builder(64 << 10).policy(policy).build()) {
            fails.set(true);
            WaitingThread first = WaitingThread.parked(pool, SIZE, LONG);
            awaitFailedAttempts(pool);
            fails.set(false);
            stops.set(true);
            pool.trim(); // has the callback thread serve it
            stopped.await();
            WaitingThread behind = WaitingThread.parked(pool, SIZE, LONG);
            goOn.countDown();
            PooledBuffer lease = first.lease();
            behind.release();
            lease.release();
        }
    }

    /** Errors of the JVM that are the policy's: of a mapped file that was truncated, or of a policy that calls itself. */
    @ParameterizedTest
    @CsvSource({
        "false, java.lang.InternalError",
        "false, java.lang.StackOverflowError",
        "true, java.lang.InternalError",
        "true, java.lang.StackOverflowError"
    })
    void waitEndsWithErrorOfPolicy(boolean guard, Class<? extends Error> type) throws Exception {
        AtomicReference<IntFunction<ByteBuffer>> behaviour = new AtomicReference<>(ByteBuffer::allocate);
        BufferPolicy policy = Kind.own(false, false, bytes -> behaviour.get().apply(bytes));
        Error error = type.getDeclaredConstructor(String.class).newInstance("from the policy");
        try (BufferPool pool = builder(2 * SIZE).policy(policy).guard(guard).build()) {
            PooledBuffer lease = pool.acquire(2 * SIZE);
            WaitingThread fails = WaitingThread.parked(pool, SIZE, LONG);
            behaviour.set(bytes -> {
                behaviour.set(ByteBuffer::allocate);
                throw error;
            });
            lease.discard();
            Eventually.collected("the wait has ended", fails::hasEnded);
            assertSame(error, fails.refusal(type));
        }
    }

    /** The wait ends with the throwable of the policy, unless a release was quicker; the room is for the waiters behind it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void policyThatThrowsEndsOneWaitOnly(boolean given) throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<IntFunction<ByteBuffer>> behaviour = new AtomicReference<>(ByteBuffer::allocate);
        BufferPolicy policy = Kind.own(false, false, bytes -> behaviour.get().apply(bytes));
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = builder(2 * SIZE).policy(policy).build()) {
            IntFunction<ByteBuffer> failing = bytes -> {
                throw new OutOfMemoryError("from the policy");
            };
            behaviour.set(bytes -> {
                behaviour.set(failing); // one part, and not the second that there is room for
                return ByteBuffer.allocate(bytes);
            });
            PooledBuffer lease = pool.acquire(SIZE);
            WaitingThread fails = WaitingThread.parked(pool, SIZE, LONG);
            WaitingThread behind = WaitingThread.parked(pool, SIZE, LONG);
            awaitFailedAttempts(pool);
            behaviour.set(bytes -> {
                behaviour.set(ByteBuffer::allocate);
                stopped.countDown();
                Threads.await(goOn);
                throw new UnsupportedOperationException("from the policy");
            });
            pool.trim(); // has the callback thread serve it
            stopped.await();
            if (given) {
                lease.release();
                PooledBuffer served = fails.lease();
                goOn.countDown();
                behind.release();
                served.release();
            } else {
                goOn.countDown();
                fails.refusal(UnsupportedOperationException.class);
                behind.release();
                lease.release();
            }
            assertEquals(2 * SIZE, Conservation.check(pool).cachedBytes());
        }
    }

    /** Even a log that throws leaves a region with one owner. */
    @Test
    void aLogThatThrowsLosesNothing() throws Exception {
        Consumer<LogRecord> broken = entry -> {
            if (entry.getMessage().contains("wake-up")) {
                throw new UnsupportedOperationException("from the log");
            }
        };
        try (Logged log = new Logged("gaps", broken);
                BufferPool pool = builder(256 << 10).build()) {
            PooledBuffer all = pool.acquire(256 << 10);
            WaitingThread first = WaitingThread.parked(pool, SIZE, LONG);
            pool.whenAvailable(SIZE, () -> {
                throw new UnsupportedOperationException("from the wake-up");
            });
            WaitingThread last = WaitingThread.parked(pool, SIZE, LONG);
            all.release();
            first.release();
            last.release();
            PoolStats stats = Conservation.check(pool);
            assertEquals(1, stats.regions(), () -> "a region with two owners: " + stats);
            assertEquals(0, stats.waiters());
        }
    }
}
