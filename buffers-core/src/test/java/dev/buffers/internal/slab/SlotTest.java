// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The state of a slot, step by step (rules S1 to S3 of {@link Slot}). */
class SlotTest {
    private static final int ROUNDS = 20_000;

    private final ByteBuffer view = ByteBuffer.allocate(8);
    private final Slot slot = slot(view);

    private static Slot slot(ByteBuffer view) {
        return new Slot(null, 3, view, new ReferenceQueue<>());
    }

    @Test
    void beginWithStaleStampFails() {
        long stamp = SlotState.stampAfter(slot.stateVolatile());
        assertTrue(slot.begin(stamp));
        slot.endUnused(null);
        assertFalse(slot.begin(stamp), "one generation later");
        assertTrue(SlotState.isFree(slot.stateVolatile()));
    }

    /** Between the end and the return of the view no thread can take the slot. */
    @Test
    void endingSlotCanNeitherBeginNorBeRevoked() {
        assertSame(view, SlabParts.beginAndTake(slot));
        long held = slot.endHold(slot.stateVolatile());
        assertFalse(SlotState.isHeld(held));
        assertFalse(SlotState.isFree(slot.stateVolatile()));
        assertFalse(slot.begin());
        assertFalse(slot.revoke());
        slot.drain();
        slot.free(view, held);
        assertEquals(SlotState.GENERATION, slot.stateVolatile());
        assertSame(view, SlabParts.beginAndTake(slot));
    }

    @Test
    void revokedSlotIsNeverUsedAgain() {
        long stamp = SlotState.stampAfter(slot.stateVolatile());
        assertTrue(slot.revoke());
        assertFalse(slot.revoke(), "once");
        assertFalse(slot.begin());
        assertFalse(slot.begin(stamp));
        slot.drain();
        assertFalse(SlotState.isFree(slot.stateVolatile()));
        assertFalse(SlotState.isHeld(slot.stateVolatile()));
    }

    @Test
    void revokeFailsOnHeldSlotAndLeavesView() {
        assertTrue(slot.begin());
        long held = slot.stateVolatile();
        assertFalse(slot.revoke());
        assertEquals(held, slot.stateVolatile());
        assertSame(view, Peek.view(slot));
    }

    /** S1: FREE to HELD and FREE to REVOKED have one winner together. */
    @Test
    void acquireAndRevocationHaveOneWinner() throws Exception {
        Slot[] slots = new Slot[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            slots[i] = slot(view);
        }
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger revoked = new AtomicInteger();
        Threads.inRounds(
                ROUNDS,
                i -> begun.addAndGet(SlabParts.beginAndTake(slots[i]) != null ? 1 : 0),
                i -> revoked.addAndGet(slots[i].revoke() ? 1 : 0));
        assertEquals(ROUNDS, begun.get() + revoked.get());
    }

    @Test
    void drainMarksHeldSlotOnly() {
        long free = slot.stateVolatile();
        slot.drain();
        assertEquals(free, slot.stateVolatile());
        assertTrue(slot.begin());
        slot.drain();
        assertEquals(free | SlotState.FIRST | SlotState.DRAIN, slot.stateVolatile());
        slot.drain();
        assertEquals(free | SlotState.FIRST | SlotState.DRAIN, slot.endUnused(null));
        assertEquals(free + SlotState.GENERATION, slot.stateVolatile());
    }

    @Test
    void detachedSlotReachesNoMemory() {
        assertTrue(slot.refersTo(view));
        slot.detach();
        assertNull(Peek.view(slot));
        assertTrue(slot.refersTo(null), "it no longer reports its view");
    }

    private static final long FREE = 5 * SlotState.GENERATION;

    private static final long HELD = FREE | SlotState.FIRST;

    /** A thread that reads the state of a slot that is not free must not begin a tenancy with it. */
    @Test
    void stampOfSlotThatIsNotFreeMatchesNoState() {
        assertEquals(HELD, SlotState.stampAfter(FREE));
        for (long state :
                new long[] {HELD, SlotState.endingAfter(FREE), FREE | SlotState.REVOKED, FREE + SlotState.HOLD}) {
            assertFalse((SlotState.stampAfter(state) ^ SlotState.FIRST) == state);
        }
    }

    @Test
    void lastGenerationIsSpentAndDoesNotWrap() {
        long last = SlotState.SPENT - SlotState.GENERATION;
        assertTrue(SlotState.endsForGood(last));
        assertFalse(SlotState.endsPlainly(last));
        assertEquals(SlotState.SPENT, SlotState.freeAfter(last));
        assertTrue(SlotState.endsPlainly(last - SlotState.GENERATION));
    }
}
