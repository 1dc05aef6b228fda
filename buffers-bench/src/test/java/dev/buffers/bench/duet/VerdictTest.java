package dev.buffers.bench.duet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The one rule for the word. */
class VerdictTest {

    @Test
    void theIntervalMakesTheWord() {
        assertEquals(Verdict.HOLDS, better(1.2, 0.01));
        assertEquals(Verdict.REVERSED, better(0.8, 0.01));
        assertEquals(Verdict.NO_DIFFERENCE, better(1, 0.005));
        assertEquals(Verdict.DOES_NOT_HOLD, better(0.98, 0.02));
        assertEquals(Verdict.OPEN, better(1.05, 0.01));
        assertEquals(Verdict.OPEN, better(1, 0.1));
    }

    @Test
    void aMagnitudeThatIsNotReachedIsWeaker() {
        assertEquals(Verdict.HOLDS, Verdict.ofBetter(estimate(2, 0.01), 1.5));
        assertEquals(Verdict.WEAKER, Verdict.ofBetter(estimate(1.3, 0.01), 1.5));
        assertEquals(Verdict.OPEN, Verdict.ofBetter(estimate(1.5, 0.01), 1.5));
        assertEquals(Verdict.NO_DIFFERENCE, Verdict.ofBetter(estimate(1, 0.005), 1.5));
        assertThrows(IllegalArgumentException.class, () -> Verdict.ofBetter(estimate(1, 0.01), 1));
    }

    @Test
    void whichIsBetterStaysOpenUntilItIsKnown() {
        assertEquals(Verdict.OPEN, Verdict.ofEither(estimate(0.98, 0.02)));
        assertEquals(Verdict.REVERSED, Verdict.ofEither(estimate(0.9, 0.01)));
    }

    @Test
    void aGateAsksForOneSideOnly() {
        assertEquals(Verdict.HOLDS, Verdict.ofAtMost(estimate(0.7, 0.05), 1.05));
        assertEquals(Verdict.HOLDS, Verdict.ofAtMost(estimate(1.02, 0.005), 1.05));
        assertEquals(Verdict.DOES_NOT_HOLD, Verdict.ofAtMost(estimate(1.1, 0.01), 1.05));
        assertEquals(Verdict.OPEN, Verdict.ofAtMost(estimate(1.05, 0.01), 1.05));
    }

    @Test
    void onePairSaysNothing() {
        assertEquals(Verdict.OPEN, Verdict.ofEither(Estimate.of(0.5)));
        assertEquals(Verdict.OPEN, Verdict.ofEither(Estimate.of()));
    }

    @Test
    void alwaysHoldsOnlyIfAllSizesDo() {
        assertEquals("holds", all(1.2, 1.3));
        assertEquals("no difference", all(1, 1));
        assertEquals("reversed", all(0.8, 0.7));
        assertEquals("not run", all());
        assertEquals("weaker", Verdict.ofAll(sizes(0.01, 1.3, 2), 1.5).toString());
    }

    @Test
    void oneSizeRefutesAlwaysAndIsNamed() {
        assertEquals("does not hold (at size 1)", all(1.2, 1, 1.2));
        assertEquals("does not hold (at size 0, size 2)", all(0.8, 1.2, 0.9));
    }

    @Test
    void whatIsNotRefutedBeyondDoubtIsOpen() {
        assertEquals(
                "open (holds at 2 of 3)",
                Verdict.ofAll(sizes(0.01, 1.2, 1.05, 1.2), 1.05).toString());
        // 0.99 alone would refute it; with nineteen others it has to be surer
        Map<String, Estimate> many = sizes(0.017, 0.99, 1.3);
        assertEquals(Verdict.DOES_NOT_HOLD, Verdict.ofBetter(estimate(0.99, 0.017), 1.05));
        for (int i = 2; i < 20; i++) {
            many.put("size " + i, estimate(1.3, 0.017));
        }
        assertEquals("open (holds at 19 of 20)", Verdict.ofAll(many, 1.05).toString());
    }

    private static Verdict better(double ratio, double error) {
        return Verdict.ofBetter(estimate(ratio, error), Verdict.MATTERS);
    }

    private static String all(double... ratios) {
        return Verdict.ofAll(sizes(0.005, ratios), Verdict.MATTERS).toString();
    }

    private static Map<String, Estimate> sizes(double error, double... ratios) {
        Map<String, Estimate> sizes = new LinkedHashMap<>();
        for (int i = 0; i < ratios.length; i++) {
            sizes.put("size " + i, estimate(ratios[i], error));
        }
        return sizes;
    }

    private static Estimate estimate(double ratio, double error) {
        return new Estimate(9, Math.log(ratio), error);
    }
}
