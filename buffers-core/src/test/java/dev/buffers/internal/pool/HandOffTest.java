// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.Linked;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a free slot goes, and which waiter free memory serves; the waiters are threads that do not run. */
class HandOffTest {
    private static final int SIZE = 4096;

    private PoolParts parts = new PoolParts("heap-view", 64 << 10);
    private final Thread other = new Thread(() -> {});

    /** All memory of the pool, in free slots of this size; at least two. */
    private Slot[] all(int size) {
        int n = (64 << 10) / size;
        Slot first = parts.carve(size);
        first.next = parts.slabs.take(parts.classes.classOf(size), n - 1);
        Slot[] slots = Linked.array(first);
        assertEquals(n, slots.length);
        return slots;
    }

    private static void nothing() {}

    private int freeInSlabs(int size) {
        return Linked.list(parts.slabs.take(parts.classes.classOf(size), 1000)).size();
    }

    @Test
    void slotGoesToItsSlabWithoutWaiters() {
        Slot[] slots = all(SIZE);
        parts.giveBack(slots);
        assertTrue(slots[0].slab.isUnused());
        assertFalse(parts.handOff.waitQueue().hasWaiters());
    }

    @Test
    void slotGoesToFirstThreadThatWaitsForItsClass() {
        Slot[] slots = all(SIZE);
        WaitQueue.Waiter elsewhere = parts.waiter(128, other);
        WaitQueue.Waiter first = parts.waiter(SIZE, other);
        WaitQueue.Waiter second = parts.waiter(SIZE, other);
        parts.giveBack(slots[0]);
        assertSame(slots[0], first.slot());
        assertTrue(SlotState.isHeld(slots[0].stateVolatile()));
        assertNull(second.slot());
        assertNull(elsewhere.slot());
        parts.giveBack(slots[1], slots[2]);
        assertSame(slots[1], second.slot());
        assertEquals(1, freeInSlabs(SIZE), "no thread waits for the third");
    }

    @Test
    void wakeUpIsCalledWhenSlotIsInItsSlab() {
        Slot[] slots = all(SIZE);
        parts.wakeUp(SIZE, HandOffTest::nothing);
        parts.giveBack(slots[0]);
        assertEquals(1, parts.called.size());
        assertFalse(parts.handOff.waitQueue().hasWaiters());
        assertEquals(1, freeInSlabs(SIZE));
    }

    @Test
    void emptiedRegionServesOldestWaiterOfAnyClass() {
        Slot[] slots = all(SIZE);
        WaitQueue.Waiter large = parts.waiter(48 << 10, other);
        WaitQueue.Waiter ofClass = parts.waiter(SIZE, other);
        for (int i = 1; i < slots.length; i++) { // the first stays out
            parts.slabs.giveBack(slots[i]);
        }
        assertNull(large.slot());
        parts.giveBack(slots[0]);
        assertNotNull(large.slot(), "it came first, and the region suffices for it");
        assertNull(ofClass.slot());
    }

    @Test
    void lastSlotOfRegionThatIsTooSmallForOldestServesItsClass() {
        parts = new PoolParts("heap-view", 128 << 10);
        Slot small = parts.carve(SIZE);
        WaitQueue.Waiter tooLarge = parts.waiter(100 << 10, other);
        WaitQueue.Waiter ofClass = parts.waiter(SIZE, other);
        parts.giveBack(small);
        assertSame(small, ofClass.slot());
        assertNull(tooLarge.slot());
    }

    /** It is the error of the thread that serves, deep in its stack. */
    @Test
    void errorOfThreadThatServesEndsNoOtherWait() {
        WaitQueue.Waiter waiter = parts.waiter(SIZE, other);
        parts.handOff.from((bytes, sizeClass, may) -> {
            throw new StackOverflowError("scripted");
        });
        parts.handOff.serve();
        assertNull(waiter.failure());
        assertSame(waiter, parts.waitQueue.oldestAfter(-1));
    }

    @Test
    void serveGivesFreeMemoryInOrderOfArrival() {
        WaitQueue.Waiter first = parts.waiter(16 << 10, other);
        WaitQueue.Waiter second = parts.waiter(SIZE, other);
        WaitQueue.Waiter third = parts.waiter(16 << 10, other);
        parts.handOff.serve(); // one region of 64 KiB, cut for the first
        assertNotNull(first.slot());
        assertNull(second.slot(), "the region is cut for another class");
        assertNotNull(third.slot());
        assertEquals(1, parts.waitQueue.size());
    }

    @Test
    void servePassesOverWaiterThatNothingSufficesFor() {
        parts.carve(32 << 10); // the only region, of two slots
        WaitQueue.Waiter tooLarge = parts.waiter(48 << 10, other);
        WaitQueue.Waiter fits = parts.waiter(32 << 10, other);
        parts.handOff.serve();
        assertNull(tooLarge.slot());
        assertNotNull(fits.slot());
    }

    @Test
    void serveGivesEachWakeUpSeparateSlot() {
        for (int i = 0; i < 6; i++) {
            parts.wakeUp(16 << 10, HandOffTest::nothing);
        }
        parts.handOff.serve();
        assertEquals(4, parts.called.size(), "so many slots the memory has");
        assertEquals(2, parts.waitQueue.size());
        assertEquals(4, freeInSlabs(16 << 10));
    }

    @Test
    void throwingPolicyEndsOnlyItsWait() {
        IllegalStateException thrown = new IllegalStateException("from the policy");
        WaitQueue.Waiter fails = parts.waiter(16 << 10, other);
        WaitQueue.Waiter served = parts.waiter(SIZE, other);
        Slot slot = parts.carve(SIZE);
        parts.handOff.from((bytes, sizeClass, may) -> {
            if (bytes > SIZE) {
                throw thrown;
            }
            return served.slot() == null ? slot : null;
        });
        parts.handOff.serve();
        assertSame(thrown, fails.failure());
        assertNull(fails.slot());
        assertSame(slot, served.slot());
        assertNull(served.failure());
        assertFalse(parts.handOff.waitQueue().hasWaiters());
    }

    @Test
    void serveWithoutHeapEndsNoWait() {
        WaitQueue.Waiter waiter = parts.waiter(SIZE, other);
        parts.handOff.from((bytes, sizeClass, may) -> {
            throw new OutOfMemoryError("none");
        });
        parts.handOff.serve();
        assertNull(waiter.failure());
        assertEquals(1, parts.waitQueue.size(), "the tick serves again");
    }

    /** Each look takes the first waiter of a class: those behind it cost nothing. */
    @Test
    void serveAsksOncePerClassWhateverNumberOfWaiters() {
        List<Integer> asked = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            parts.waiter(128 << i % 5, other);
        }
        parts.handOff.from((bytes, sizeClass, may) -> {
            asked.add(bytes);
            return null;
        });
        parts.handOff.serve();
        assertEquals(List.of(128, 256, 512, 1024, 2048), asked);
    }

    @Test
    void wakeAllCallsWakeUps() {
        parts.waiter(SIZE, other);
        parts.wakeUp(SIZE, HandOffTest::nothing);
        parts.handOff.waitQueue().wakeAll();
        assertEquals(1, parts.called.size());
        assertFalse(parts.handOff.waitQueue().hasWaiters());
    }
}
