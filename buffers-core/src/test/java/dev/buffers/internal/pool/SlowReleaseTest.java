// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Explicit;
import dev.buffers.support.Linked;
import dev.buffers.support.Peek;
import org.junit.jupiter.api.Test;

/** Where the slot of each release that misses goes. */
class SlowReleaseTest {
    private static final int SIZE = 100;

    private PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private Slot slot;

    private Lease lease() {
        slot = parts.carve(SIZE);
        parts.owner.counters.acquired(AcquireOutcome.CARVED, slot.sizeClass());
        return parts.lease(slot);
    }

    private Magazine own() {
        return parts.own();
    }

    private boolean isInSlab() {
        return slot.slab.isUnused();
    }

    private void withoutMagazines() {
        parts = new PoolParts(new Explicit().policy("heap-view").max(1 << 20).threadCache(0));
    }

    private boolean isInDepot() {
        return parts.depot(slot.sizeClass()).takeLoose() == slot;
    }

    private void counted(ReleaseOutcome outcome) {
        PoolStats stats = parts.owner.stats();
        for (ReleaseOutcome each : ReleaseOutcome.values()) {
            assertEquals(each == outcome ? 1 : 0, stats.releases(each), each::toString);
        }
        assertEquals(0, stats.leases());
    }

    @Test
    void slotGoesToMagazineOfThread() {
        assertTrue(lease().release());
        assertEquals(1, own().size());
        assertSame(slot, own().take());
        counted(ReleaseOutcome.RECYCLED);
    }

    @Test
    void fullMagazineGivesBatchToDepot() {
        Magazine own = own();
        while (!own.isFull()) {
            own.put(parts.carve(SIZE));
        }
        int full = own.size();
        lease().release();
        assertSame(slot, own.take(), "the slot itself stays here");
        assertEquals(full / 2, own.size());
        assertEquals(full / 2, Linked.list(parts.depot(0).takeBatch()).size());
    }

    @Test
    void slotGoesToDepotWithoutMagazine() {
        withoutMagazines();
        lease().release();
        assertTrue(isInDepot());
        counted(ReleaseOutcome.RECYCLED);
    }

    @Test
    void drainedSlotGoesToItsSlab() {
        Lease lease = lease();
        slot.drain();
        lease.release();
        assertTrue(isInSlab());
        counted(ReleaseOutcome.RECYCLED);
    }

    @Test
    void slotOfClosedPoolGoesToItsSlab() {
        Lease lease = lease();
        parts.owner.beginClose();
        lease.release();
        assertTrue(isInSlab());
    }

    @Test
    void slotGoesToThreadThatWaitsForItsClass() {
        parts = new PoolParts("heap-view", 64 << 10); // one region
        Lease first = lease();
        Lease second = lease();
        Slot itsSlot = slot;
        WaitQueue.Waiter waiter = parts.waiter(SIZE, new Thread());
        second.release();
        assertSame(itsSlot, waiter.slot());
        assertFalse(parts.waitQueue.hasWaiters());
        first.release();
    }

    @Test
    void lastSlotOfRegionGoesToOldestWaiterOfAnyClass() {
        parts = new PoolParts("heap-view", 64 << 10);
        Lease lease = lease();
        WaitQueue.Waiter oldest = parts.waiter(5000, new Thread());
        WaitQueue.Waiter ofClass = parts.waiter(SIZE, new Thread());
        lease.release();
        assertEquals(parts.classes.classOf(5000), oldest.slot().sizeClass());
        assertNull(ofClass.slot(), "the region was cut anew");
    }

    @Test
    void slotGoesToReturnStackOfItsChannel() {
        ReturnStack stack = new ReturnStack();
        stack.open();
        Lease lease = lease();
        lease.returnTo(stack);
        lease.release();
        assertSame(slot, stack.takeAll());
        assertEquals(0, own().size(), "and nowhere else");
        counted(ReleaseOutcome.RECYCLED);
        Lease late = lease();
        late.returnTo(stack);
        stack.close();
        late.release();
        assertNull(slot.returnStack);
        assertSame(slot, own().take());
    }

    @Test
    void discardedSlotIsRetired() {
        lease().discard();
        assertNull(Peek.view(slot));
        assertEquals(64 << 10, parts.owner.stats().droppedBytes(), "its slab went with it");
        counted(ReleaseOutcome.DISCARDED);
    }

    @Test
    void slotStaysHeldUntilLastLeaseEnds() {
        Lease first = lease();
        PooledBuffer further = first.retain();
        assertFalse(first.release());
        assertEquals(0, own().size());
        assertEquals(0, parts.owner.stats().releases(ReleaseOutcome.RECYCLED));
        assertTrue(further.release());
        assertEquals(1, own().size());
        counted(ReleaseOutcome.RECYCLED);
    }

    @Test
    void zeroOnReleaseOverwritesBytes() {
        parts = new PoolParts(new Explicit().policy("heap-view").max(1 << 20).zero(PoolSettings.Zeroing.RELEASE));
        Lease lease = lease();
        lease.buffer().put(SIZE - 1, (byte) 7);
        lease.release();
        assertEquals(0, Peek.view(own().take()).get(SIZE - 1));
    }

    @Test
    void slotFromChannelIsNotCountedAgain() {
        slot = parts.carve(SIZE);
        slot.returnStack = new ReturnStack();
        parts.giveBackFree(slot);
        assertNull(slot.returnStack);
        assertTrue(isInDepot(), "this thread has no magazine yet");
        own();
        parts.giveBackFree(slot);
        assertSame(slot, own().take());
        parts.waiter(SIZE, new Thread());
        parts.giveBackFree(slot);
        assertEquals(0, own().size(), "somebody waits for it");
        assertEquals(0, parts.owner.stats().releases(ReleaseOutcome.RECYCLED));
    }
}
