package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SlotStateTest {
    private static final long FREE = 5 * SlotState.GENERATION;
    private static final long HELD = FREE | SlotState.FIRST;

    @Test
    void aFirstLeaseIsOpenInItsOwnTenancyAlone() {
        assertTrue(SlotState.isFirst(HELD, HELD));
        assertTrue(SlotState.isFirst(HELD + SlotState.HOLD, HELD), "further holds change nothing");
        assertTrue(SlotState.isFirst(HELD | SlotState.DRAIN | SlotState.DISCARD, HELD));
        assertFalse(SlotState.isFirst(FREE + SlotState.HOLD, HELD), "it has ended, a further one has not");
        assertFalse(SlotState.isFirst(FREE, HELD));
        assertFalse(SlotState.isFirst(HELD + SlotState.GENERATION, HELD));
    }

    @Test
    void theEndOfATenancyRaisesTheGenerationAndClearsTheRest() {
        long after = SlotState.afterLast(FREE | SlotState.DRAIN | SlotState.DISCARD);
        assertEquals(FREE + SlotState.GENERATION, after);
        assertFalse(SlotState.isHeld(after));
        assertFalse(SlotState.sameTenancy(FREE, after));
    }

    @Test
    void theLastGenerationIsSpentAndDoesNotWrap() {
        long last = SlotState.SPENT - SlotState.GENERATION;
        assertTrue(SlotState.endsForGood(last));
        assertFalse(SlotState.endsPlainly(last));
        assertEquals(SlotState.SPENT, SlotState.afterLast(last));
        assertTrue(SlotState.endsPlainly(last - SlotState.GENERATION));
    }

    @Test
    void aMarkedTenancyDoesNotEndPlainly() {
        assertTrue(SlotState.endsPlainly(FREE));
        assertFalse(SlotState.endsPlainly(FREE | SlotState.DRAIN));
        assertFalse(SlotState.endsPlainly(FREE | SlotState.DISCARD));
        assertFalse(SlotState.endsForGood(FREE | SlotState.DRAIN), "a drained slot is used again");
        assertTrue(SlotState.endsForGood(FREE | SlotState.DISCARD));
    }

    @Test
    void anAbandonedSlotIsFreeAndDrains() {
        assertTrue(SlotState.isAbandoned(FREE | SlotState.DRAIN));
        assertFalse(SlotState.isAbandoned(HELD | SlotState.DRAIN));
        assertFalse(SlotState.isAbandoned(FREE));
    }

    @Test
    void theHoldsFillTheirFieldAndNoOther() {
        long full = FREE | SlotState.HOLDS;
        assertEquals(SlotState.HOLDS, full & SlotState.HELD);
        assertEquals(SlotState.DRAIN, SlotState.HOLDS + SlotState.HOLD, "the next one would carry into the drain bit");
        assertTrue(SlotState.sameTenancy(full, FREE));
    }
}
