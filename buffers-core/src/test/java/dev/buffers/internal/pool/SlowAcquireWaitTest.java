// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Acquires with patience, and wake-ups, over the slots of a pool. */
class SlowAcquireWaitTest {
    private static final int SIZE = 64 << 10;

    /** Longer than {@link Threads#join} waits. */
    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    private final PoolParts parts = new PoolParts("heap-view", SIZE);
    private final int sizeClass = parts.classes.classOf(SIZE);

    /** The one slot of the pool, held. */
    private Slot theSlot() {
        return parts.find(SIZE);
    }

    private Slot findOrWait(long nanos) {
        return parts.slowAcquire.findOrWait(SIZE, sizeClass, nanos);
    }

    private Thread waits(AtomicReference<Slot> got, AtomicReference<Throwable> thrown) {
        Thread thread = Threads.start(() -> {
            try {
                got.set(findOrWait(LONG));
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        Eventually.holds("it sleeps", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    /** The thread that releases begins the tenancy of the waiter, so no other thread can overtake it. */
    @Test
    void releaseByAnotherThreadServesWaiterWithBegunTenancy() throws Exception {
        Slot slot = theSlot();
        AtomicReference<Slot> got = new AtomicReference<>();
        Thread thread = waits(got, new AtomicReference<>());
        slot.endUnused(null);
        parts.giveBack(slot);
        assertTrue(SlotState.isHeld(slot.stateVolatile()), "before the waiter has woken up");
        Threads.join(thread);
        assertSame(slot, got.get());
        assertNotNull(Peek.view(slot), "its view is still in it");
        assertEquals(1, parts.acquires(AcquireOutcome.DEPOT));
        assertEquals(1, parts.owner.stats().waits());
        assertFalse(parts.waitQueue.hasWaiters());
    }
}
