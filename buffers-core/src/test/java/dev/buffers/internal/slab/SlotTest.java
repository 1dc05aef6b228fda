package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The state of a slot, step by step (rules S1 to S3 of {@link Slot}). */
class SlotTest {
    private final ByteBuffer view = ByteBuffer.allocate(8);
    private final Slot slot = new Slot(null, 3, view, new ReferenceQueue<>(), false);

    @Test
    void aTenancyBeginsAndEnds() {
        long free = slot.stateVolatile();
        assertFalse(SlotState.isHeld(free));
        assertSame(view, slot.beginAndTake());
        long stamp = slot.stateVolatile();
        assertEquals(free | SlotState.FIRST, stamp);
        assertTrue(SlotState.isHeld(stamp));
        assertTrue(slot.isOpen(stamp));
        assertNull(slot.viewVolatile());
        assertEquals(stamp, slot.endUnused());
        assertEquals(free + SlotState.GENERATION, slot.stateVolatile());
        assertFalse(slot.isOpen(stamp));
        slot.viewRelease(view);
        assertSame(view, slot.viewVolatile());
        assertSame(view, slot.beginAndTake());
        assertFalse(slot.isOpen(stamp), "the next tenancy is not the last one's");
        assertTrue(slot.isOpen(slot.stateVolatile()));
    }

    @Test
    void whoFindsNoViewDropsTheSlotInTheSameGeneration() {
        assertSame(view, slot.getAndSetView(null));
        long free = slot.stateVolatile();
        assertNull(slot.beginAndTake());
        assertEquals(free | SlotState.DRAIN, slot.stateVolatile());
        assertTrue(SlotState.isAbandoned(slot.stateVolatile()));
        assertTrue(SlotState.sameTenancy(free, slot.stateVolatile()));
        assertFalse(SlotState.isHeld(slot.stateVolatile()));
    }

    @Test
    void onlyADroppedSlotIsAbandoned() {
        assertFalse(SlotState.isAbandoned(0));
        assertFalse(SlotState.isAbandoned(SlotState.DRAIN | SlotState.FIRST));
        assertFalse(SlotState.isAbandoned(SlotState.DRAIN | SlotState.HOLD));
        assertTrue(SlotState.isAbandoned(SlotState.DRAIN));
    }

    @Test
    void aFirstLeaseIsOpenWhateverElseHappensToItsTenancy() {
        long stamp = 5 * SlotState.GENERATION | SlotState.FIRST;
        assertTrue(SlotState.isFirst(stamp, stamp));
        assertTrue(SlotState.isFirst(stamp + 7 * SlotState.HOLD, stamp));
        assertTrue(SlotState.isFirst(stamp | SlotState.DRAIN | SlotState.DISCARD, stamp));
        assertFalse(SlotState.isFirst(stamp & ~SlotState.FIRST | SlotState.HOLD, stamp));
        assertFalse(SlotState.isFirst(stamp + SlotState.GENERATION, stamp));
        assertFalse(SlotState.isFirst(stamp | SlotState.SPENT, stamp));
    }

    @Test
    void theLastHoldTakesAllMarksWithItAndRaisesTheGeneration() {
        long held =
                5 * SlotState.GENERATION | SlotState.FIRST | SlotState.DRAIN | SlotState.DISCARD | 3 * SlotState.HOLD;
        assertEquals(6 * SlotState.GENERATION, SlotState.afterLast(held));
        assertEquals(SlotState.SPENT, SlotState.afterLast(Long.MAX_VALUE), "the generation wraps into `spent`");
    }

    @Test
    void howATenancyEnds() {
        long last = Long.MAX_VALUE & -SlotState.GENERATION | SlotState.FIRST;
        assertEnds(SlotState.FIRST, true, false);
        assertEnds(5 * SlotState.GENERATION | SlotState.FIRST, true, false);
        assertEnds(SlotState.FIRST | SlotState.DRAIN, false, false);
        assertEnds(SlotState.FIRST | SlotState.DISCARD, false, true);
        assertEnds(SlotState.FIRST | SlotState.DISCARD | SlotState.DRAIN, false, true);
        assertEnds(last, false, true);
        assertEnds(last - SlotState.GENERATION, true, false);
        assertEnds(SlotState.SPENT | SlotState.FIRST, false, true);
    }

    private static void assertEnds(long held, boolean plainly, boolean forGood) {
        assertEquals(plainly, SlotState.endsPlainly(held));
        assertEquals(forGood, SlotState.endsForGood(held));
        assertEquals((held & SlotState.DISCARD) != 0, SlotState.isDiscarded(held));
        assertEquals((held & SlotState.DRAIN) != 0, SlotState.isDraining(held));
    }

    @Test
    void heldByAnyLease() {
        assertFalse(SlotState.isHeld(0));
        assertFalse(SlotState.isHeld(9 * SlotState.GENERATION | SlotState.DRAIN | SlotState.DISCARD | SlotState.SPENT));
        assertTrue(SlotState.isHeld(SlotState.FIRST));
        assertTrue(SlotState.isHeld(SlotState.HOLD));
        assertTrue(SlotState.isHeld(SlotState.HOLDS));
    }

    @Test
    void aTenancyIsAGeneration() {
        assertTrue(SlotState.sameTenancy(SlotState.FIRST, SlotState.HOLD | SlotState.DRAIN | SlotState.DISCARD));
        assertFalse(SlotState.sameTenancy(SlotState.FIRST, SlotState.GENERATION | SlotState.FIRST));
        assertFalse(SlotState.sameTenancy(0, SlotState.SPENT));
    }

    @Test
    void onlyWhatIsHeldDrains() {
        long free = slot.stateVolatile();
        slot.drain();
        assertEquals(free, slot.stateVolatile());
        assertSame(view, slot.beginAndTake());
        slot.drain();
        assertEquals(free | SlotState.FIRST | SlotState.DRAIN, slot.stateVolatile());
        slot.drain();
        assertEquals(free | SlotState.FIRST | SlotState.DRAIN, slot.stateVolatile());
        assertEquals(free | SlotState.FIRST | SlotState.DRAIN, slot.endUnused());
        assertEquals(free + SlotState.GENERATION, slot.stateVolatile());
    }

    @Test
    void aForgottenSlotReachesNothing() {
        assertFalse(slot.isRecycled());
        assertTrue(slot.refersTo(view));
        slot.detach();
        assertNull(slot.viewVolatile());
        assertTrue(slot.refersTo(null), "it is no longer told of its view");
        Slot recycled = new Slot(null, 0, view, new ReferenceQueue<>(), true);
        assertTrue(recycled.isRecycled());
        Lease lease = recycled.recycled();
        assertNotNull(lease);
        assertSame(view, recycled.beginAndTake());
        lease.reopen(recycled.stateVolatile(), view, null); // so that nothing but its view will say that it is not open
        assertTrue(lease.isOpen());
        recycled.detach();
        assertFalse(lease.isOpen());
    }

    @Test
    void theViewIsComparedAndSet() {
        ByteBuffer other = ByteBuffer.allocate(1);
        assertFalse(slot.compareAndSetView(null, other));
        assertSame(view, slot.viewVolatile());
        assertTrue(slot.compareAndSetView(view, null));
        assertTrue(slot.compareAndSetView(null, other));
        assertSame(other, slot.viewVolatile());
        assertFalse(slot.compareAndSetState(1, 2));
        assertTrue(slot.compareAndSetState(0, 2));
        assertEquals(2, slot.stateVolatile());
    }
}
