// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.WaitHeldTick;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No wake-up comes twice, and a user's wake-up harms no other caller (I5). */
class WakeUpTest {
    private static final int SIZE = 4096;

    /** So that the thread that makes the room runs the wake-ups. */
    private WaitHeldTick tick;

    @BeforeEach
    void hold() throws Exception {
        tick = new WaitHeldTick();
    }

    @AfterEach
    void letGo() {
        tick.close();
    }

    private static BufferPool.Builder builder(long max) {
        return BufferPool.builder("wake-ups").policy("heap-view").max(max);
    }

    /** A scrape of the figures waits for no user's code, and to look changes nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threadThatReadsFiguresFindsNoLossAndRunsNoWakeUp(boolean guard) {
        AtomicReference<Thread> woken = new AtomicReference<>();
        try (BufferPool pool =
                builder(SIZE).guard(guard).collect(PoolSettings.Collecting.OFF).build()) {
            WeakReference<PooledBuffer> lease = new WeakReference<>(pool.acquire(SIZE));
            pool.whenAvailable(SIZE, () -> woken.set(Thread.currentThread()));
            Eventually.collected("the lease is lost", () -> lease.get() == null);
            PoolStats before = pool.stats();
            for (int i = 0; i < 3; i++) {
                System.gc();
                assertEquals(before, pool.stats());
                assertTrue(pool.toString().endsWith("lost=0 leases]"), pool::toString);
                assertTrue(pool.dump().contains("lost leases: 0"), pool::dump);
            }
            assertEquals(0, before.leaks());
            assertNull(woken.get());
            tick.close();
            Eventually.collected("the wake-up runs", () -> woken.get() != null);
            assertNotSame(Thread.currentThread(), woken.get());
        }
    }

    /** A loop of tryAcquire and whenAvailable must not spin while the cap has room, and the JVM has none. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wakeUpWaitsWhileTheJvmHasNoMemory(boolean guard) {
        AtomicBoolean fails = new AtomicBoolean(true);
        AtomicInteger woken = new AtomicInteger();
        BufferPolicy policy = Kind.own(bytes -> {
            if (fails.get()) {
                throw new OutOfMemoryError("scripted");
            }
            return ByteBuffer.allocate(bytes);
        });
        for (int size : new int[] {SIZE, 300_000}) {
            try (BufferPool pool = builder(1 << 20).policy(policy).guard(guard).build()) {
                woken.set(0);
                fails.set(true);
                assertNull(pool.tryAcquire(size));
                pool.whenAvailable(size, woken::incrementAndGet);
                assertEquals(0, woken.get(), "size=" + size);
                fails.set(false);
                pool.acquire(size).release();
                pool.whenAvailable(size, woken::incrementAndGet);
                Eventually.holds("both are woken", () -> woken.get() == 2);
            }
        }
    }

    /** If the look took the memory for a moment, it would be refused to others then, and dropped afterwards. */
    @ParameterizedTest
    @CsvSource({"heap, false", "direct-view, false", "unpooled, false", "heap-view, true", "unpooled, true"})
    void wakeUpReservesNothing(String policy, boolean guard) {
        AtomicInteger woken = new AtomicInteger();
        try (BufferPool pool = builder(1 << 20).policy(policy).guard(guard).build()) {
            pool.whenAvailable(300_000, woken::incrementAndGet);
            assertEquals(1, woken.get());
            assertEquals(0, pool.stats().reservedBytes() + pool.stats().droppedBytes());
        }
    }

    @Test
    void aReleaseOfOneClassMakesRoomForAnother() throws Exception {
        try (BufferPool pool = builder(64 << 10).threadCache(0).build()) {
            List<PooledBuffer> leases = Leases.of(16, () -> pool.acquire(SIZE));
            AtomicInteger woken = new AtomicInteger();
            pool.whenAvailable(32 << 10, woken::incrementAndGet);
            leases.forEach(PooledBuffer::release);
            assertEquals(0, woken.get(), "no release is held up for another size");
            letGo();
            Eventually.holds("the tick calls it", () -> woken.get() == 1);
            hold();
            pool.acquire(32 << 10).release();
            Conservation.check(pool);
        }
    }

