// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Virtual threads own nothing: whatever they acquire is back when they have released it (I1, I9). */
@Tag("virtual")
class VirtualThreadsTest {

    @Test
    void manyThreadsAcquireAndRelease() throws Exception {
        try (var pool = BufferPool.create("virtual-threads")) {
            var released = new ArrayList<Future<Boolean>>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 1_000; i++) {
                    int size = 1 + i * 17;
                    released.add(threads.submit(() -> roundTrip(pool, size)));
                }
            }
            for (var result : released) {
                assertTrue(result.get());
            }
            assertEquals(0, pool.stats().leasedBytes());
        }
    }

    @Test
    void releaseByAnotherVirtualThreadReturnsBuffer() throws Exception {
        try (var pool = BufferPool.create("virtual-hand-off");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            PooledBuffer lease = threads.submit(() -> pool.acquire(100)).get();
            assertTrue(threads.submit(lease::release).get());
            assertEquals(0, pool.stats().leasedBytes());
        }
    }

    private static boolean roundTrip(BufferPool pool, int size) {
        assertTrue(Thread.currentThread().isVirtual());
        PooledBuffer lease = pool.acquire(size);
        lease.buffer().put(size - 1, (byte) 1);
        Thread.yield();
        return lease.release();
    }
}
