// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabParts;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WaitQueueTest {
    @AutoClose
    private final BareOwner owner = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            callbacks().call(callback);
        }
    };

    private final WaitQueue queue = new WaitQueue(owner, 2);
    private final IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
    private final Thread other = new Thread(() -> {});

    private WaitQueue.Waiter thread(int bytes, int sizeClass) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(bytes, sizeClass, other);
        queue.add(waiter);
        return waiter;
    }

    private WaitQueue.Waiter thread(int sizeClass) {
        return thread(128, sizeClass);
    }

    private Slot slot(int sizeClass) {
        return SlabParts.take(owner.slab(sizeClass, 1));
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
    void concurrentSignalsDoNotOverwriteEachOther() throws Exception {
        AtomicInteger bits = new AtomicInteger();
        Threads.together(Collections.nCopies(4, () -> {
            int bit = 1 << 16 + bits.getAndIncrement();
            for (int i = 0; i < 1_000_000; i++) {
                owner.signal(bit, true);
                assertTrue((owner.signals & bit) != 0, "another thread has overwritten it");
                owner.signal(bit, false);
            }
        }));
        assertEquals(0, owner.signals);
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
        WaitQueue.Waiter wake = new WaitQueue.Waiter(128, 0, () -> {});
        queue.add(wake);
        queue.fail(wake, new IllegalStateException("from the policy"), true, due);
        assertSame(wake, due.poll());
        assertFalse(queue.hasWaiters());
    }

    /** Without heap or stack to call one, the pool's callback thread calls the others. */
    @Test
    void wakeUpsThatCannotBeCalledAreCalledByCallbackThread() {
        BareOwner failing = new BareOwner() {
            @Override
            public void call(Callbacks.Callback callback) {
                throw new StackOverflowError("on purpose");
            }
        };
        CountDownLatch called = new CountDownLatch(1);
        due.add(new WaitQueue.Waiter(128, 0, () -> {}).link);
        due.add(new WaitQueue.Waiter(128, 0, called::countDown).link);
        assertThrows(StackOverflowError.class, () -> new WaitQueue(failing, 1).call(due));
        Eventually.holds("the rest is called", () -> called.getCount() == 0);
        failing.close();
    }

    @Test
    void turnOfWaiterEndsWithItsWait() {
        WaitQueue.Waiter waiter = thread(0);
        assertTrue(queue.giveTurn(waiter));
        assertFalse(queue.takeTurnEnd());
        queue.remove(waiter);
        assertNull(queue.turn());
        assertTrue(queue.takeTurnEnd());
        assertFalse(queue.takeTurnEnd(), "once");
        assertFalse(queue.giveTurn(waiter), "it has left");
    }
}
