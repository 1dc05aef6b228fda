// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedPoolTest {
    private static final int MAX = 64 << 10;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Logged log = new Logged("guarded-pool");
    private final List<BufferPool> opened = new ArrayList<>();

    private BufferPool pool(BufferPool.Builder builder, long max) {
        BufferPool pool = builder.max(max).guard(true).build();
        opened.add(pool);
        return pool;
    }

    private BufferPool pool(String policy, long max) {
        return pool(new Kind(policy).builder("guarded-pool"), max);
    }

    private BufferPool pool(String policy) {
        return pool(policy, MAX);
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

    @Test
    void findingHasOneFrameALineAndNothingForAMissingStack() {
        GuardParts parts = new GuardParts("heap-view", MAX);
        Tenancy tenancy = parts.tenancy(128);
        StackTraceElement user = new StackTraceElement("org.example.Server", "method", "Server.java", 7);
        tenancy.trace.acquired.setStackTrace(new StackTraceElement[] {user});
        try (Logged found = new Logged("guard-parts")) {
            parts.findings.report(Findings.Kind.OVERRUN, tenancy, null);
            String line = found.lines("past its end").get(0);
            String acquired =
                    "acquired here, by thread " + Thread.currentThread().getName();
            assertTrue(line.endsWith(acquired + "\n\tat org.example.Server.method(Server.java:7)\n\n"), line);
        }
    }

    @Test
    void hundredFindingsAMinuteAreLogged() {
        PooledBuffer ended = pool("heap-view").acquire(100);
        ended.release();
        for (int i = 0; i < 250; i++) {
            assertThrows(IllegalStateException.class, ended::release);
        }
        int logged = log.records().size();
        assertTrue(logged == 100 || logged == 200, "lines, a new minute may have begun: " + logged);
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
        BufferPool pool = pool("heap", 1 << 20);
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
        BufferPool pool = pool(
                BufferPool.builder("guarded-pool").policy(Kind.own(bytes -> {
                    asked.incrementAndGet();
                    if (fails.get()) {
                        throw new OutOfMemoryError("scripted");
                    }
                    return ByteBuffer.allocate(bytes);
                })),
                MAX);
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
        BufferPool pool = pool("heap", Integer.MAX_VALUE + 8192L);
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
}
