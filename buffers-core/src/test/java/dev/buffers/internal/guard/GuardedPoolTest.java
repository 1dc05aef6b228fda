// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.WaitHeldTick;
import dev.buffers.support.WaitingThread;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedPoolTest {
    private static final int MAX = 64 << 10;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Logged log = new Logged("guarded-pool");
    private final List<BufferPool> opened = new ArrayList<>();

    private BufferPool pool(BufferPool.Builder builder) {
        BufferPool pool = builder.max(MAX).guard(true).build();
        opened.add(pool);
        return pool;
    }

    private BufferPool pool(String policy) {
        return pool(new Kind(policy).builder("guarded-pool"));
    }

    @AfterEach
    void close() {
        for (BufferPool pool : opened) {
            Conservation.check(pool);
            pool.close();
        }
        log.close();
    }

    @Test
    void writeThatIgnoresTheArrayOffsetIsFound() {
        BufferPool pool = pool("heap-view");
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer other = pool.acquire(100);
        lease.buffer().array()[0] = 1; // without its arrayOffset
        lease.release();
        String finding = log.lines("before its start").get(0);
        assertTrue(finding.contains("found here, 64 bytes before the buffer"), finding);
        assertEquals(0, other.buffer().get(0));
        other.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct-view", "unpooled"})
    void trimLeavesNothingAside(String policy) {
        BufferPool pool = pool(policy);
        pool.acquire(100).release();
        pool.acquire(5000).release();
        pool.trim();
        assertEquals(0, pool.stats().reservedBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "direct-view"})
    void forgottenPoolLeavesNothingCharged(String policy) {
        WeakReference<BufferPool> forgotten = forget(policy);
        Eventually.collected("it is collected", () -> forgotten.get() == null);
    }

    private static WeakReference<BufferPool> forget(String policy) {
        BufferPool pool = new Kind(policy).builder("forgotten").guard(true).build();
        pool.acquire(5000).release();
        pool.trim();
        pool.acquire(100);
        pool.acquire(1000).release();
        return new WeakReference<>(pool);
    }

    @Test
    void openLeasesComeOldestFirst() {
        BufferPool pool = pool("heap-view");
        PooledBuffer first = pool.acquire(100);
        PooledBuffer second = pool.acquire(1000);
        assertEquals(
                List.of(128, 1024),
                pool.openLeases().stream().map(LeakReport::capacity).toList());
        assertTrue(pool.dump().contains("open leases: 2"), pool::dump);
        first.release();
        second.release();
        assertSame(0, pool.openLeases().size());
    }

    @Test
    void furtherLeaseKeepsTheMemoryFromBeingLost() {
        BufferPool pool = pool("heap-view");
        PooledBuffer further = onlyFurther(pool);
        for (int i = 0; i < 3; i++) {
            System.gc();
            assertEquals(0, pool.stats().leaks());
        }
        assertEquals(7, further.buffer().get(3));
        assertTrue(further.release());
    }

    private static PooledBuffer onlyFurther(BufferPool pool) {
        PooledBuffer first = pool.acquire(100);
        first.buffer().put(3, (byte) 7);
        PooledBuffer further = first.retain();
        assertFalse(first.release());
        return further;
    }

    @Test
    void endedLeaseRejectsEveryUse() {
        BufferPool pool = pool("heap-view");
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer further = lease.retain();
        lease.close();
        lease.close();
        assertFalse(lease.isOpen());
        assertEquals("PooledBuffer[ended]", lease.toString());
        assertThrows(IllegalStateException.class, lease::buffer);
        assertThrows(IllegalStateException.class, lease::retain);
        assertThrows(IllegalStateException.class, lease::discard);
        lease.touch("late");
        assertEquals(
                0,
                pool.openLeases().get(0).acquisition().orElseThrow().touches().size());
        assertEquals("PooledBuffer[pool=guarded-pool, capacity=128]", further.toString());
        assertTrue(further.release());
    }

    @Test
    void partIsBoundedByTheCapacity() {
        PooledBuffer lease = pool("heap-view").acquire(100);
        PooledBuffer part = lease.slice(120, 8);
        assertEquals(8, part.capacity());
        assertThrows(IndexOutOfBoundsException.class, () -> lease.slice(121, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> lease.slice(-1, 8));
        part.close();
        lease.close();
    }

    @Test
    void leasesOnOneBufferAreLimited() {
        PooledBuffer lease = pool("heap-view").acquire(100);
        List<PooledBuffer> further = new ArrayList<>();
        for (int i = 0; i < 32_767; i++) {
            further.add(lease.retain());
        }
        assertThrows(IllegalStateException.class, lease::retain);
        further.forEach(PooledBuffer::close);
        lease.close();
    }

    /** A part of a large block is lent while nothing else is free; that block does not stay with the small size. */
    @Test
    void memoryOfLargeSizeServesSmallOnes() {
        BufferPool pool = pool("heap-view");
        List<PooledBuffer> large = Leases.of(4, () -> pool.acquire(MAX / 4));
        large.forEach(PooledBuffer::release);
        Eventually.collected("eight small ones are lent at once", () -> {
            List<PooledBuffer> small = Leases.all(pool, MAX / 32);
            small.forEach(PooledBuffer::release);
            return small.size() >= 8;
        });
    }

    @Test
    void memoryLentInPartServesItsOwnSizeAgain() {
        BufferPool pool = pool("heap-view");
        pool.acquire(MAX).release();
        pool.acquire(100).release();
        pool.acquire(MAX).release();
        assertEquals(0, pool.stats().acquires(AcquireOutcome.REJECTED));
    }

    /** The fast pool too lends up to a quarter more than was asked for. */
    @Test
    void largeMemoryOfAnExactPolicyServesSmallerSize() {
        BufferPool pool = BufferPool.builder("guarded-pool")
                .policy("heap")
                .max(1 << 20)
                .guard(true)
                .build();
        opened.add(pool);
        PooledBuffer first = pool.acquire(600_000);
        ByteBuffer memory = first.buffer(); // so that no collection takes it
        first.release();
        PooledBuffer lease = pool.acquire(590_000);
        assertEquals(600_000, lease.capacity());
        lease.release();
        assertNull(pool.tryAcquire(450_000));
        Reference.reachabilityFence(memory);
    }

    @Test
    void discardOfUnpooledMemoryMakesRoomAtOnce() {
        BufferPool pool = pool("unpooled");
        pool.acquire(MAX).discard();
        pool.acquire(MAX).discard();
        assertEquals(0, pool.stats().droppedBytes());
    }

    /** The daemon, which may call the second while the first is being called, is held. */
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void asManyWakeUpsAreCalledAsThereIsRoomFor() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick()) {
            BufferPool pool = pool("heap-view");
            List<Integer> called = new CopyOnWriteArrayList<>();
            pool.whenAvailable(1024, () -> called.add(0));
            assertEquals(List.of(0), called);
            PooledBuffer half = pool.acquire(MAX / 2);
            PooledBuffer rest = pool.acquire(MAX / 2);
            List<PooledBuffer> acquired = new ArrayList<>();
            for (int i = 1; i <= 2; i++) {
                int number = i;
                pool.whenAvailable(MAX / 2, () -> {
                    called.add(number);
                    acquired.add(pool.tryAcquire(MAX / 2));
                });
            }
            half.release();
            assertEquals(List.of(0, 1), called);
            acquired.remove(0).release();
            assertEquals(List.of(0, 1, 2), called);
            acquired.remove(0).release();
            rest.release();
        }
    }

    @Test
    void waiterWithoutMemoryOfJvmWaitsOnceAndIsServedFirst() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        AtomicInteger asked = new AtomicInteger();
        BufferPool pool = pool(BufferPool.builder("guarded-pool").policy(Kind.own(bytes -> {
            asked.incrementAndGet();
            if (fails.get()) {
                throw new OutOfMemoryError("scripted");
            }
            return ByteBuffer.allocate(bytes);
        })));
        WaitingThread first = WaitingThread.parked(pool, MAX, LONG);
        WaitingThread second = WaitingThread.parked(pool, MAX, LONG);
        int before = asked.get();
        Eventually.holds("the pool asks again", () -> asked.get() >= before + 5);
        assertEquals(0, pool.stats().waits());
        assertEquals(2, pool.stats().waiters());
        fails.set(false);
        PooledBuffer lease = first.lease();
        assertTrue(second.isParked());
        lease.release();
        second.release();
        assertEquals(2, pool.stats().waits());
    }

    /** No JVM has an array of so many bytes, though the cap does. */
    @Test
    void waiterWithoutMemoryOfJvmHoldsUpNoOtherSize() throws Exception {
        BufferPool pool = BufferPool.builder("guarded-pool")
                .policy("heap")
                .max(Integer.MAX_VALUE + 8192L)
                .guard(true)
                .build();
        opened.add(pool);
        WaitingThread none = WaitingThread.parked(pool, Integer.MAX_VALUE, LONG);
        for (int i = 0; i < 20; i++) {
            pool.acquire(4096, LONG).release();
            pool.acquire(4096).release();
        }
        assertEquals(0, pool.stats().waits());
        none.interrupt();
        PoolExhaustedException refused = none.refusal(PoolExhaustedException.class);
        assertTrue(refused.getMessage().contains("the JVM is out of memory"), refused::getMessage);
        assertEquals(1, pool.stats().waits());
    }

    @Test
    void patienceEnds() {
        BufferPool pool = pool("heap-view");
        PooledBuffer all = pool.acquire(MAX);
        PoolExhaustedException refused =
                assertThrows(PoolExhaustedException.class, () -> pool.acquire(1, Duration.ofMillis(2)));
        assertTrue(refused.getMessage().contains("waited "), refused::getMessage);
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(1, Duration.ZERO));
        assertEquals(1, pool.stats().waits());
        all.release();
    }
}
