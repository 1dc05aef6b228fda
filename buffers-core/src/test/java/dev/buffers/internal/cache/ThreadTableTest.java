// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadTableTest {
    private static final int SIZE = 1024;

    private final PoolParts parts = new PoolParts("heap-view", 1 << 20);

    /** Far more than the first table has places for, so that their ids meet and the table is made anew under them. */
    @Test
    void eachThreadFindsItsOwnMagazine() throws Exception {
        int threads = 100;
        CountDownLatch registered = new CountDownLatch(threads);
        List<Magazine> found = new ArrayList<>();
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            started.add(Threads.start(() -> {
                assertNull(parts.owner.current(0));
                parts.threads.prepare(0, SIZE);
                Magazine own = parts.owner.current(0);
                registered.countDown();
                await(registered);
                assertSame(own, parts.owner.current(0));
                assertTrue(own.isOwn());
                assertNull(parts.owner.current(1), "not made yet");
                assertNull(parts.owner.current(SizeClasses.OVERSIZE));
                synchronized (found) {
                    found.add(own);
                }
            }));
        }
        for (Thread each : started) {
            Threads.join(each);
        }
        assertTrue(found.size() == threads && new HashSet<>(found).size() == threads, () -> "found: " + found.size());
        assertNull(parts.owner.current(0), "this thread has none");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
