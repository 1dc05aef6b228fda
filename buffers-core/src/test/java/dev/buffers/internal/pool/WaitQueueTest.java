package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.BareOwner;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitQueueTest {
    private final BareOwner owner = new BareOwner();
    private final WaitQueue queue = new WaitQueue(owner, 2);
    private final IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
    private final Thread other = new Thread(() -> {});

    @AfterEach
    void free() {
        owner.close();
    }

    private WaitQueue.Waiter thread(int sizeClass) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(128, sizeClass, other);
        queue.add(waiter);
        return waiter;
    }

    private WaitQueue.Waiter wakeUp(int sizeClass) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(128, sizeClass, () -> {});
        queue.add(waiter);
        return waiter;
    }

    private Slot slot(int sizeClass) {
        Slab slab = owner.slab(sizeClass, 1);
        return Objects.requireNonNull(slab.take());
    }

    @Test
    void firstComeFirstServedWithinAClass() {
        WaitQueue.Waiter first = thread(0);
        WaitQueue.Waiter second = thread(0);
        Slot slot = slot(0);
        assertTrue(queue.handOver(slot, due));
        assertSame(slot, first.slot());
        assertNotNull(first.view(), "its tenancy has begun");
        assertNull(second.slot());
        assertTrue(queue.isFirst(second));
        assertFalse(queue.remove(first), "it has left with its slot");
    }

    @Test
    void aSlotGoesToItsOwnClassAlone() {
        WaitQueue.Waiter waiter = thread(1);
        assertFalse(queue.handOver(slot(0), due));
        assertNull(waiter.slot());
        assertTrue(queue.hasWaiters(1));
        assertFalse(queue.hasWaiters(0));
    }

    @Test
    void aWakeUpLeavesForTheLineOfThoseThatAreDue() {
        WaitQueue.Waiter waiter = wakeUp(0);
        assertFalse(queue.handOver(slot(0), due), "the slot stays the caller's");
        assertSame(waiter, due.poll());
        assertFalse(queue.hasWaiters());
    }

    @Test
    void aRevokedSlotIsConsumedAndServesNobody() {
        WaitQueue.Waiter waiter = thread(0);
        Slot slot = slot(0);
        slot.getAndSetView(null);
        assertTrue(queue.handOver(slot, due));
        assertNull(waiter.slot());
        assertTrue(queue.isFirst(waiter), "it waits on");
    }

    @Test
    void pressureIsUpWhileAThreadWaitsForASlot() {
        assertFalse(owner.isUnderPressure());
        WaitQueue.Waiter whole = thread(SizeClasses.OVERSIZE);
        assertFalse(owner.isUnderPressure(), "a wait for a region of its own raises none");
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
    void theOldestOfAllClassesIsKnown() {
        WaitQueue.Waiter oldest = thread(1);
        WaitQueue.Waiter second = thread(0);
        WaitQueue.Waiter third = wakeUp(SizeClasses.OVERSIZE);
        assertSame(oldest, queue.oldest());
        assertTrue(queue.isOldest(1));
        assertFalse(queue.isOldest(0));
        assertEquals(List.of(oldest, second, third), queue.all());
        assertEquals(3, queue.tickets());
    }

    @Test
    void aCalledThreadKeepsItsPlace() {
        WaitQueue.Waiter waiter = thread(0);
        assertEquals(0, waiter.calls());
        assertTrue(queue.call(waiter, due));
        assertEquals(1, waiter.calls());
        assertTrue(queue.isFirst(waiter));
        queue.remove(waiter);
        assertFalse(queue.call(waiter, due), "it waits no more");
    }

    @Test
    void aCalledWakeUpLeavesAndIsDue() {
        WaitQueue.Waiter wake = wakeUp(1);
        assertTrue(queue.call(wake, due));
        assertSame(wake, due.poll());
        assertTrue(due.isEmpty());
        assertFalse(queue.hasWaiters(1));
        assertFalse(queue.call(wake, due));
    }
}
