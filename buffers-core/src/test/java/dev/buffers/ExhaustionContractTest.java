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
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens at the cap (I4, I5). */
@SuppressWarnings("try") // the tick is held, and that is all
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class ExhaustionContractTest extends PoolContract {
    private static final int CAP = 1 << 20;

    private final List<PooledBuffer> leases = new ArrayList<>();

    private BufferPool small() {
        return pool(kind.builder("exhaustion").max(CAP));
    }

    private void fill(BufferPool pool, int size) {
        leases.addAll(Leases.all(pool, size));
    }

    @AfterEach
    void releaseAll() {
        Leases.release(leases);
    }

    @Test
    void theWholeCapCanBeLeased() {
        BufferPool pool = small();
        for (int size : new int[] {4096, 128, 16_384, MAX_SIZE, CAP}) {
            fill(pool, size);
            assertEquals(CAP / size, leases.size(), "size=" + size);
            assertEquals(CAP, Conservation.check(pool, leases.size()).leasedBytes());
            releaseAll();
            pool.close();
            pool = small();
        }
    }

    @Test
    void refusalReportsFiguresOfThePool() {
        BufferPool pool = small();
        fill(pool, 8192);
        PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> pool.acquire(8000));
        String message = refused.getMessage();
        for (String part : List.of(
                "pool=exhaustion",
                "size=8000",
                "reason=the cap is reached",
                "max=" + CAP,
                "reserved=" + CAP,
                "leased=" + CAP + " in 128 buffers",
                "free but out of reach=0",
                "lost=0",
                "dropped=0",
                "waiters=0")) {
            assertTrue(message.contains(part), () -> "expected <" + part + "> in <" + message + ">");
        }
        assertEquals(8000, refused.size());
        assertEquals(128, refused.stats().leases());
        leases.remove(5).release();
        leases.add(pool.acquire(8000));
    }

    @Test
    void unpooledHandsOutCountedHeapMemory() {
        BufferPool pool = pool(kind.builder("exhaustion").max(CAP).atLimit(Exhaustion.unpooled()));
        fill(pool, MAX_SIZE);
        long before = pool.stats().acquires(AcquireOutcome.UNPOOLED);
        PooledBuffer beyond = pool.acquire(5000);
        assertFalse(beyond.buffer().isDirect());
        assertEquals(5000, beyond.buffer().limit());
        PoolStats stats = Conservation.check(pool, 5);
        assertEquals(before + 1, stats.acquires(AcquireOutcome.UNPOOLED));
        assertEquals(CAP, stats.reservedBytes());
        assertNull(pool.tryAcquire(5000), "tryAcquire gives null, whatever at-limit says");
        PooledBuffer part = beyond.slice(0, 10);
        assertFalse(beyond.release());
        assertTrue(part.release());
        assertThrows(IllegalStateException.class, beyond::release);
    }

    @Test
    void whenAvailableRunsAtOnceWhenThereIsRoom() {
        for (int size : new int[] {0, 4096, MAX_SIZE, CAP}) {
            BufferPool pool = small();
            AtomicInteger woken = new AtomicInteger();
            pool.whenAvailable(size, woken::incrementAndGet);
            assertEquals(1, woken.get(), "size=" + size);
            assertEquals(0, Conservation.check(pool).waiters());
            pool.acquire(size).release();
            assertEquals(1, woken.get());
        }
    }

    @Test
    void whenAvailableIsWokenOnceByARelease() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick()) {
            BufferPool pool = small();
            fill(pool, MAX_SIZE);
            AtomicInteger woken = new AtomicInteger();
            Thread[] by = new Thread[1];
            pool.whenAvailable(MAX_SIZE, () -> {
                woken.incrementAndGet();
                by[0] = Thread.currentThread();
            });
            assertEquals(0, woken.get());
            assertEquals(1, Conservation.check(pool, 4).waiters());
            Thread releaser = Threads.call(() -> {
                leases.remove(0).release();
                return Thread.currentThread();
            });
            assertEquals(1, woken.get());
            assertEquals(releaser, by[0], "woken by the thread that made room");
            assertEquals(0, pool.stats().waiters());
            releaseAll();
            assertEquals(1, woken.get());
            pool.acquire(MAX_SIZE).release();
        }
    }

    @Test
    void wakeUpsRunInOrderOfRegistration() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick()) {
            BufferPool pool = small();
            fill(pool, MAX_SIZE);
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int place = i;
                pool.whenAvailable(MAX_SIZE, () -> {
                    order.add(place);
                    leases.add(pool.acquire(MAX_SIZE)); // so that the next release wakes the next
                });
            }
            for (int i = 0; i < 4; i++) {
                leases.remove(0).release();
                assertEquals(i + 1, order.size());
            }
            assertEquals(List.of(0, 1, 2, 3), order);
        }
    }

    @Test
    void oversizeRegistrationsAreWoken() {
        BufferPool pool = small();
        PooledBuffer all = pool.acquire(CAP);
        AtomicInteger woken = new AtomicInteger();
        pool.whenAvailable(CAP / 2 + 1, woken::incrementAndGet);
        pool.whenAvailable(4096, woken::incrementAndGet);
        assertEquals(0, woken.get());
        all.release();
        // If not at once: memory of another size may come by way of the collector, and the daemon may be about to call
        // them.
        Eventually.collected("room is heard of", () -> woken.get() >= 1);
        pool.close();
        Eventually.holds("both are called", () -> woken.get() >= 2);
        assertEquals(2, woken.get());
    }

    @Test
    void whenAvailableIsWokenByClose() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick()) {
            BufferPool pool = small();
            fill(pool, MAX_SIZE);
            AtomicInteger woken = new AtomicInteger();
            pool.whenAvailable(MAX_SIZE, woken::incrementAndGet);
            pool.whenAvailable(100, woken::incrementAndGet);
            pool.close();
            assertEquals(2, woken.get());
            assertThrows(IllegalStateException.class, () -> pool.whenAvailable(100, woken::incrementAndGet));
            releaseAll();
            assertEquals(2, woken.get());
        }
    }

    /** A size larger than the cap, or with a slot larger than the cap: by every kind of acquire, and whatever is leased. */
    @Test
    void sizeBeyondTheCapIsReportedAsImpossible() {
        BufferPool pool = small();
        assertNeverSucceeds(pool, CAP + 1, CAP + 1);
        fill(pool, 8192);
        assertNeverSucceeds(pool, Integer.MAX_VALUE, Integer.MAX_VALUE);
        releaseAll();
        PoolStats full = pool.stats();
        assertThrows(PoolExhaustedException.class, () -> pool.tryAcquire(CAP + 1));
        assertEquals(full.reservedBytes(), pool.stats().reservedBytes(), "nothing is given up for it");
        int cap = kind.isPooled() ? 4200 : 4099; // 4200 lies between two classes
        assertNeverSucceeds(pool(kind.builder("exhaustion").max(cap)), 4100, kind.isPooled() ? 5120 : 4100);
    }

    private static void assertNeverSucceeds(BufferPool pool, int size, int takes) {
        long refused = pool.stats().acquires(AcquireOutcome.REJECTED);
        ChannelBuffers channel = pool.channel();
        List<Executable> acquires = List.of(
                () -> pool.acquire(size),
                () -> pool.tryAcquire(size),
                () -> pool.acquire(size, Duration.ZERO),
                () -> pool.acquire(size, Duration.ofMinutes(10)),
                () -> channel.acquire(size),
                () -> pool.whenAvailable(size, () -> {}));
        for (Executable acquire : acquires) {
            PoolExhaustedException never = assertThrows(PoolExhaustedException.class, acquire);
            String message = never.getMessage();
            String reason = ", size=" + size + ", reason=can never succeed: needs " + takes + " bytes, max is "
                    + pool.stats().maxBytes() + " (raise the builder's max), max="
                    + pool.stats().maxBytes();
            assertTrue(message.contains(reason), message);
            assertEquals(size, never.size());
        }
        channel.close();
        PoolStats stats = pool.stats();
        assertEquals(refused + acquires.size() - 1, stats.acquires(AcquireOutcome.REJECTED), "one was no acquire");
        assertEquals(0, stats.waiters());
    }

    /** At the cap and beyond it {@code at-limit=unpooled} gives heap memory, unless the call says otherwise. */
    @Test
    void unpooledServesSizesBeyondTheCap() {
        BufferPool pool = pool(kind.builder("exhaustion").max(CAP).atLimit(Exhaustion.unpooled()));
        try (ChannelBuffers channel = pool.channel();
                PooledBuffer lease = pool.acquire(CAP + 1);
                PooledBuffer ofChannel = channel.acquire(CAP + 2)) {
            assertEquals(CAP + 1, lease.buffer().limit());
            assertEquals(CAP + 2, ofChannel.buffer().limit());
            assertThrows(PoolExhaustedException.class, () -> pool.tryAcquire(CAP + 1));
            assertThrows(PoolExhaustedException.class, () -> pool.acquire(CAP + 1, Duration.ofMinutes(10)));
            assertEquals(0, pool.stats().reservedBytes());
        }
    }
}
