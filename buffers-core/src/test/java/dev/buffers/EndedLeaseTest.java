// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitHeldTick;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Its release makes the memory free, and then calls a wake-up that acquires it. */
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void furtherLeaseIsNotOpenDuringItsRelease() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool small = BufferPool.builder("small")
                        .policy("heap-view")
                        .max(4096)
                        .regionSize(4096)
                        .maxSize(4096)
                        .build()) {
            PooledBuffer further = further(small, 4096);
            List<PooledBuffer> next = new ArrayList<>();
            small.whenAvailable(4096, () -> {
                next.add(small.acquire(4096));
                assertFalse(further.isOpen());
                assertThrows(IllegalStateException.class, further::buffer);
                next.add(next.get(0).retain());
            });
            further.release();
            assertEquals(2, next.size(), "the wake-up was called, and threw nothing");
            next.forEach(PooledBuffer::release);
        }
    }

    private static PooledBuffer further(BufferPool pool, int size) {
        PooledBuffer first = pool.acquire(size);
        PooledBuffer further = first.retain();
        first.release();
        return further;
    }

    /** HotSpot may keep a plain field in a register; the end of a lease is none. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loopSeesThatAnotherThreadEndsTheLease(boolean further) throws Exception {
        PooledBuffer lease = further ? further(pool, 128) : pool.acquire(128);
        Thread looping = Threads.start(() -> {
            while (lease.isOpen()) {
                // it asks again
            }
        });
        Thread.sleep(500); // until the loop is compiled; if it is not, the test proves less
        lease.release();
        looping.join();
    }
}
