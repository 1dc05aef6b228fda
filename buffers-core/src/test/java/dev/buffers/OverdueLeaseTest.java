// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.TrimTime;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code leaks=older:<duration>}: a lease that is out for longer is reported while it is out, once, with its stack. */
class OverdueLeaseTest {
    private static int tests;

    /** Another one for each test, because a pool may log its last line when it is closed. */
    private final String name = "overdue" + tests++;

    private final Queue<LeakReport> told = new ConcurrentLinkedQueue<>();
    private final Logged log = new Logged(name + ",");

    @AfterEach
    void restore() {
        log.close();
    }

    private BufferPool.Builder builder(Duration threshold) {
        return BufferPool.builder(name)
                .policy("heap-view")
                .max(64 << 20)
                .leaks(LeakTracking.older(threshold))
                .onLeak(told::add);
    }

    private static PooledBuffer culprit(BufferPool pool, int size) {
        return pool.acquire(size);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void overdueLeaseIsReportedOnceWithStackWhileOpen(boolean guard) {
        try (BufferPool pool = builder(Duration.ofMillis(1)).guard(guard).build()) {
            PooledBuffer lease = culprit(pool, 3000);
            Eventually.holds("the listener is told, without traffic", () -> !told.isEmpty());
            LeakReport report = told.remove();
            LeakReport.Acquisition known = report.acquisition().orElseThrow();
            assertEquals(name, report.pool());
            assertEquals(3072, report.capacity());
            assertFalse(report.lost());
            assertEquals(3000, known.size());
            assertTrue(known.age().compareTo(Duration.ofMillis(1)) > 0, () -> known.age() + "");
            assertEquals(Thread.currentThread().getName(), known.thread());
            assertTrue(known.stack().stream()
                    .limit(2)
                    .anyMatch(frame -> frame.getMethodName().equals("culprit")));
            assertTrue(lease.isOpen());
            PooledBuffer next = pool.acquire(3000); // the tick that finds it looks at the first again
            Eventually.holds("so is the next one", () -> !told.isEmpty());
            assertEquals(1, told.size(), "the first is told once");
            lease.release();
            next.release();
            assertEquals(0, pool.stats().leaks());
            List<String> lines = log.lines(
                    "a lease is out for longer than leaks=older:1ms allows: pool=" + name + ", capacity=3072,");
            assertEquals(1, lines.size());
            assertTrue(lines.get(0).contains("\tat dev.buffers.OverdueLeaseTest.culprit(OverdueLeaseTest.java:"));
        }
        Eventually.holds(
                "the next one is logged too",
                () -> log.lines("a lease is out for").size() == 2);
    }

    @Test
    void leaseIsNotReportedBeforeThreshold() {
        try (BufferPool pool = builder(Duration.ofHours(24).plusMinutes(1)).build()) {
            PooledBuffer lease = pool.acquire(100);
            TrimTime time = new TrimTime(pool); // a day later
            time.seconds(57);
            PooledBuffer later = pool.acquire(100);
            later.release();
            assertEquals(0, told.size());
            time.seconds(5);
            Eventually.holds("the listener is told", () -> told.size() == 1);
            lease.release();
        }
    }

    @Test
    void leaseReleasedInTimeIsNotReported() {
        try (BufferPool pool = builder(Duration.ofHours(1)).build()) {
            pool.acquire(100).release();
            PooledBuffer out = pool.acquire(5000);
            TrimTime time = new TrimTime(pool); // a day later
            time.seconds(1);
            Eventually.holds("the listener is told", () -> !told.isEmpty());
            assertEquals(
                    List.of(5120),
                    told.stream().map(LeakReport::capacity).toList(),
                    "and not of the slot in a magazine");
            out.release();
        }
    }

    @Test
    void retainedLeaseIsReportedAfterFirstLeaseEnded() {
        try (BufferPool pool = builder(Duration.ofMillis(1)).build()) {
            PooledBuffer first = pool.acquire(100);
            PooledBuffer further = first.retain();
            first.release();
            Eventually.holds("the listener is told", () -> told.size() == 1);
            further.release();
        }
    }

    @Test
    @SuppressWarnings("try") // the pool is closed twice
    void closedPoolReportsToo() {
        try (BufferPool pool = builder(Duration.ofMillis(1)).build()) {
            PooledBuffer lease = pool.acquire(100);
            pool.close();
            Eventually.holds("the listener is told", () -> told.size() == 1);
            lease.release();
        }
    }

    @Test
    void overdueLeaseIsReportedAgainWhenLost() {
        try (BufferPool pool = builder(Duration.ofMillis(1)).build()) {
            PooledBuffer[] lease = {culprit(pool, 3000)};
            Eventually.holds("the listener is told", () -> told.size() == 1);
            lease[0] = null;
            Eventually.collected("and again", () -> told.size() == 2);
            assertEquals(
                    List.of(false, true), told.stream().map(LeakReport::lost).toList());
            assertEquals(1, pool.stats().leaks());
        }
    }

    /** More than wait for their report at once; and a listener that stands still. */
    @Tag("full")
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void eachOfManyOverdueLeasesIsReportedOnce() throws Exception {
        CountDownLatch stand = new CountDownLatch(1);
        BufferPool.Builder slow = builder(Duration.ofMillis(1)).onLeak(report -> {
            told.add(report);
            Eventually.holds("the listener goes on", () -> stand.getCount() == 0);
        });
        try (BufferPool pool = slow.build()) {
            List<PooledBuffer> leases = Leases.of(12_000, () -> pool.acquire(128));
            Eventually.holds("the listener is told", () -> !told.isEmpty());
            stand.countDown();
            Eventually.holds("all are told", () -> told.size() >= leases.size());
            leases.add(pool.acquire(5000)); // the tick that finds it looks at the others again
            Eventually.holds("so is the last one", () -> told.stream().anyMatch(report -> report.capacity() == 5120));
            assertEquals(leases.size(), told.size());
            assertTrue(log.records().size() <= 2, () -> log.records().size() + " lines");
            leases.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
    }
}
