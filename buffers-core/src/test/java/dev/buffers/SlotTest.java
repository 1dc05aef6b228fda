package dev.buffers;

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
        assertFalse(Slot.isHeld(free));
        assertSame(view, slot.beginAndTake());
        long stamp = slot.stateVolatile();
        assertEquals(free | Slot.FIRST, stamp);
        assertTrue(Slot.isHeld(stamp));
        assertTrue(slot.isOpen(stamp));
        assertNull(slot.viewVolatile());
        assertEquals(stamp, slot.endUnused());
        assertEquals(free + Slot.GENERATION, slot.stateVolatile());
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
        assertEquals(free | Slot.DRAIN, slot.stateVolatile());
        assertTrue(Slot.isAbandoned(slot.stateVolatile()));
        assertTrue(Slot.sameTenancy(free, slot.stateVolatile()));
        assertFalse(Slot.isHeld(slot.stateVolatile()));
    }

    @Test
    void onlyADroppedSlotIsAbandoned() {
        assertFalse(Slot.isAbandoned(0));
        assertFalse(Slot.isAbandoned(Slot.DRAIN | Slot.FIRST));
        assertFalse(Slot.isAbandoned(Slot.DRAIN | Slot.HOLD));
        assertTrue(Slot.isAbandoned(Slot.DRAIN));
    }

    @Test
    void aFirstLeaseIsOpenWhateverElseHappensToItsTenancy() {
        long stamp = 5 * Slot.GENERATION | Slot.FIRST;
        assertTrue(Slot.isFirst(stamp, stamp));
        assertTrue(Slot.isFirst(stamp + 7 * Slot.HOLD, stamp));
        assertTrue(Slot.isFirst(stamp | Slot.DRAIN | Slot.DISCARD, stamp));
        assertFalse(Slot.isFirst(stamp & ~Slot.FIRST | Slot.HOLD, stamp));
        assertFalse(Slot.isFirst(stamp + Slot.GENERATION, stamp));
        assertFalse(Slot.isFirst(stamp | Slot.SPENT, stamp));
    }

    @Test
    void theLastHoldTakesAllMarksWithItAndRaisesTheGeneration() {
        long held = 5 * Slot.GENERATION | Slot.FIRST | Slot.DRAIN | Slot.DISCARD | 3 * Slot.HOLD;
        assertEquals(6 * Slot.GENERATION, Slot.afterLast(held));
        assertEquals(Slot.SPENT, Slot.afterLast(Long.MAX_VALUE), "the generation wraps into `spent`");
    }

    @Test
    void howATenancyEnds() {
        long last = Long.MAX_VALUE & -Slot.GENERATION | Slot.FIRST;
        assertEnds(Slot.FIRST, true, false);
        assertEnds(5 * Slot.GENERATION | Slot.FIRST, true, false);
        assertEnds(Slot.FIRST | Slot.DRAIN, false, false);
        assertEnds(Slot.FIRST | Slot.DISCARD, false, true);
        assertEnds(Slot.FIRST | Slot.DISCARD | Slot.DRAIN, false, true);
        assertEnds(last, false, true);
        assertEnds(last - Slot.GENERATION, true, false);
        assertEnds(Slot.SPENT | Slot.FIRST, false, true);
    }

    private static void assertEnds(long held, boolean plainly, boolean forGood) {
        assertEquals(plainly, Slot.endsPlainly(held));
        assertEquals(forGood, Slot.endsForGood(held));
        assertEquals((held & Slot.DISCARD) != 0, Slot.isDiscarded(held));
        assertEquals((held & Slot.DRAIN) != 0, Slot.isDraining(held));
    }

    @Test
    void heldByAnyLease() {
        assertFalse(Slot.isHeld(0));
        assertFalse(Slot.isHeld(9 * Slot.GENERATION | Slot.DRAIN | Slot.DISCARD | Slot.SPENT));
        assertTrue(Slot.isHeld(Slot.FIRST));
        assertTrue(Slot.isHeld(Slot.HOLD));
        assertTrue(Slot.isHeld(Slot.HOLDS));
    }

    @Test
    void aTenancyIsAGeneration() {
        assertTrue(Slot.sameTenancy(Slot.FIRST, Slot.HOLD | Slot.DRAIN | Slot.DISCARD));
        assertFalse(Slot.sameTenancy(Slot.FIRST, Slot.GENERATION | Slot.FIRST));
        assertFalse(Slot.sameTenancy(0, Slot.SPENT));
    }

    @Test
    void onlyWhatIsHeldDrains() {
        long free = slot.stateVolatile();
        slot.drain();
        assertEquals(free, slot.stateVolatile());
        assertSame(view, slot.beginAndTake());
        slot.drain();
        assertEquals(free | Slot.FIRST | Slot.DRAIN, slot.stateVolatile());
        slot.drain();
        assertEquals(free | Slot.FIRST | Slot.DRAIN, slot.stateVolatile());
        assertEquals(free | Slot.FIRST | Slot.DRAIN, slot.endUnused());
        assertEquals(free + Slot.GENERATION, slot.stateVolatile());
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
        PooledBuffer lease = recycled.recycled();
        assertNotNull(lease);
        assertSame(view, recycled.beginAndTake());
        lease.reopen(recycled.stateVolatile(), view); // so that nothing but its view will say that it is not open
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
