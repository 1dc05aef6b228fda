// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code CARVED} counts slabs that were cut, and nothing else that a miss finds late. */
@SuppressWarnings("try") // the tick is held, and that is all
class CarvedTest {
    private static final int SIZE = 4096;

    private static BufferPool pool(long max) {
        return BufferPool.builder("carved")
                .policy("heap-view")
                .max(max)
                .regionSize(64 << 10)
                .maxSize(64 << 10)
                .build();
    }

    private static long acquires(PoolStats stats) {
        return Arrays.stream(AcquireOutcome.values()).mapToLong(stats::acquires).sum();
    }

    /** The first thread cuts a slab, and the threads behind it take slots of that slab. */
    @Tag("full")
    @Test
    void threadsInLineBehindACutAreServedByTheDepot() throws Exception {
        for (int round = 0; round < 20; round++) {
            ConcurrentLinkedQueue<PooledBuffer> leases = new ConcurrentLinkedQueue<>();
            try (BufferPool pool = pool(16 << 20)) {
                int threads = 64;
                Threads.together(Collections.nCopies(threads, () -> {
                    for (int i = 0; i < 5; i++) {
                        leases.add(pool.acquire(SIZE));
                    }
                }));
                PoolStats stats = Conservation.check(pool, leases.size());
                assertEquals(stats.slabs(), stats.acquires(AcquireOutcome.CARVED));
                assertEquals(5 * threads, acquires(stats));
                leases.forEach(PooledBuffer::release);
            }
        }
    }

    /** At the cap, slots that ended threads had kept are found after everything else, and nothing is cut for them. */
    @Test
    void slotsRecalledFromEndedThreadsAreNotCarved() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = pool(1 << 20)) {
            Threads.run(() -> {
                List<PooledBuffer> held = Leases.of(20, () -> pool.acquire(SIZE));
                held.forEach(PooledBuffer::release);
            });
            List<PooledBuffer> leases = Leases.all(pool, SIZE);
            PoolStats stats = Conservation.check(pool, (1 << 20) / SIZE);
            assertEquals(stats.slabs(), stats.acquires(AcquireOutcome.CARVED));
            assertEquals(20 + leases.size() + 1, acquires(stats));
            leases.forEach(PooledBuffer::release);
        }
    }

    /** The slot that a wake-up announces was cut before any thread acquires it. */
    @Test
    void acquireAfterWakeUpIsServedByTheDepot() {
        try (BufferPool pool = pool(1 << 20)) {
            pool.whenAvailable(SIZE, () -> {});
            pool.acquire(SIZE).release();
            assertEquals(0, pool.stats().acquires(AcquireOutcome.CARVED));
            assertEquals(1, acquires(pool.stats()));
        }
    }
}
