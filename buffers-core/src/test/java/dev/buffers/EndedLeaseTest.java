// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The view of a slot is in one place: in the slot while that is free, in its leases otherwise (rule S2 of {@link Slot}). */
class EndedLeaseTest {
    private final BufferPool pool =
            BufferPool.builder("views").policy("heap-view").max(1 << 20).build();

    @AfterEach
    void everyByteIsAccountedFor() {
        Conservation.check(pool);
        pool.close();
    }

    @Test
    void aLeasedSlotHoldsNoView() {
        PooledBuffer lease = pool.acquire(1000);
        ByteBuffer view = lease.buffer();
        Slot slot = Peek.slot(lease);
        assertNull(Peek.view(slot));
        lease.release();
        assertSame(view, Peek.view(slot));
    }

    /** The thread read the lease while it was open, and reaches its release when the slot has its next holder. */
    @Test
    void lateReleasePutsNoViewBack() {
        PooledBuffer stale = pool.acquire(1000);
        ByteBuffer view = stale.buffer();
        stale.release();
        PooledBuffer next = pool.acquire(1000);
        assertSame(Peek.slot(stale), Peek.slot(next));
        Peek.overtaken(stale, view);
        assertThrows(IllegalStateException.class, stale::release);
        assertNull(Peek.view(Peek.slot(next)));
        Peek.overtaken(stale, view);
        stale.close();
        assertNull(Peek.view(Peek.slot(next)));
        next.release();
    }
}
