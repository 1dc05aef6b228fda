// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PooledBuffer;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** P1 and P2 of {@link Lease}: it ends once, even if its slot is in another tenancy by then, and reaches no memory after that. */
class LeaseTest {
    private final BareOwner owner = new BareOwner();
    private final String its = ": pool=" + owner.name() + ", capacity=128; -Dbuffers.guard=on shows both stacks";
    private final String refused = "PooledBuffer already released" + its;
    private final String ended = "PooledBuffer used after its release" + its;
    private final Slot slot = Objects.requireNonNull(owner.slab(0, 1).take());
    private final ByteBuffer view = Peek.view(slot);

    @AfterEach
    void free() {
        owner.close();
    }

    private Lease lease() {
        ByteBuffer taken = Objects.requireNonNull(SlabParts.beginAndTake(slot));
        return new Lease(slot, slot.stateVolatile(), taken, null);
    }

    private static String refusal(Runnable call) {
        return assertThrows(IllegalStateException.class, call::run).getMessage();
    }

    @Test
    void releaseReturnsSlotWithItsView() {
        Lease lease = lease();
        assertNull(Peek.view(slot));
        assertTrue(lease.isOpen());
        assertSame(view, lease.buffer());
        assertTrue(lease.release());
        assertEquals(List.of(slot), owner.takenBack);
        assertSame(view, Peek.view(slot));
    }

    @Test
    void endedLeaseRefusesEveryCall() {
        Lease lease = lease();
        lease.release();
        assertFalse(lease.isOpen());
        assertEquals(refused, refusal(lease::release));
        assertEquals(refused, refusal(lease::discard));
        assertEquals(ended, refusal(lease::buffer));
        assertEquals(ended, refusal(lease::capacity));
        assertEquals(ended, refusal(lease::retain));
        assertEquals(ended, refusal(() -> lease.slice(0, 1)));
        assertEquals("PooledBuffer[ended]", lease.toString());
        lease.close();
        assertEquals(1, owner.takenBack.size());
    }

    /** P2: a user who keeps an ended lease keeps no memory with it. */
    @Test
    void endedLeaseReachesNoView() {
        Slot its = Objects.requireNonNull(owner.slab(0, 1).take());
        WeakReference<ByteBuffer> reached = new WeakReference<>(Peek.view(its));
        Lease alone = new Lease(its, SlotState.stampAfter(its.stateVolatile()), SlabParts.beginAndTake(its), null);
        alone.close();
        Lease first = new Lease(its, SlotState.stampAfter(its.stateVolatile()), SlabParts.beginAndTake(its), null);
        PooledBuffer further = first.retain();
        first.close();
        further.close();
        its.detach();
        Eventually.collected("the view is gone", () -> reached.get() == null);
        assertFalse(alone.isOpen() || first.isOpen() || further.isOpen());
    }

    @Test
    void staleLeaseDoesNotTouchNextTenancy() {
        Lease stale = lease();
        stale.release();
        Lease next = lease();
        stale.close();
        assertThrows(IllegalStateException.class, stale::release);
        assertTrue(next.isOpen());
        assertSame(view, next.buffer());
        assertTrue(next.release());
    }

    @Test
    void slotIsFreeAfterLastOfItsLeases() {
        Lease first = lease();
        PooledBuffer further = first.retain();
        PooledBuffer furthest = further.slice(0, 10);
        assertFalse(first.release());
        assertFalse(further.release());
        assertEquals(refused, refusal(further::release));
        assertTrue(furthest.isOpen());
        assertTrue(furthest.release());
        assertFalse(SlotState.isHeld(slot.stateVolatile()));
        assertEquals(refused, refusal(furthest::release));
    }

    @Test
    void furtherLeaseHasSeparateView() {
        Lease first = lease();
        first.buffer().limit(100).position(10);
        ByteBuffer its = first.retain().buffer();
        assertNotSame(first.buffer(), its);
        assertEquals(10, its.position());
        assertEquals(100, its.limit());
        its.position(0).put((byte) 9);
        assertEquals(9, first.buffer().get(0), "the same memory");
        assertEquals(10, first.buffer().position());
    }

    @Test
    void sliceIsBoundedByCapacity() {
        Lease first = lease();
        first.buffer().limit(20);
        PooledBuffer part = first.slice(100, 28);
        assertEquals(28, part.capacity(), "its bound is the capacity, not the limit");
        for (int[] bad : new int[][] {{-1, 1}, {0, -1}, {101, 28}, {129, 0}}) {
            String message = assertThrows(IndexOutOfBoundsException.class, () -> first.slice(bad[0], bad[1]))
                    .getMessage();
            assertEquals(
                    "slice outside the buffer: index=" + bad[0] + ", length=" + bad[1] + ", capacity=128", message);
        }
    }

    @Test
    void discardMarksStateUntilLastLeaseEnds() {
        Lease first = lease();
        PooledBuffer further = first.retain();
        first.discard();
        assertTrue(SlotState.isDiscarded(slot.stateVolatile()));
        assertTrue(further.isOpen());
        further.close();
    }

    @Test
    void toStringNamesPoolAndCapacity() {
        assertEquals("PooledBuffer[pool=" + owner.name() + ", capacity=128]", lease().toString());
    }

    @Test
    void returnToSetsReturnStackOfSlot() {
        ReturnStack stack = new ReturnStack();
        Lease lease = lease();
        lease.returnTo(stack);
        assertSame(stack, slot.returnStack);
        lease.returnTo(null);
        assertNull(slot.returnStack);
    }
}
