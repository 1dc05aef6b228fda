// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.SlabStore;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import dev.buffers.support.TrimTime;
import dev.buffers.support.WaitHeldTick;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** With {@code free=prompt} no lock is held while an arena closes, for which every thread of the JVM must answer. */
class PromptLocksTest {
    private static final int CAP = 4 << 20;
    private static final int REGION = 16 << 10;

    /** Half of it is copied in some milliseconds, so that 4,096 arenas are closed in many seconds. */
    private static final int MUCH = 128 << 20;

    private static BufferPool.Builder builder() {
        return BufferPool.builder("prompt-locks")
                .policy("direct-view")
                .max(CAP)
                .regionSize(REGION)
                .maxSize(REGION)
                .trimNever()
                .free(PoolSettings.Freeing.PROMPT);
    }

    private static void fill(BufferPool pool) {
        List<PooledBuffer> leases = Leases.all(pool, REGION);
        assertEquals(CAP / REGION, leases.size());
        leases.forEach(PooledBuffer::release);
    }

    /**
     * Runs {@code drops}, which drops many regions of a pool, beside threads that have nothing to do but to answer. Watches the thread while
     * it closes one of them, until that was seen twice.
     */
    private static void holdsNothing(Consumer<BufferPool> drops) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> idle = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            idle.add(Threads.start(() -> Threads.await(end)));
        }
        try (BufferPool pool = builder().build()) {
            for (int seen = 0; seen < 2; ) {
                seen += closesSeen(() -> drops.accept(pool));
            }
        } finally {
            end.countDown();
        }
        for (Thread thread : idle) {
            thread.join();
        }
    }

    private static int closesSeen(Runnable drops) throws Exception {
        ThreadMXBean beans = ManagementFactory.getThreadMXBean();
        FutureTask<Boolean> task = new FutureTask<>(drops, true);
        Thread thread = Threads.start(task);
        int seen = 0;
        while (thread.isAlive()) {
            ThreadInfo now = beans.getThreadInfo(new long[] {thread.threadId()}, true, true)[0];
            if (now != null
                    && Arrays.stream(now.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals("tryClose"))) {
                seen++;
                List<LockInfo> held = new ArrayList<>(List.of(now.getLockedSynchronizers()));
                held.addAll(List.of(now.getLockedMonitors()));
                assertEquals(List.of(), held, () -> "held by " + now);
            }
        }
        assertTrue(task.get());
        return seen;
    }

    /** The pool was full, and has dropped all of that. */
    private static void drop(BufferPool pool) {
        fill(pool);
        SlabStore slabs = Peek.slabs(pool);
        slabs.revokeAll();
        slabs.dropUnused(true);
        assertEquals(CAP, pool.stats().droppedBytes(), "none is closed yet");
    }

    @Test
    void trimHoldsNoLock() throws Exception {
        holdsNothing(pool -> {
            fill(pool);
            pool.trim();
            assertEquals(0, pool.stats().droppedBytes());
        });
    }

    @Test
    void theTickHoldsNoLock() throws Exception {
        holdsNothing(unused -> {
            try (BufferPool pool = builder().trimAfter(Duration.ofMillis(1)).build()) {
                fill(pool);
                new TrimTime(pool).seconds(3);
                Eventually.holds("all is closed", () -> pool.stats().droppedBytes() == 0);
            }
        });
    }

    @Test
    void closeHoldsNoLock() throws Exception {
        holdsNothing(unused -> {
            BufferPool pool = builder().build();
            fill(pool);
            pool.close();
            Eventually.holds("all is closed", () -> pool.stats().droppedBytes() == 0);
        });
    }

    /** Closing an arena waits for every thread, and here one copies memory and answers only between two copies. */
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void closeLeavesArenasToTheTickWhenThreadsAnswerLate() throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        byte[] memory = new byte[MUCH];
        Thread busy = Threads.start(() -> {
            while (!end.get()) {
                System.arraycopy(memory, 0, memory, MUCH / 2, MUCH / 2);
            }
        });
        BufferPool pool = builder().max(16 * CAP).build();
        try (WaitHeldTick tick = new WaitHeldTick()) {
            Leases.all(pool, REGION).forEach(PooledBuffer::release);
            pool.close();
            assertTrue(pool.stats().droppedBytes() > 0, "all are closed");
        } finally {
            end.set(true);
            busy.join();
        }
        Eventually.holds("all are closed", () -> pool.stats().droppedBytes() == 0);
    }

    @Test
    void aReleaseHoldsNoLock() throws Exception {
        holdsNothing(pool -> {
            for (int i = 0; i < 100; i++) {
                pool.acquire(2 * REGION).release();
            }
        });
    }

    /** At the cap, no acquire is refused while dropped memory for it is not closed yet. */
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void acquireAtTheCapClosesOnlyTheNeededRegions() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = builder().build()) {
            for (int size : new int[] {REGION, 100, 2 * REGION, CAP}) {
                drop(pool);
                PooledBuffer lease = pool.tryAcquire(size);
                assertNotNull(lease, () -> "size=" + size + ", " + pool.stats());
                assertEquals(CAP - Math.max(REGION, size), pool.stats().droppedBytes(), "and not more");
                lease.release();
                pool.trim();
                assertEquals(0, pool.stats().droppedBytes());
            }
            drop(pool);
            pool.acquire(3 * REGION, Duration.ofMinutes(1)).release();
            int[] woken = new int[1];
            pool.trim();
            drop(pool);
            pool.whenAvailable(REGION, () -> woken[0]++);
            assertEquals(1, woken[0]);
            pool.trim();
        }
    }

    /** Two threads close the same regions: neither of them stops while there are more. */
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void anAcquireIsNotRefusedWhileAnotherThreadCloses() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick()) {
            for (int i = 0; i < 100; i++) {
                try (BufferPool pool = builder().build()) {
                    drop(pool);
                    Thread other = Threads.start(pool::trim);
                    PooledBuffer all = pool.tryAcquire(CAP);
                    assertNotNull(all, () -> pool.stats().toString());
                    all.release();
                    other.join();
                }
            }
        }
    }

    /** Unused regions that are too small for the acquire are given up and closed, and the acquire finds that room. */
    @Test
    void anAcquireIsNotRefusedForRegionsThatAreTooSmall() {
        try (BufferPool pool = builder().build()) {
            fill(pool);
            PooledBuffer large = pool.tryAcquire(CAP);
            assertNotNull(large, () -> pool.stats().toString());
            assertNull(pool.tryAcquire(1));
            large.release();
        }
    }
}
