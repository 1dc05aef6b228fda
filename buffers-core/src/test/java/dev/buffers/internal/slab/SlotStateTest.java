// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SlotStateTest {
    private static final long FREE = 5 * SlotState.GENERATION;
    private static final long HELD = FREE | SlotState.FIRST;

    @Test
    void firstLeaseIsOpenOnlyInItsTenancy() {
        assertTrue(SlotState.isFirst(HELD, HELD));
        assertTrue(SlotState.isFirst(HELD + SlotState.HOLD, HELD), "further holds change nothing");
        assertTrue(SlotState.isFirst(HELD | SlotState.DRAIN | SlotState.DISCARD, HELD));
        assertFalse(SlotState.isFirst(FREE + SlotState.HOLD, HELD), "the first has ended, a further one has not");
        assertFalse(SlotState.isFirst(FREE, HELD));
        assertFalse(SlotState.isFirst(HELD + SlotState.GENERATION, HELD));
        assertFalse(SlotState.isFirst(HELD | SlotState.SPENT, HELD));
    }

    @Test
    void endRaisesGenerationAndClearsMarks() {
        long held = FREE | SlotState.DRAIN | SlotState.DISCARD;
        assertEquals(FREE + SlotState.GENERATION, SlotState.freeAfter(held));
        assertEquals(SlotState.freeAfter(held) | SlotState.ENDING, SlotState.endingAfter(held));
        assertFalse(SlotState.sameTenancy(FREE, SlotState.freeAfter(held)));
    }

    @Test
    void stateIsOneOfFreeHeldEndingRevoked() {
        assertState(FREE, true, false);
        assertState(HELD, false, true);
        assertState(FREE | SlotState.HOLD, false, true);
        assertState(FREE | SlotState.HOLDS | SlotState.DRAIN | SlotState.DISCARD, false, true);
        assertState(SlotState.endingAfter(FREE), false, false);
        assertState(FREE | SlotState.REVOKED, false, false);
    }

    private static void assertState(long state, boolean free, boolean held) {
        assertEquals(free, SlotState.isFree(state));
        assertEquals(held, SlotState.isHeld(state));
    }

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

    @Test
    void markedTenancyDoesNotEndPlainly() {
        assertEnds(FREE, true, false);
        assertEnds(FREE | SlotState.DRAIN, false, false);
        assertEnds(FREE | SlotState.DISCARD, false, true);
        assertEnds(FREE | SlotState.DISCARD | SlotState.DRAIN, false, true);
    }

    private static void assertEnds(long held, boolean plainly, boolean forGood) {
        assertEquals(plainly, SlotState.endsPlainly(held));
        assertEquals(forGood, SlotState.endsForGood(held));
        assertEquals((held & SlotState.DISCARD) != 0, SlotState.isDiscarded(held));
        assertEquals((held & SlotState.DRAIN) != 0, SlotState.isDraining(held));
    }

    @Test
    void holdsFillTheirFieldAndNoOther() {
        long full = FREE | SlotState.HOLDS;
        assertEquals(SlotState.HOLDS, full & SlotState.HELD);
        assertEquals(SlotState.DRAIN, SlotState.HOLDS + SlotState.HOLD, "the next one would carry into the drain bit");
        assertTrue(SlotState.sameTenancy(full, FREE));
        assertFalse(SlotState.sameTenancy(0, SlotState.SPENT));
    }
}
