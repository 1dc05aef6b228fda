// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A lease ends exactly once, whichever threads try. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class ReleaseContractTest extends PoolContract {
    @Test
    void aStaleLeaseNeverTouchesTheNextHolder() throws Exception {
        BufferPool pool = pool();
        PooledBuffer stale = pool.acquire(1000);
        PooledBuffer staleFurther = stale.retain();
        ByteBuffer memory = stale.buffer();
        staleFurther.release();
        stale.release();
        PooledBuffer next = pool.acquire(1000);
        if (kind.isPooled()) {
            assertSame(memory, next.buffer());
        }
        for (PooledBuffer dead : List.of(stale, staleFurther)) {
            refusesEverything(dead);
            Threads.run(() -> refusesEverything(dead));
            assertTrue(next.isOpen());
        }
        PooledBuffer beside = next.retain();
        refusesEverything(stale);
        refusesEverything(staleFurther);
        assertFalse(next.release());
        refusesEverything(stale);
        assertTrue(beside.release());
        assertEquals(2, Conservation.check(pool).releases(ReleaseOutcome.RECYCLED));
    }

    private static void refusesEverything(PooledBuffer dead) {
        assertFalse(dead.isOpen());
        assertEquals("PooledBuffer[ended]", dead.toString());
        assertThrows(IllegalStateException.class, dead::buffer);
        assertThrows(IllegalStateException.class, dead::capacity);
        assertThrows(IllegalStateException.class, dead::retain);
        assertThrows(IllegalStateException.class, () -> dead.slice(0, 1));
        assertThrows(IllegalStateException.class, dead::release);
        assertThrows(IllegalStateException.class, dead::discard);
        dead.close();
    }

    /** The thread had looked at the lease while it was open, and goes on when the slot has its next holder. */
    @Test
    void aThreadThatWasOvertakenNeverTouchesTheNextHolder() {
        BufferPool pool = pool();
        PooledBuffer stale = pool.acquire(1000);
        ByteBuffer memory = stale.buffer();
        stale.release();
        PooledBuffer next = pool.acquire(1000);
        List<Runnable> attempts = List.of(
                stale::buffer, stale::release, stale::discard, stale::retain, () -> stale.slice(0, 1), stale::close);
        for (Runnable attempt : attempts) {
            Peek.overtaken(stale, memory);
            assertFalse(stale.isOpen());
            try {
                attempt.run();
                assertSame(attempts.get(5), attempt, "only close may do nothing");
            } catch (IllegalStateException e) {
                assertTrue(e.getMessage().startsWith("PooledBuffer "), e.getMessage());
            }
            assertTrue(next.isOpen());
            Conservation.check(pool, 1);
        }
        assertTrue(next.release());
    }

    @Test
    void aGenerationAboutToWrapRetiresItsSlot() {
        BufferPool pool = pool();
        PooledBuffer lease = pool.acquire(1000);
        Slot slot = Peek.slot(lease);
        lease.release();
        if (!kind.isPooled()) {
            return;
        }
        Peek.setState(slot, Long.MAX_VALUE & -SlotState.GENERATION);
        PooledBuffer last = pool.acquire(1000);
        assertSame(slot, Peek.slot(last));
        assertTrue(last.isOpen());
        PooledBuffer further = last.retain();
        assertFalse(last.release());
        assertTrue(further.release());
        PoolStats stats = Conservation.check(pool);
        assertEquals(2, stats.releases(ReleaseOutcome.RECYCLED));
        assertEquals(0, stats.releases(ReleaseOutcome.DISCARDED));
        for (int i = 0; i < 200; i++) {
            PooledBuffer other = pool.acquire(1000);
            assertTrue(Peek.slot(other) != slot);
            other.release();
        }
        assertThrows(IllegalStateException.class, further::release);
    }
}
