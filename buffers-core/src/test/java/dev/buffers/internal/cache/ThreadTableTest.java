// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Peek;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ThreadTableTest {
    private static final int THREADS = 100;

    private final PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final CyclicBarrier registered = new CyclicBarrier(THREADS);
    private final Set<Magazine> found = ConcurrentHashMap.newKeySet();

    /** Far more than the first table has places for, so that it is made anew, and all begin to look at the same place. */
    @Test
    void eachThreadFindsItsOwnMagazine() throws Exception {
        List<FutureTask<?>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Boolean> task = new FutureTask<>(this::registerAndFind);
            tasks.add(task);
            new Meeting(task, i).start();
        }
        for (FutureTask<?> task : tasks) {
            task.get();
        }
        assertEquals(THREADS, found.size());
        assertNull(parts.owner.current(0), "this thread has none");
    }

    /** Its id meets those of all others of its kind, in a table of any length that this test makes. */
    private static final class Meeting extends Thread {
        private final long number;

        Meeting(Runnable task, long number) {
            super(task, "meeting");
            setDaemon(true);
            this.number = number;
        }

        @Override
        @SuppressWarnings("deprecation") // since Java 19
        public long getId() {
            return number << 16;
        }
    }

    private boolean registerAndFind() throws Exception {
        assertNull(parts.owner.current(0));
        Peek.prepare(parts.threads, 0);
        Magazine own = parts.owner.current(0);
        registered.await();
        assertSame(own, parts.owner.current(0));
        assertTrue(own.isOwn());
        assertNull(parts.owner.current(1), "not made yet");
        assertNull(parts.owner.current(SizeClasses.OVERSIZE));
        return found.add(own);
    }
}
