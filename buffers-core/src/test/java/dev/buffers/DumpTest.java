// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Threads;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A pool that explains itself: in one line, as a table, and to the log when it is closed. */
class DumpTest {

    private static BufferPool.Builder builder(String name) {
        return BufferPool.builder(name).policy("heap-view").max(1 << 20);
    }

    @Test
    void toStringDescribesPoolInOneLine() {
        BufferPool pool = builder("line").build();
        try (PooledBuffer lease = pool.acquire(4096)) {
            assertTrue(lease.isOpen());
            assertEquals(
                    "BufferPool[line, heap-view, max=1m, reserved=64k, leased=4k in 1 buffers, waiters=0, lost=0 leases]",
                    pool.toString());
        }
        pool.close();
        assertEquals(
                "BufferPool[line, heap-view, closed, max=1m, reserved=0, leased=0 in 0 buffers, waiters=0, lost=0 leases]",
                pool.toString());
    }

    @Test
    void asATable() {
        try (BufferPool pool = builder("table").build();
                PooledBuffer one = pool.acquire(4096);
                PooledBuffer large = pool.acquire(300_000)) {
            assertTrue(one.isOpen() && large.isOpen());
            assertThrows(PoolExhaustedException.class, () -> pool.acquire(900_000));
            for (int i = 0; i < 2000; i++) {
                pool.acquire(4000).release();
            }
            pool.acquire(100).release();
            assertEquals("""
                    pool table, heap-view, cap 1m
                    memory          bytes  of cap
                    cap         1,048,576  100.0%
                    reserved      431,072   41.1%
                      leased      304,096   29.0%
                      cached      126,976   12.1%
                      uncarved          0    0.0%
                      lost              0    0.0%
                    dropped             0    0.0%
                    size   leased  cached  slabs   hits  misses
                    128         0     512      1      0       1
                    4,096       1      15      1  1,999       2
                    other       1
                    regions: 3 now; 0 bytes trimmed, 0 collections asked for
                    waiters: 0 now; 0 waits before, 0 ms in all
                    acquires: thread 1,999, depot 1, carved 2, oversize 1, rejected 1
                    releases: recycled 2,001
                    lost leases: 0
                    open leases: 2
                      of unknown age: leaks=all or sample:<n> keeps when and where leases were acquired
                    """, pool.dump());
        }
    }

    @Test
    void withTheOldestLeasesWhereTheyAreKnown() throws Exception {
        try (BufferPool pool = builder("aged").leaks(LeakTracking.all()).build()) {
            PooledBuffer older = Threads.call(() -> pool.acquire(5000));
            Thread.sleep(1100); // to be of another age
            List<PooledBuffer> held = Leases.of(20, () -> pool.acquire(100));
            held.add(older);
            List<String> lines = pool.dump().lines().toList();
            int at = lines.indexOf("open leases: 21");
            assertEquals(
                    "age below 1s from 1s from 10s from 1m from 10m from 1h unknown",
                    lines.get(at + 1).strip().replaceAll("  +", " "));
            assertEquals("leases 20 1 0 0 0 0 0", lines.get(at + 2).strip().replaceAll("  +", " "));
            assertEquals(at + 3 + 2, lines.size(), "a line for each place");
            assertTrue(
                    lines.get(at + 3)
                            .matches(
                                    "  1 lease, 5000 of 5120 bytes for [1-9]s, acquired by thread .* at dev.buffers.DumpTest.*"),
                    lines.get(at + 3));
            assertTrue(
                    lines.get(at + 4).startsWith("  20 leases, the oldest 100 of 128 bytes for "), lines.get(at + 4));
            held.forEach(PooledBuffer::release);
        }
    }

    @Test
    void withTheLostLeasesAndTheWaiters() {
        try (BufferPool pool = builder("lost-one").build()) {
            pool.acquire(100);
            Eventually.collected("the loss is found", () -> pool.dump().contains("\nlost leases: 1\n"));
            PooledBuffer all = pool.acquire(900_000);
            pool.whenAvailable(900_000, () -> {});
            assertTrue(pool.dump().contains("\nwaiters: 1 now; 0 waits before"), pool::dump);
            assertTrue(pool.toString().endsWith(", waiters=1, lost=1 leases]"), pool::toString);
            all.release();
        }
    }

    @Test
    void closeWithoutOpenLeasesLogsNothing() {
        try (Logged log = new Logged("closed-idle")) {
            BufferPool pool = builder("closed-idle").build();
            ChannelBuffers idle = pool.channel();
            idle.acquire(100).release();
            pool.acquire(4096).release();
            pool.close();
            assertEquals(List.of(), log.records());
        }
    }

    @Test
    void warningShowsAcquireStacksIfKnown() {
        try (Logged log = new Logged("closed-known")) {
            BufferPool pool = builder("closed-known").leaks(LeakTracking.all()).build();
            List<PooledBuffer> held = Leases.of(3, () -> oneOfThree(pool));
            held.add(pool.acquire(300));
            pool.close();
            String line = log.records().get(0).getMessage();
            assertTrue(line.contains("leases=4, leased=896; the memory of each goes once it is released:"), line);
            assertTrue(line.contains("\n3 leases, the oldest 100 of 128 bytes for "), line);
            assertTrue(line.contains("\tat dev.buffers.DumpTest.oneOfThree(DumpTest.java:"), line);
            assertTrue(line.contains("\n1 lease, 300 of 512 bytes for "), line);
            assertFalse(line.contains("dev.buffers.internal"), line);
            held.forEach(PooledBuffer::release);
        }
    }

    private static PooledBuffer oneOfThree(BufferPool pool) {
        return pool.acquire(100);
    }
}
