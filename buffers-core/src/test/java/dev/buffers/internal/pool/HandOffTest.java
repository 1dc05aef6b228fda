package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Eventually;
import dev.buffers.support.Linked;
import dev.buffers.support.Threads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Where a free slot goes, and which waiters are called for room; the waiters are threads that do not run. */
class HandOffTest {
    private static final int SIZE = 4096;

    private final PoolParts parts = new PoolParts("heap-view", 64 << 10);
    private final Thread other = new Thread(() -> {});

    /** All memory of the pool, in free slots of this size; at least two. */
    private Slot[] all(int size) {
        int n = (64 << 10) / size;
        Slot[] slots = Linked.array(parts.growth.grow(parts.classes.classOf(size), n));
        assertEquals(n, slots.length);
        return slots;
    }

    private static Runnable nothing() {
        return () -> {};
    }

    @Test
    void withoutWaitersASlotGoesToItsSlab() {
        Slot[] slots = all(SIZE);
        parts.giveBack(slots);
        assertTrue(slots[0].slab.isUnused());
        assertFalse(parts.handOff.hasWaiters());
    }

    @Test
    void theFirstThreadThatWaitsForItsClassGetsIt() {
        Slot[] slots = all(SIZE);
        WaitQueue.Waiter elsewhere = parts.waiter(128, other);
        WaitQueue.Waiter first = parts.waiter(SIZE, other);
        WaitQueue.Waiter second = parts.waiter(SIZE, other);
        parts.giveBack(slots[0]);
        assertSame(slots[0], first.slot());
        assertNotNull(first.view());
        assertNull(second.slot());
        assertNull(elsewhere.slot());
        parts.giveBack(slots[1], slots[2]);
        assertSame(slots[1], second.slot());
        assertEquals(1, parts.slabs.freeInUse(slots[0].sizeClass()), "the third is nobody's");
    }

    @Test
    void aWakeUpIsCalledWhenTheSlotCanBeFound() {
        Slot[] slots = all(SIZE);
        parts.wakeUp(SIZE, nothing());
        parts.giveBack(slots[0]);
        assertEquals(1, parts.called.size());
        assertEquals(1, parts.slabs.freeInUse(slots[0].sizeClass()));
        assertFalse(parts.handOff.hasWaiters());
    }

    @Test
    void slotsInSlabsThatAreInUseAreHandedOut() {
        Slot[] slots = all(SIZE);
        parts.giveBack(slots[0], slots[1], slots[2]);
        WaitQueue.Waiter thread = parts.waiter(SIZE, other);
        parts.wakeUp(SIZE, nothing());
        WaitQueue.Waiter last = parts.waiter(SIZE, other);
        parts.handOff.handOut(parts.classes.classOf(SIZE), 2);
        assertNotNull(thread.slot());
        assertEquals(1, parts.called.size());
        assertNull(last.slot(), "two at most");
        assertEquals(2, parts.slabs.freeInUse(slots[0].sizeClass()));
    }

    @Test
    void thoseThatTheRoomIsTooSmallForAreNotCalled() {
        parts.carve(32 << 10);
        long room = parts.regions.room();
        WaitQueue.Waiter tooLarge = parts.waiter(48 << 10, other);
        WaitQueue.Waiter fits = parts.waiter(16 << 10, other);
        parts.handOff.offerRoom();
        assertEquals(0, room, "the first region is all there is");
        assertEquals(0, tooLarge.calls());
        assertEquals(0, fits.calls());
    }

    /** A region that is unused serves as many of one class as it has slots for. */
    @Test
    void aRegionIsRoomForSeveralOfOneClass() {
        parts.giveBack(parts.carve(16 << 10));
        parts.wakeUp(16 << 10, nothing());
        parts.wakeUp(16 << 10, nothing());
        parts.wakeUp(48 << 10, nothing());
        parts.handOff.offerRoom();
        assertEquals(2, parts.called.size());
        assertEquals(1, parts.waitQueue.size());
    }

    @Test
    void roomIsPromisedOnce() {
        WaitQueue.Waiter first = parts.waiter(48 << 10, other);
        WaitQueue.Waiter second = parts.waiter(32 << 10, other);
        WaitQueue.Waiter third = parts.waiter(16 << 10, other);
        parts.handOff.offerRoom(); // 64 KiB
        assertEquals(1, first.calls());
        assertEquals(0, second.calls(), "not beside the first");
        assertEquals(1, third.calls());
    }

    @Test
    void closeCallsEverybody() {
        WaitQueue.Waiter thread = parts.waiter(SIZE, other);
        parts.wakeUp(SIZE, nothing());
        parts.handOff.callAll();
        assertEquals(1, thread.calls());
        assertEquals(1, parts.called.size());
        assertTrue(parts.handOff.hasWaiters(), "a thread leaves by itself");
    }

    @Test
    void untouchedSlotsLeaveTheirSlabIdle() {
        Slot[] slots = all(SIZE);
        parts.giveBack(slots);
        long idle = parts.slabs.idleSince(slots[0].slab, 1_000);
        Slot one = parts.slabs.take(parts.classes.classOf(SIZE), 1);
        assertNotNull(one);
        parts.slabs.idleSince(one.slab, 2_000);
        parts.handOff.giveBack(one, true);
        assertEquals(2_000, parts.slabs.idleSince(one.slab, 3_000));
        assertEquals(1_000, idle);
    }

    /** While another thread moves slots nobody sees them, and a refusal would be wrong. */
    @Test
    void anAcquireWaitsForWhatOthersAreMoving() {
        assertFalse(parts.handOff.awaitTransit(), "nobody moves anything");
        Eventually.holds("it sees a move that ends while it waits", () -> {
            CountDownLatch moving = new CountDownLatch(1);
            Thread mover = Threads.start(() -> parts.handOff.track(() -> {
                moving.countDown();
                LockSupport.parkNanos(100_000);
            }));
            try {
                moving.await();
                boolean moved = parts.handOff.awaitTransit();
                Threads.join(mover);
                return moved;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertFalse(parts.handOff.awaitTransit());
    }
}
