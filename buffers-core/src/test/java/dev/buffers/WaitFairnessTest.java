// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitingThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Fairness between the classes: an emptied region goes to the oldest waiter of any class, and no waiter starves (I5). */
@SuppressWarnings("try") // the tick is held, and that is all
class WaitFairnessTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static BufferPool.Builder builder(long max) {
        return BufferPool.builder("fairness").policy("heap-view").max(max);
    }

    @Test
    void theLastSlotOfASlabIsForTheOldestToo() throws Exception {
        try (BufferPool pool = builder(64 << 10).threadCache(0).build()) {
            List<PooledBuffer> leases = WaitReachTest.fill(pool, 4096);
            WaitingThread large = WaitingThread.parked(pool, 64 << 10, LONG);
            while (leases.size() > 1) {
                leases.remove(0).release();
            }
            WaitingThread small =
                    WaitingThread.start(pool, () -> pool.acquire(8192, LONG)).awaitParked();
            leases.remove(0).release();
            PooledBuffer whole = large.lease();
            assertTrue(small.isParked());
            whole.release();
            small.release();
        }
    }

    /** Eight threads move half of the memory to and fro: its free slots come together, and the large waiter gets them. */
    @Test
    void aLargeOneIsNotStarvedByAStreamOfSmallOnes() throws Exception {
        try (BufferPool pool = builder(512 << 10).build()) {
            WaitReachTest.fill(pool, 4096).forEach(PooledBuffer::release);
            AtomicBoolean stop = new AtomicBoolean();
            List<Threads.Action> actions = new ArrayList<>(Collections.nCopies(8, () -> {
                List<PooledBuffer> held = new ArrayList<>();
                while (!stop.get()) {
                    while (held.size() < 8) {
                        held.add(pool.acquire(4096, LONG));
                    }
                    Thread.yield();
                    while (held.size() > 4) {
                        held.remove((int) (System.nanoTime() % held.size())).release();
                    }
                    Thread.yield(); // or a thread would stand still only with all its memory in use
                }
                held.forEach(PooledBuffer::release);
            }));
            actions.add(() -> {
                try {
                    pool.acquire(128 << 10, LONG).release();
                } finally {
                    stop.set(true);
                }
            });
            Threads.together(actions);
            assertEquals(0, Conservation.check(pool).waiters());
        }
    }
}
