// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.support.Jvm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A JVM that ends by {@code System.exit} under load, with the pool's close in a shutdown hook, does end, whichever threads use the pool
 * just then.
 */
@Tag("full")
class ExitTest {
    /** Threads that never stop, at the cap most of the time, and an exit among them. */
    static final class Server {
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

    @ParameterizedTest
    @CsvSource({"gc, 0", "gc, 20", "prompt, 0", "prompt, 20"})
    void closeInAHookReturns(String free, int patience) throws Exception {
        String said = Jvm.run(
                Server.class,
                "-Dbuffers.max=64m",
                "-Dbuffers.region-size=32k",
                "-Dbuffers.max-size=32k",
                "-Dbuffers.free=" + (ArenaMemory.available() ? free : "gc"),
                "-Dpatience=" + patience);
        assertTrue(said.contains("closed\n"), said);
    }
}
