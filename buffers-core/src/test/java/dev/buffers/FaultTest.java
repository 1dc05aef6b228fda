// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults of other code, and a pool that closes in every state: every byte is accounted for afterwards (I1), and the daemon, one for all
 * pools, goes on.
 */
class FaultTest {
    private static BufferPool.Builder views(String name) {
        return BufferPool.builder(name).policy("heap-view").max(8 << 20);
    }

    private static void assertGone(BufferPool pool) {
        Eventually.holds(
                "nothing is reserved any more", () -> Conservation.check(pool).reservedBytes() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "direct-view"})
    void aThreadDiesWithAFullMagazineAndOpenLeases(String policy) throws Exception {
        DirectRoom.make();
        try (BufferPool pool =
                BufferPool.builder("faults").policy(policy).max(16 << 20).build()) {
            List<PooledBuffer> open = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                FutureTask<Void> task = new FutureTask<>(() -> {
                    List<PooledBuffer> leases = Leases.of(40, () -> pool.acquire(4096));
                    open.add(leases.remove(20));
                    leases.forEach(PooledBuffer::release);
                    pool.acquire(8192); // lost
                    throw new UnsupportedOperationException("dies");
                });
                Threads.start(task).join();
            }
            Eventually.collected("the losses are counted", () -> pool.stats().leaks() == 10);
            Conservation.check(pool, 10);
            open.forEach(PooledBuffer::release);
            pool.trim();
            assertGone(pool);
        }
    }

    @Test
    void closeDuringTrimAndTickLeavesNothingBehind() throws Exception {
        for (int round = 0; round < 20; round++) {
            BufferPool pool = views("faults").build();
            List<PooledBuffer> out = Leases.of(500, () -> pool.acquire(4096));
            PooledBuffer last = out.remove(250);
            int pause = round * 30;
            Threads.together(List.of(
                    () -> out.forEach(PooledBuffer::release),
                    () -> {
                        try {
                            while (true) {
                                pool.trim();
                            }
                        } catch (IllegalStateException e) {
                            assertTrue(e.getMessage().startsWith("pool is closed"), e.getMessage());
                        }
                    },
                    () -> {
                        long now = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
                        for (int i = 0; i < 50; i++) {
                            ((SlabPool) pool).tick(now += TimeUnit.SECONDS.toNanos(5));
                        }
                    },
                    () -> {
                        TimeUnit.MICROSECONDS.sleep(pause);
                        pool.close();
                        pool.close();
                    }));
            Conservation.check(pool, 1);
            last.buffer().putLong(0, 1);
            last.release();
            assertGone(pool);
        }
    }

    @Test
    void listenerThatThrowsOrInterruptsDoesNotStopTheDaemon() throws Exception {
        AtomicInteger told = new AtomicInteger();
        BufferPool bad = views("bad")
                .onLeak(report -> {
                    Thread.currentThread().interrupt();
                    throw new UnsupportedOperationException("from the listener");
                })
                .build();
        try (bad;
                BufferPool good = views("good")
                        .onLeak(report -> {
                            told.incrementAndGet();
                            Thread.currentThread().interrupt();
                        })
                        .build()) {
            Leases.lose(bad, 4096);
            Eventually.collected("the loss is heard of", () -> bad.stats().leaks() == 1);
            Leases.lose(good, 4096);
            Eventually.collected("another pool's listener is told", () -> told.get() == 1);
            Thread daemon = Threads.daemons().get(0);
            Eventually.within(
                    100,
                    () -> { // of 300 ms: the daemon does not spin
                        long before = cpuNanos(daemon);
                        LockSupport.parkNanos(300_000_000);
                        return (cpuNanos(daemon) - before) / 1_000_000;
                    });
        }
    }

    private static long cpuNanos(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
    }

    @Test
    void nameReusedByAnotherPoolIsNotFreed() throws Exception {
        WeakReference<BufferPool> closed = closedWithALeaseOut();
        try (BufferPool second = views("handed-on").build()) {
            assertEquals("handed-on", second.name());
            Eventually.collected("the first is collected", () -> closed.get() == null);
            Thread.sleep(1_300); // the daemon's next look at it
            try (BufferPool third = views("handed-on").build()) {
                assertEquals("handed-on-2", third.name());
            }
        }
    }

    private static WeakReference<BufferPool> closedWithALeaseOut() {
        BufferPool pool = views("handed-on").build();
        Leases.lose(pool, 4096);
        pool.close();
        return new WeakReference<>(pool);
    }

    /** Threads that never stop, at the cap most of the time, and an exit among them. */
    static final class Exit {
        private static final int THREADS = 64;
        private static final CountDownLatch WARM = new CountDownLatch(50 * THREADS);

        public static void main(String[] args) throws Exception {
            Duration patience = Duration.ofMillis(Integer.getInteger("patience"));
            BufferPool pool = BufferPool.create("exit");
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                new Thread(() -> serve(pool, random, patience)).start();
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                pool.close();
                System.out.println("closed");
            }));
            WARM.await();
            System.exit(0);
        }

        private static void serve(BufferPool pool, Random random, Duration patience) {
            ArrayDeque<PooledBuffer> held = new ArrayDeque<>();
            while (true) {
                try {
                    held.add(pool.acquire(random.nextInt(40_000), patience));
                } catch (PoolExhaustedException | IllegalStateException e) {
                    held.forEach(PooledBuffer::close);
                    held.clear();
                }
                WARM.countDown();
                while (held.size() > 40) {
                    held.poll().release();
                }
            }
        }
    }

    /** With the pool's close in a shutdown hook, and whichever threads use the pool just then. */
    @Tag("full")
    @ParameterizedTest
    @CsvSource({"gc, 0", "gc, 20", "prompt, 0", "prompt, 20"})
    void exitUnderLoadEnds(String free, int patience) throws Exception {
        for (int i = 0; i < 3; i++) {
            String said = Jvm.run(
                    Exit.class,
                    "-Dbuffers.max=64m",
                    "-Dbuffers.region-size=32k",
                    "-Dbuffers.max-size=32k",
                    "-Dbuffers.free=" + (ArenaMemory.available() ? free : "gc"),
                    "-Dpatience=" + patience);
            assertTrue(said.contains("closed\n"), said);
        }
    }
}
