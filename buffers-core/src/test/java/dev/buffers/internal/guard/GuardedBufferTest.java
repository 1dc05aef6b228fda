// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.Kind;
import dev.buffers.support.Logged;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedBufferTest {
    private final Logged log = new Logged("guarded-buffer");
    private final BufferPool pool =
            new Kind("heap-view").builder("guarded-buffer").guard(true).build();

    @AfterEach
    void close() {
        Conservation.check(pool);
        pool.close();
        log.close();
    }

    @Test
    void furtherLeaseKeepsTheMemoryFromBeingLost() {
        PooledBuffer further = onlyFurther();
        for (int i = 0; i < 3; i++) {
            System.gc();
            assertEquals(0, pool.stats().leaks());
        }
        assertEquals(7, further.buffer().get(3));
        assertTrue(further.release());
    }

    private PooledBuffer onlyFurther() {
        PooledBuffer first = pool.acquire(100);
        first.buffer().put(3, (byte) 7);
        PooledBuffer further = first.retain();
        assertFalse(first.release());
        return further;
    }

    @Test
    void endedLeaseRejectsEveryUse() {
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer further = lease.retain();
        lease.close();
        lease.close();
        assertFalse(lease.isOpen());
        assertEquals("PooledBuffer[ended]", lease.toString());
        assertThrows(IllegalStateException.class, lease::buffer);
        assertThrows(IllegalStateException.class, lease::retain);
        assertThrows(IllegalStateException.class, lease::discard);
        lease.touch("late");
        assertEquals(
                0,
                pool.openLeases().get(0).acquisition().orElseThrow().touches().size());
        assertEquals("PooledBuffer[pool=guarded-buffer, capacity=128]", further.toString());
        assertTrue(further.release());
    }

    @Test
    void partIsBoundedByTheCapacity() {
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer part = lease.slice(120, 8);
        assertEquals(8, part.capacity());
        assertThrows(IndexOutOfBoundsException.class, () -> lease.slice(121, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> lease.slice(-1, 8));
        part.close();
        lease.close();
    }
}