    @Test
    void discardedSlotWakesNoWaiter() {
        try (BufferPool pool = builder(SIZE).threadCache(0).build()) {
            AtomicInteger woken = new AtomicInteger();
            PooledBuffer lease = pool.acquire(SIZE);
            pool.whenAvailable(SIZE, woken::incrementAndGet);
            lease.discard();
            assertEquals(0, woken.get());
            assertEquals(1, Conservation.check(pool).waiters());
        }
    }

    @Test
    void anEmptiedRegionGoesToTheOldestOfAnyClass() {
        try (BufferPool pool = builder(256 << 10).build()) {
            PooledBuffer lease = pool.acquire(256 << 10);
            List<String> order = new ArrayList<>();
            pool.whenAvailable(128 << 10, () -> order.add("older"));
            pool.whenAvailable(256 << 10, () -> order.add("younger"));
            lease.release();
            assertEquals(List.of("older"), order);
        }
    }

    @Test
    void failedRegistrationLeavesNoWaiter() {
        boolean[] broken = {false};
        BufferPolicy policy = Kind.own(bytes -> broken[0] ? null : ByteBuffer.allocate(bytes));
        try (BufferPool pool = builder(1 << 20).policy(policy).build()) {
            broken[0] = true;
            AtomicInteger woken = new AtomicInteger();
            assertThrows(IllegalStateException.class, () -> pool.whenAvailable(4096, woken::incrementAndGet));
            assertEquals(0, pool.stats().waiters());
        }
    }

    @Test
    void largeRoomWakesAllWaitersThatFit() {
        for (String policy : List.of("heap-view", "unpooled")) {
            try (BufferPool pool = builder(1 << 20).policy(policy).build()) {
                PooledBuffer large = pool.acquire(1 << 20);
                AtomicInteger woken = new AtomicInteger();
                for (int i = 0; i < 3; i++) {
                    pool.whenAvailable(4096, woken::incrementAndGet);
                }
                large.release();
                assertEquals(3, woken.get(), policy);
            }
        }
    }

    @Test
    void theRoomThatAWakeUpIsGivenIsThereAfterwards() {
        try (BufferPool pool = builder(1 << 20).preallocate(1 << 20).build()) {
            AtomicInteger woken = new AtomicInteger();
            pool.whenAvailable(300 << 10, woken::incrementAndGet);
            assertEquals(1, woken.get());
            pool.acquire(300 << 10).release();
        }
    }

    @Test
    void wakeUpsThatMakeRoomDoNotNest() {
        try (BufferPool pool = builder(4096).threadCache(0).build()) {
            PooledBuffer lease = pool.acquire(4096);
            AtomicInteger woken = new AtomicInteger();
            for (int i = 0; i < 5_000; i++) {
                pool.whenAvailable(4096, () -> {
                    woken.incrementAndGet();
                    pool.acquire(4096).release();
                });
            }
            lease.release();
            assertEquals(5_000, woken.get());
        }
    }

    @Test
    void aChannelsIdleLosesNothingToAWakeUpThatThrows() {
        try (BufferPool pool = builder(64 << 10).build()) {
            ChannelBuffers channel = pool.channel();
            List<PooledBuffer> mine = Leases.of(4, () -> channel.acquire(8192));
            mine.forEach(PooledBuffer::release);
            List<PooledBuffer> rest = Leases.all(pool, 8192);
            pool.whenAvailable(8192, () -> {
                throw new StackOverflowError("from the wake-up");
            });
            channel.idle();
            for (int i = 0; i < 4; i++) {
                rest.add(pool.acquire(8192));
            }
            rest.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
    }
}
