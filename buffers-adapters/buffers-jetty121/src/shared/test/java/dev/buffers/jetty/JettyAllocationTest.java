// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.buffers.BufferPool;
import java.lang.management.ManagementFactory;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.junit.jupiter.api.Test;

/** The bytes that an acquire and its release allocate, exactly: the price of harmless late releases. Jetty acquires twice a request. */
class JettyAllocationTest {
    private static final int ROUNDS = 10_000;
    private static final int LEASE_BYTES = 32;

    private RetainableByteBuffer escapes;

    @Test
    void anAcquireAllocatesTheBufferAndItsLease() {
        BufferPool heap = BufferPool.builder("allocation").policy("heap").build();
        JettyBufferPool pool = JettyBufferPool.of(heap, heap);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) { // the first rounds load classes
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int j = 0; j < ROUNDS; j++) {
                escapes = pool.acquire(4096, false);
                escapes.release();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        RetainableByteBuffer late = escapes;
        RetainableByteBuffer next = pool.acquire(4096, false);
        assertThrows(IllegalStateException.class, late::release);
        assertEquals(0, next.getByteBuffer().remaining());
        next.release();
        heap.close();
        long bytes = least / ROUNDS;
        assertTrue(bytes <= ThisJetty.BUFFER_BYTES + LEASE_BYTES, () -> "bytes=" + bytes);
    }
}
