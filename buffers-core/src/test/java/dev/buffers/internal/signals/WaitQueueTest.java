// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabParts;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.BareOwner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitQueueTest {
    private final BareOwner owner = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            callbacks().call(callback);
        }
    };
    private final WaitQueue queue = new WaitQueue(owner, 2);
    private final IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
    private final Thread other = new Thread(() -> {});

    @AfterEach
    void free() {
        owner.close();
    }

    private WaitQueue.Waiter thread(int bytes, int sizeClass) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(bytes, sizeClass, other);
        queue.add(waiter);
        return waiter;
    }

    private WaitQueue.Waiter thread(int sizeClass) {
        return thread(128, sizeClass);
    }

    private WaitQueue.Waiter wakeUp(int sizeClass) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(128, sizeClass, () -> {});
        queue.add(waiter);
        return waiter;
    }

    private Slot slot(int sizeClass) {
        return SlabParts.take(owner.slab(sizeClass, 1));
    }

    @Test
    void handOverBeginsTenancyForFirstThreadOfClass() {
        WaitQueue.Waiter first = thread(0);
        WaitQueue.Waiter second = thread(0);
        Slot slot = slot(0);
        assertTrue(queue.handOver(slot, due));
        assertSame(slot, first.slot());
        assertTrue(SlotState.isHeld(slot.stateVolatile()));
        assertNull(second.slot());
        assertSame(second, queue.oldestAfter(-1));
        assertFalse(queue.remove(first), "it has left with its slot");
        assertEquals(1, queue.size());
    }

    @Test
    void handOverServesOnlyClassOfSlot() {
        WaitQueue.Waiter waiter = thread(1);
        Slot slot = slot(0);
        assertFalse(queue.handOver(slot, due));
        assertNull(waiter.slot());
        assertTrue(SlotState.isFree(slot.stateVolatile()));
        assertTrue(queue.hasWaiters(1));
        assertFalse(queue.hasWaiters(0));
    }

    /** Of waiters without a class, a large one holds up none that needs less than half as much. */
    @Test
    void largeWaiterDoesNotHoldUpSmallOnes() {
        WaitQueue.Waiter large = thread(1 << 20, SizeClasses.OVERSIZE);
        WaitQueue.Waiter small = thread(100, SizeClasses.OVERSIZE);
        assertSame(large, queue.oldestAfter(-1));
        assertSame(small, queue.oldestAfter(large.ticket()));
        assertEquals(100, queue.leastBytes());
        Slot slot = slot(SizeClasses.OVERSIZE);
        assertTrue(queue.handOver(slot, due));
        assertSame(slot, small.slot());
        assertTrue(queue.hasWaiters(SizeClasses.OVERSIZE));
        assertTrue(queue.remove(large));
        assertFalse(queue.hasWaiters(SizeClasses.OVERSIZE));
    }

    @Test
    void oldestWaiterThatSlotSufficesForIsServed() {
        WaitQueue.Waiter first = thread(100, SizeClasses.OVERSIZE);
        WaitQueue.Waiter second = thread(20, SizeClasses.OVERSIZE);
        assertTrue(queue.handOver(slot(SizeClasses.OVERSIZE), due));
        assertTrue(queue.handOver(slot(SizeClasses.OVERSIZE), due));
        assertNotNull(first.slot());
        assertNotNull(second.slot());
    }

    /** Slots without a class are of different sizes. */
    @Test
    void handOverServesNoWaiterThatNeedsMore() {
        WaitQueue.Waiter large = thread(129, SizeClasses.OVERSIZE);
        assertFalse(queue.handOver(slot(SizeClasses.OVERSIZE), due));
        assertNull(large.slot());
        queue.remove(large);
        WaitQueue.Waiter fits = thread(128, SizeClasses.OVERSIZE);
        Slot slot = slot(SizeClasses.OVERSIZE);
        assertTrue(queue.handOver(slot, due));
        assertSame(slot, fits.slot());
    }

    @Test
    void handOverToWakeUpLeavesSlotWithCaller() {
        WaitQueue.Waiter waiter = wakeUp(0);
        Slot slot = slot(0);
        assertFalse(queue.handOver(slot, due));
        assertTrue(SlotState.isFree(slot.stateVolatile()));
        assertSame(waiter, due.poll());
        assertFalse(queue.hasWaiters());
    }

    @Test
    void handOverDropsRevokedSlotAndWaiterWaitsOn() {
        WaitQueue.Waiter waiter = thread(0);
        Slot slot = slot(0);
        assertTrue(SlabParts.revoke(slot));
        assertTrue(queue.handOver(slot, due));
        assertNull(waiter.slot());
        assertSame(waiter, queue.oldestAfter(-1));
    }

    @Test
    void removedWaiterIsGivenNoSlot() {
        WaitQueue.Waiter waiter = thread(0);
        assertTrue(queue.remove(waiter));
        assertFalse(queue.remove(waiter));
        assertFalse(queue.handOver(slot(0), due));
        assertNull(waiter.slot());
    }

    @Test
    void pressureIsUpWhileWaiterWaitsForSlotOfClass() {
        assertFalse(owner.isUnderPressure());
        WaitQueue.Waiter whole = thread(SizeClasses.OVERSIZE);
        assertFalse(owner.isUnderPressure(), "a wait for a separate region raises none");
        WaitQueue.Waiter first = thread(0);
        WaitQueue.Waiter second = thread(1);
        assertTrue(owner.isUnderPressure());
        queue.remove(first);
        assertTrue(owner.isUnderPressure());
        queue.remove(second);
        assertFalse(owner.isUnderPressure());
        assertTrue(queue.hasWaiters());
        queue.remove(whole);
        assertEquals(0, queue.size());
    }

    @Test
    void oldestAfterLooksAtFirstWaiterOfEachClass() {
        WaitQueue.Waiter oldest = thread(1);
        WaitQueue.Waiter second = thread(0);
        thread(0);
        WaitQueue.Waiter last = wakeUp(SizeClasses.OVERSIZE);
        assertSame(oldest, queue.oldestAfter(-1));
        assertSame(second, queue.oldestAfter(oldest.ticket()));
        assertSame(last, queue.oldestAfter(second.ticket()), "the second of class 0 waits behind the first");
        assertNull(queue.oldestAfter(last.ticket()));
        assertEquals(4, queue.tickets());
    }

    @Test
    void leastBytesIsThatOfFirstWaiters() {
        assertEquals(0, queue.leastBytes());
        thread(256, 1);
        thread(1, 1);
        assertEquals(256, queue.leastBytes(), "the second one of a class is not its first");
        thread(0, 0);
        assertEquals(1, queue.leastBytes());
    }

    @Test
    void failEndsThatWaitOnly() {
        WaitQueue.Waiter first = thread(0);
        WaitQueue.Waiter second = thread(0);
        IllegalStateException thrown = new IllegalStateException("from the policy");
        queue.fail(first, thrown, true, due);
        assertSame(thrown, first.failure());
        assertNull(second.failure());
        assertSame(second, queue.oldestAfter(-1));
        queue.fail(first, new IllegalStateException("again"), true, due);
        assertSame(thrown, first.failure(), "it has left");
        assertTrue(due.isEmpty());
    }

    @Test
    void lackOfHeapOrStackOfThisThreadEndsNoWait() {
        WaitQueue.Waiter first = thread(0);
        assertFalse(queue.fail(first, new OutOfMemoryError(), true, due));
        assertFalse(queue.fail(first, new StackOverflowError(), false, due));
        assertTrue(queue.hasWaiters());
        assertTrue(queue.fail(first, new StackOverflowError(), true, due));
        assertFalse(queue.hasWaiters());
    }

    @Test
    void failedWakeUpIsDue() {
        WaitQueue.Waiter wake = wakeUp(0);
        queue.fail(wake, new IllegalStateException("from the policy"), true, due);
        assertSame(wake, due.poll());
        assertFalse(queue.hasWaiters());
    }

    @Test
    void wakeAllEndsEachWaitAndCallsWakeUpsInOrder() {
        List<String> called = new ArrayList<>();
        WaitQueue.Waiter thread = thread(0);
        WaitQueue.Waiter other = new WaitQueue.Waiter(1, SizeClasses.OVERSIZE, () -> called.add("oversize"));
        WaitQueue.Waiter one = new WaitQueue.Waiter(1, 0, () -> called.add("class 0"));
        queue.add(other);
        queue.add(one);
        queue.wakeAll();
        assertEquals(List.of("oversize", "class 0"), called);
        assertEquals(0, queue.size());
        assertFalse(queue.remove(thread));
        assertNull(thread.slot());
    }
}
