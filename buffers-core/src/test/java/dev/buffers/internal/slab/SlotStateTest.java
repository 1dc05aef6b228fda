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
