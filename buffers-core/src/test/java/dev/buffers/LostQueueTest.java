// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon alone polls a reference queue: on Java 21 a lock guards it, which a virtual thread must not wait for (I10). */
class LostQueueTest {
    private static final int SIZE = 4096;

    private static final class Watched<T> extends ReferenceQueue<T> {
        private final Set<String> threads = ConcurrentHashMap.newKeySet();

        @Override
        public Reference<? extends T> poll() {
            threads.add(Thread.currentThread().getName());
            return super.poll();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void daemonAlonePolls(boolean guard) {
        Watched<Object> queue = new Watched<>();
        BufferPool pool = BufferPool.builder("polled")
                .policy("heap")
                .max(SIZE)
                .maxSize(SIZE)
                .guard(guard)
                .build();
        Peek.replaceQueue(pool, queue);
        lose(pool);
        Eventually.collected("it serves again", () -> {
            pool.trim();
            PooledBuffer again = pool.tryAcquire(SIZE);
            return again != null && again.release();
        });
        pool.close();
        assertEquals(1, pool.stats().leaks());
        assertEquals(Set.of("buffers-maintenance"), queue.threads);
    }

    private static void lose(BufferPool pool) {
        if (pool.acquire(SIZE).capacity() < SIZE) {
            throw new AssertionError();
        }
    }
}
