// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.Footprint;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.support.Jvm;
import dev.buffers.support.Peek;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Virtual threads that poll a reference queue (I10). On Java 21 a {@code ReentrantLock} guards it: a thread that held a monitor as well
 * would keep its carrier while it waits for a thread that needs one. Runs in a separate JVM, because its threads may stop permanently.
 */
@Tag("virtual")
class VirtualPollTest {

    static final class Polling {
        private static final int SLOTS = 1_024;
        private static final int SIZE = 1_024;
        private static final int THREADS = 400;
        private static final int MOST = 6;

        public static void main(String[] args) throws Exception {
            int rounds = Integer.parseInt(args[0]);
            BufferPool pool = BufferPool.builder("polling")
                    .policy("heap-view")
                    .max(SLOTS * SIZE)
                    .maxSize(SIZE)
                    .build();
            Thread collector = new Thread(() -> enqueue(Peek.budget(pool).collected, Peek.regions(pool)));
            collector.setDaemon(true);
            collector.start();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Thread.ofVirtual().start(() -> take(pool, rounds)));
            }
            int ended = 0;
            for (Thread thread : threads) {
                ended += thread.join(Duration.ofSeconds(30)) ? 1 : 0;
                if (ended < threads.indexOf(thread) + 1) {
                    break;
                }
            }
            System.out.println("ended: " + ended);
            System.exit(0);
        }

        /** As the collector does with memory that it has taken, but more quickly. */
        private static void enqueue(ReferenceQueue<Object> collected, RegionAllocator owner) {
            while (true) {
                new Footprint(ByteBuffer.allocate(1), 1, null, collected, owner).enqueue();
            }
        }

        /** More threads want more slots than there are. */
        private static void take(BufferPool pool, int rounds) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                PooledBuffer lease = pool.tryAcquire(SIZE);
                if (lease != null) {
                    leases.add(lease);
                }
                if (lease == null || leases.size() == MOST) {
                    Thread.yield();
                    leases.forEach(PooledBuffer::release);
                    leases.clear();
                }
            }
            leases.forEach(PooledBuffer::release);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void virtualThreadsEndWhileReferencesAreEnqueued(int carriers) throws Exception {
        String[] options = {
            "-Xmx128m",
            "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
            "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers
        };
        String said = Jvm.run(60, Polling.class, options, "300");
        assertTrue(said.contains("ended: 400"), said);
    }
}
