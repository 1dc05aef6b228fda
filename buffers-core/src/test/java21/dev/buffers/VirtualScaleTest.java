// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Threads;
import dev.buffers.support.Weighed;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A million virtual threads on one pool, and in short form ten thousand, in a separate JVM that prints its figures. */
@Tag("virtual")
class VirtualScaleTest {
    private static final int THREADS = Integer.getInteger("scale.count", 0);

    @Test
    @Tag("scale")
    void millionThreadsHoldLeaseEach() throws Exception {
        run(Holding.class, 1_000_000, "-Xmx4g", "-XX:MaxDirectMemorySize=1200m");
    }

    @Test
    @Tag("full")
    void tenThousandThreadsHoldLeaseEach() throws Exception {
        run(Holding.class, 10_000, "-Xmx512m", "-XX:MaxDirectMemorySize=1200m");
    }

    @Test
    @Tag("scale")
    void millionThreadsWaitForTheirTurn() throws Exception {
        run(Waiting.class, 1_000_000, "-Xmx4g", "-XX:MaxDirectMemorySize=64m");
    }

    @Test
    @Tag("full")
    void tenThousandThreadsWaitForTheirTurn() throws Exception {
        run(Waiting.class, 10_000, "-Xmx512m", "-XX:MaxDirectMemorySize=64m");
    }

    private static void run(Class<?> main, int threads, String heap, String direct) throws Exception {
        Weighed.run(main, "-XX:TieredStopAtLevel=4", heap, direct, "-Dscale.count=" + threads);
    }

    /** Threads with a lease each, which do this while they have it, and count those whose stamp is still in their lease. */
    private static void start(Supplier<PooledBuffer> acquire, AtomicLong right, CountDownLatch back, Runnable beside) {
        for (int i = 0; i < THREADS; i++) {
            long stamp = i;
            Thread.startVirtualThread(() -> {
                PooledBuffer lease = acquire.get();
                ByteBuffer buffer = lease.buffer();
                int last = buffer.limit() - Long.BYTES;
                buffer.putLong(0, stamp).putLong(last, stamp);
                beside.run();
                if (buffer.getLong(0) == stamp && buffer.getLong(last) == stamp) {
                    right.incrementAndGet();
                }
                lease.release();
                back.countDown();
            });
        }
    }

    /** All of them hold one at the same time. */
    static final class Holding {
        public static void main(String[] args) throws Exception {
            Weighed.print("without a pool: %.0f ns each", Weighed.millis(Holding::justThreads) * 1e6 / THREADS);
            try (BufferPool pool = BufferPool.builder("holding").max(1100 << 20).build()) {
                CountDownLatch out = new CountDownLatch(THREADS);
                CountDownLatch end = new CountDownLatch(1);
                AtomicLong right = new AtomicLong();
                CountDownLatch back = new CountDownLatch(THREADS);
                double millis = Weighed.millis(() -> {
                    start(() -> pool.acquire(1000), right, back, () -> {
                        out.countDown();
                        Threads.await(end);
                    });
                    Threads.await(out);
                });
                Weighed.print(
                        "%,d threads started, and each has its lease: %.0f ns each", THREADS, millis * 1e6 / THREADS);
                Conservation.check(pool, THREADS);
                Weighed.printMemory("all out", pool);
                Weighed.print("heap: %d bytes for each, thread and lease and slot", Weighed.heap() / THREADS);
                Weighed.printTicks(pool);
                double released = Weighed.millis(() -> {
                    end.countDown();
                    Threads.await(back);
                });
                Weighed.print("all woken and released: %.0f ns each", released * 1e6 / THREADS);
                assertEquals(THREADS, right.get());
                Weighed.printMemory("all back", pool);
                Weighed.assertAllBack(pool);
            }
        }

        /** The same number of threads, which start, wait for each other and end. */
        private static void justThreads() {
            CountDownLatch out = new CountDownLatch(THREADS);
            CountDownLatch back = new CountDownLatch(THREADS);
            CountDownLatch end = new CountDownLatch(1);
            for (int i = 0; i < THREADS; i++) {
                Thread.startVirtualThread(() -> {
                    out.countDown();
                    Threads.await(end);
                    back.countDown();
                });
            }
            Threads.await(out);
            end.countDown();
            Threads.await(back);
        }
    }

    /** Room for few of them at a time: the others stand in the queue. */
    static final class Waiting {
        public static void main(String[] args) throws Exception {
            try (BufferPool pool = BufferPool.builder("waiting").max(16 << 20).build()) {
                AtomicLong right = new AtomicLong();
                CountDownLatch back = new CountDownLatch(THREADS);
                double millis = Weighed.millis(() -> {
                    start(() -> pool.acquire(16_384, Duration.ofHours(1)), right, back, Thread::yield);
                    Threads.await(back);
                });
                PoolStats stats = Conservation.check(pool);
                Weighed.print(
                        "%,d threads, room for %,d at a time: %.0f ns each",
                        THREADS, stats.maxBytes() / 16_384, millis * 1e6 / THREADS);
                assertEquals(THREADS, right.get());
                assertEquals(0, stats.waiters());
                assertTrue(stats.reservedBytes() <= stats.maxBytes());
                Weighed.printMemory("all served", pool);
                Weighed.assertAllBack(pool);
                queue(pool);
                Weighed.assertAllBack(pool);
            }
        }

        /** All of them stand in the queue before the first is served. */
        private static void queue(BufferPool pool) throws Exception {
            PooledBuffer all = pool.acquire((int) pool.stats().maxBytes());
            CountDownLatch back = new CountDownLatch(THREADS);
            double came = Weighed.millis(() -> {
                for (int i = 0; i < THREADS; i++) {
                    Thread.startVirtualThread(() -> {
                        pool.acquire(4096, Duration.ofHours(1)).release();
                        back.countDown();
                    });
                }
                while (pool.stats().waiters() < THREADS) {
                    Thread.sleep(20);
                }
            });
            Weighed.print("%,d threads in the queue: %.0f ns each to come", THREADS, came * 1e6 / THREADS);
            Weighed.print("heap: %d bytes for each, thread and waiter", Weighed.heap() / THREADS);
            Weighed.printTicks(pool);
            double served = Weighed.millis(() -> {
                all.release();
                Threads.await(back);
            });
            Weighed.print("all served: %.0f ns each", served * 1e6 / THREADS);
            Conservation.check(pool);
        }
    }
}
