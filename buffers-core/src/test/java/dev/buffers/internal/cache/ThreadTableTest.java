// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Threads;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadTableTest {
    private static final int THREADS = 100;
    private static final int SIZE = 1024;

    private final PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final CyclicBarrier registered = new CyclicBarrier(THREADS);
    private final Set<Magazine> found = ConcurrentHashMap.newKeySet();

    /** Far more than the first table has places for, so that their ids meet and the table is made anew under them. */
    @Test
    void eachThreadFindsItsOwnMagazine() throws Exception {
        Threads.together(Collections.nCopies(THREADS, this::registerAndFind));
        assertEquals(THREADS, found.size());
        assertNull(parts.owner.current(0), "this thread has none");
    }

    private void registerAndFind() throws Exception {
        assertNull(parts.owner.current(0));
        parts.threads.prepare(0, SIZE);
        Magazine own = parts.owner.current(0);
        registered.await(60, TimeUnit.SECONDS);
        assertSame(own, parts.owner.current(0));
        assertTrue(own.isOwn());
        assertNull(parts.owner.current(1), "not made yet");
        assertNull(parts.owner.current(SizeClasses.OVERSIZE));
        found.add(own);
    }
}
