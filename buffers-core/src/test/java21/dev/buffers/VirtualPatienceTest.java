// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Virtual threads that wait on one carrier come back when their patience ends. Runs in a separate JVM, which has one carrier.
 *
 * <p>They sleep while they have a lease. If they yielded, a carrier of JDK 25 would run nothing else: it takes threads whose timer has
 * ended only when no other thread waits in its own queue.
 */
@Tag("virtual")
class VirtualPatienceTest {

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
