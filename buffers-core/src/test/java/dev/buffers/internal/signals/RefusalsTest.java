// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Logged;
import dev.buffers.support.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator learns when a pool refuses. */
class RefusalsTest {
    private static final int MAX = 64 << 10;

    private final Logged log = new Logged("refusals");
    private final List<PooledBuffer> leases = new ArrayList<>();
    private final List<BufferPool> opened = new ArrayList<>();

    @AfterEach
    void close() {
        leases.forEach(PooledBuffer::release);
        opened.forEach(BufferPool::close);
        log.close();
    }

    /** Asks for no collection, which would write a line too. */
    private static BufferPool.Builder builder(boolean guard) {
        return BufferPool.builder("refusals")
                .policy("heap-view")
                .max(MAX)
                .guard(guard)
                .collect(PoolSettings.Collecting.OFF);
    }

    private BufferPool open(BufferPool.Builder builder) {
        opened.add(builder.build());
        return opened.get(0);
    }

    /** With nothing left. */
    private BufferPool full(BufferPool.Builder builder) {
        BufferPool pool = open(builder);
        leases.add(pool.acquire(MAX));
        return pool;
    }

    private String line() {
        Eventually.holds("the log has a line", () -> !log.records().isEmpty());
        List<LogRecord> records = log.records();
        assertEquals(1, records.size(), () -> String.join("\n", log.lines("")));
        return records.get(0).getMessage();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorAndLogNameTheFiguresAndTheSettings(boolean guard) {
        BufferPool pool = full(builder(guard));
        PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> pool.acquire(4096));
        String message = refused.getMessage();
        assertFalse(refused.isPermanent());
        assertTrue(
                message.startsWith("pool has no room: pool=refusals, size=4096, reason=the cap is reached (raise"
                        + " the builder's max, or wait: -Dbuffers.refusals.at-limit=wait:1s), max=65536,"),
                message);
        assertTrue(message.contains("leased=65536 in 1 buffers"), message);
        assertEquals(message, line());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusalsByNullAreLoggedOnceAMinute(boolean guard) {
        BufferPool pool = full(builder(guard));
        for (int i = 0; i < 1000; i++) {
            assertNull(pool.tryAcquire(1));
        }
        assertTrue(line().startsWith("pool has no room: pool=refusals, size=1, "), line());
        assertTrue(line().endsWith("waiters=0"), line());
        assertEquals(1000, pool.stats().acquires(AcquireOutcome.REJECTED));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acquiresBeyondTheCapAreLoggedOnceAMinute(boolean guard) {
        BufferPool pool = full(builder(guard).atLimit(Exhaustion.unpooled()));
        for (int i = 0; i < 1000; i++) {
            pool.acquire(4096).release();
        }
        assertEquals(
                "pool is full, buffers come from the heap beyond its cap: pool=refusals, size=4096, reason=the cap is"
                        + " reached (raise the builder's max), max=65536, reserved=65536,"
                        + " leased=65536, lost=0, dropped=0, leases=1",
                line());
        assertEquals(1000, pool.stats().acquires(AcquireOutcome.UNPOOLED));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sizeBeyondTheCapIsLogged(boolean guard) {
        BufferPool pool = open(builder(guard).atLimit(Exhaustion.unpooled()));
        PooledBuffer lease = pool.acquire(MAX + 1);
        leases.add(lease);
        assertTrue(line().contains("reason=needs 81920 bytes, max is 65536 (raise the builder's max)"), line());
        assertEquals(MAX + 1, lease.buffer().limit());
    }

    /** Each kind of line has its own minute. */
    @Test
    void refusalIsLoggedAfterAcquireBeyondTheCap() {
        BufferPool pool = full(builder(false).atLimit(Exhaustion.unpooled()));
        pool.acquire(1).release();
        assertNull(pool.tryAcquire(2));
        Eventually.holds("the log has two lines", () -> log.records().size() == 2);
        assertTrue(log.records().get(1).getMessage().startsWith("pool has no room: pool=refusals, size=2, "));
    }

    @Test
    void poolThatWaitsIsNotAdvisedToWait() {
        BufferPool pool = full(builder(false).atLimit(Exhaustion.waiting(Duration.ofMillis(1))));
        String message = Refusal.of(
                PoolExhaustedException.class,
                () -> pool.acquire(1),
                "the cap is reached (raise the builder's max), max=");
        assertEquals(message, line());
    }

    @Test
    void sizeAboveTheCapNeedsALargerCap() {
        BufferPool pool = open(builder(false));
        PoolExhaustedException never = assertThrows(PoolExhaustedException.class, () -> pool.acquire(MAX + 1));
        assertTrue(
                never.getMessage()
                        .contains("can never succeed: needs 81920 bytes, max is 65536 (raise"
                                + " the builder's max), max=65536"),
                never::getMessage);
        assertTrue(never.isPermanent());
        assertEquals(never.getMessage(), line());
    }

    /** A property of the pool would have no effect there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void adviceNamesThePlaceInAFrameworksConfiguration(boolean guard) {
        BufferPool.Builder builder = builder(guard)
                .set("max", "64kB", "pool.max", "server.yml, line 3")
                .set("at-limit", "fail", "pool.at-limit", "server.yml, line 4");
        try (BufferPool pool = builder.build();
                PooledBuffer all = pool.acquire(MAX)) {
            String message = Refusal.of(
                    PoolExhaustedException.class,
                    () -> pool.acquire(1),
                    "the cap is reached (raise pool.max in server.yml, line 3,"
                            + " or wait: pool.at-limit=wait:1s in server.yml, line 4), max=65536");
            assertEquals(message, line());
            assertEquals(MAX, all.capacity());
        }
    }

    /** Not of a size that no memory could serve. */
    @Test
    void smallestRefusedSizeIsNotedOnce() {
        try (BareOwner owner = new BareOwner()) {
            Refusals refusals = new Refusals(owner);
            refusals.refused.next.addAndGet(TimeUnit.MINUTES.toNanos(1));
            refusals.count(2048, "the cap is reached");
            refusals.count(1024, "the cap is reached");
            refusals.count(512, "can never succeed");
            assertEquals(1024, owner.counters.takeLeastRefused());
            assertEquals(Counters.NONE_REFUSED, owner.counters.takeLeastRefused());
        }
    }

    @Test
    void callThatIsNoAcquireIsNeitherCountedNorLogged() {
        BufferPool pool = open(builder(false));
        assertThrows(PoolExhaustedException.class, () -> pool.whenAvailable(MAX + 1, () -> {}));
        assertEquals(0, pool.stats().acquires(AcquireOutcome.REJECTED));
        assertEquals(List.of(), log.records());
    }

    @Test
    void jvmWithoutMemoryNeedsMore() {
        BufferPool.Builder builder = BufferPool.builder("refusals").max(MAX).policy(Kind.own(bytes -> {
            throw new OutOfMemoryError("scripted");
        }));
        BufferPool pool = open(builder);
        String message = Refusal.of(
                PoolExhaustedException.class,
                () -> pool.acquire(1),
                "out of memory: scripted (give the JVM more memory), max=");
        assertEquals(message, line());
    }
}
