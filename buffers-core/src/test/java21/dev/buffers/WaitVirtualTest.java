// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Leases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads wait without their carriers (I5). */
@Tag("virtual")
class WaitVirtualTest {
    private static final int THREADS = 1_000;
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path dir;

    @Test
    void aThousandWaitAndPinNothing() throws Exception {
        try (var pool = BufferPool.builder("virtual-waits")
                        .policy("heap-view")
                        .max(64 << 10)
                        .build();
                var recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
            recording.start();
            var leases = Leases.all(pool, 4096);
            var served = new AtomicInteger();
            var failed = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    try {
                        PooledBuffer lease = pool.acquire(4096, LONG);
                        Thread.yield();
                        lease.release();
                        served.incrementAndGet();
                    } catch (RuntimeException e) {
                        failed.incrementAndGet();
                    }
                }));
            }
            Eventually.holds("all wait", () -> pool.stats().waiters() == THREADS);
            var another = new CountDownLatch(1);
            Thread.ofVirtual().start(another::countDown);
            another.await(); // carriers are free while a thousand wait
            Thread.startVirtualThread(() -> leases.forEach(PooledBuffer::release))
                    .join();
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(0, failed.get());
            assertEquals(THREADS, served.get());
            recording.stop();
            Path file = dir.resolve("pinned.jfr");
            recording.dump(file);
            var ours = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
                    .filter(event -> String.valueOf(event.getStackTrace()).contains("dev.buffers"))
                    .toList();
            assertEquals(List.of(), ours);
            Conservation.check(pool);
        }
    }

    /**
     * Threads on one carrier, in a separate JVM. They sleep while they have a lease. If they yielded, a carrier of JDK 25 would run nothing
     * else: it takes threads whose timer has ended only when no other thread waits in its own queue.
     */
    static final class Waiting {
        private static final int THREADS = 200;
        private static final int SIZE = 1_024;
        private static final Duration PATIENCE = Duration.ofMillis(20);

        public static void main(String[] args) throws Exception {
            BufferPool pool = BufferPool.builder("patience")
                    .policy("heap-view")
                    .max(64 * SIZE)
                    .maxSize(4 * SIZE)
                    .build();
            AtomicLong latest = new AtomicLong();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int size = SIZE << i % 3;
                threads.add(Thread.ofVirtual().start(() -> waitUntil(end, pool, size, latest)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println("latest: " + TimeUnit.NANOSECONDS.toMillis(latest.get()));
        }

        private static void waitUntil(long end, BufferPool pool, int size, AtomicLong latest) {
            while (System.nanoTime() - end < 0) {
                long begin = System.nanoTime();
                PooledBuffer lease = null;
                try {
                    lease = pool.acquire(size, PATIENCE);
                } catch (PoolExhaustedException e) {
                    // Its patience has ended.
                }
                latest.accumulateAndGet(System.nanoTime() - begin - PATIENCE.toNanos(), Math::max);
                if (lease != null) {
                    LockSupport.parkNanos(100_000);
                    lease.release();
                }
            }
        }
    }

    /** They come back when their patience ends. */
    @Test
    void timedAcquireOnOneCarrierEndsWithinSeconds() throws Exception {
        String[] options = {
            "-Xmx128m", "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"
        };
        Eventually.within(4_000, () -> {
            String said = Jvm.run(600, Waiting.class, options, "5");
            return Long.parseLong(said.substring(said.lastIndexOf(' ') + 1).strip());
        });
    }
}
