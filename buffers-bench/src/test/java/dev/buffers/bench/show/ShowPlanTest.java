package dev.buffers.bench.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A plan takes the time it was given. */
class ShowPlanTest {
    @Test
    void takesAboutTheTimeItWasGiven() {
        assertEquals(120, ShowPlan.of(6, 120, 7, false).seconds(7), 2);
        assertEquals(300, ShowPlan.of(10, 300, 7, false).seconds(7), 2);
        assertTrue(ShowPlan.quick(7).seconds(7) <= 25);
    }

    @Test
    void needsFiveRounds() {
        assertThrows(IllegalArgumentException.class, () -> ShowPlan.of(4, 120, 7, false));
    }
}
