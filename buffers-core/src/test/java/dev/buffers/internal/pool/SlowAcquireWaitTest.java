// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.signals.WaitQueue;
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

    private void awaitQueued() {
        Eventually.holds("it waits", () -> parts.waitQueue.hasWaiters(sizeClass));
    }

    @Test
    void freeMemoryIsFoundWithoutWaiting() {
        assertNotNull(findOrWait(0));
        assertEquals(0, parts.owner.stats().waits());
    }

    @Test
    void acquireWithoutPatienceIsRefusedAtOnce() {
        theSlot();
        assertThrows(PoolExhaustedException.class, () -> findOrWait(0));
        assertEquals(0, parts.owner.stats().waits());
        assertEquals(1, parts.acquires(AcquireOutcome.REJECTED));
    }

    @Test
    void acquireIsRefusedWhenPatienceEnds() {
        theSlot();
        PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> findOrWait(1_000_000));
        assertTrue(refused.getMessage().contains("waited "), refused::getMessage);
        assertFalse(parts.waitQueue.hasWaiters());
        assertEquals(1, parts.owner.stats().waits());
    }

    @Test
    void interruptEndsWaitAndStaysSet() throws Exception {
        theSlot();
        AtomicReference<String> ended = new AtomicReference<>();
        Thread thread = Threads.start(() -> {
            try {
                findOrWait(LONG);
            } catch (PoolExhaustedException e) {
                ended.set(Thread.currentThread().isInterrupted() + " " + e.getMessage());
            }
        });
        awaitQueued();
        thread.interrupt();
        Threads.join(thread);
        assertTrue(ended.get().startsWith("true") && ended.get().contains("interrupted after "), ended::get);
        assertFalse(parts.waitQueue.hasWaiters());
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

    @Test
    void policyThatThrowsEndsThatWaitOnly() throws Exception {
        Slot slot = theSlot();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = waits(new AtomicReference<>(), thrown);
        WaitQueue.Waiter behind = parts.waiter(SIZE, new Thread());
        RuntimeException theirs = new IllegalCallerException("from the policy");
        parts.handOff.from((bytes, its, may) -> {
            throw theirs;
        });
        parts.waitQueue.fail(parts.waitQueue.oldestAfter(-1), theirs, true, PoolParts.due());
        Threads.join(thread);
        assertSame(theirs, thrown.get());
        assertSame(behind, parts.waitQueue.oldestAfter(-1));
        slot.endUnused(null);
        parts.giveBack(slot);
        assertSame(slot, behind.slot());
    }

    @Test
    void closeEndsWait() throws Exception {
        theSlot();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = waits(new AtomicReference<>(), thrown);
        parts.owner.beginClose();
        parts.handOff.waitQueue().wakeAll();
        Threads.join(thread);
        assertSame(IllegalStateException.class, thrown.get().getClass());
        assertFalse(parts.waitQueue.hasWaiters());
    }

    @Test
    void sizeAboveMaxIsRefusedWithoutWaiting() {
        assertThrows(PoolExhaustedException.class, () -> parts.slowAcquire.findOrWait(SIZE + 1, -1, LONG));
        assertThrows(PoolExhaustedException.class, () -> parts.slowAcquire.whenAvailable(SIZE + 1, -1, () -> {}));
    }

    @Test
    void wakeUpIsCalledAtOnceWhenRoomExists() {
        parts.slowAcquire.whenAvailable(SIZE, sizeClass, () -> {});
        assertEquals(1, parts.called.size());
        assertFalse(parts.waitQueue.hasWaiters());
    }

    @Test
    void wakeUpWaitsBehindEarlierWaiters() {
        Slot slot = theSlot();
        WaitQueue.Waiter before = parts.waiter(SIZE, new Thread());
        parts.slowAcquire.whenAvailable(SIZE, sizeClass, () -> {});
        assertTrue(parts.called.isEmpty());
        slot.endUnused(null);
        parts.giveBack(slot);
        assertSame(slot, before.slot());
        assertTrue(parts.called.isEmpty());
        assertEquals(1, parts.waitQueue.size());
    }
}
