// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
        assertEquals(Verdict.HOLDS, says(Question.of("better 1.5"), estimate(2, 0.01)));
        assertEquals(Verdict.WEAKER, says(Question.of("better 1.5"), estimate(1.3, 0.01)));
        assertEquals(Verdict.OPEN, says(Question.of("better 1.5"), estimate(1.5, 0.01)));
        assertEquals(Verdict.NO_DIFFERENCE, says(Question.of("better 1.5"), estimate(1, 0.005)));
        assertThrows(IllegalArgumentException.class, () -> Question.of("better 1"));
    }

    @Test
    void openQuestionStaysOpenUntilOneSideIsBetter() {
        assertEquals(Verdict.OPEN, says(Question.of("either 1.05"), estimate(0.98, 0.02)));
        assertEquals(Verdict.REVERSED, says(Question.of("either 1.05"), estimate(0.9, 0.01)));
        assertEquals(Verdict.OPEN, says(Question.of("either 1.05"), estimate(1.04, 0.007)));
        assertEquals(Verdict.HOLDS, says(Question.of("either 1"), estimate(1.04, 0.007)));
    }

    @Test
    void aGateAsksForOneSideOnly() {
        assertEquals(Verdict.HOLDS, Verdict.of(Question.of("at-most 1.05"), estimate(0.7, 0.05)));
        assertEquals(Verdict.HOLDS, Verdict.of(Question.of("at-most 1.05"), estimate(1.02, 0.005)));
        assertEquals(Verdict.DOES_NOT_HOLD, Verdict.of(Question.of("at-most 1.05"), estimate(1.1, 0.01)));
        assertEquals(Verdict.OPEN, Verdict.of(Question.of("at-most 1.05"), estimate(1.05, 0.01)));
    }

    @Test
    void withinAsksForBothSides() {
        assertEquals(Verdict.HOLDS, says(Question.of("within 1.05"), estimate(1.01, 0.005)));
        assertEquals(Verdict.DOES_NOT_HOLD, says(Question.of("within 1.05"), estimate(0.8, 0.01)));
        assertEquals(Verdict.DOES_NOT_HOLD, says(Question.of("within 1.05"), estimate(1.2, 0.01)));
        assertEquals(Verdict.OPEN, says(Question.of("within 1.05"), estimate(1.05, 0.01)));
    }

    @Test
    void theSideThatIsAskedAboutMayBeTheBase() {
        Estimate dearer = estimate(1.3, 0.01);
        assertEquals(Verdict.REVERSED, Verdict.of(Question.of("better"), dearer));
        assertEquals(Verdict.HOLDS, Verdict.of(Question.of("base better"), dearer));
        assertEquals(Verdict.DOES_NOT_HOLD, Verdict.of(Question.of("at-most 1.05"), dearer));
        assertEquals(Verdict.HOLDS, Verdict.of(Question.of("base at-most 1.05"), dearer));
        assertEquals(Verdict.HOLDS, Verdict.of(Question.of("base at-most 0.8"), dearer));
        assertEquals(Verdict.DOES_NOT_HOLD, Verdict.of(Question.of("base at-most 0.7"), dearer));
    }

    @Test
    void onePairSaysNothing() {
        assertEquals(Verdict.OPEN, says(Question.EITHER, Estimate.of(0.5)));
        assertEquals(Verdict.OPEN, says(Question.EITHER, Estimate.of()));
    }

    @Test
    void alwaysHoldsOnlyIfAllSizesDo() {
        assertEquals("holds", all(1.2, 1.3));
        assertEquals("no difference", all(1, 1));
        assertEquals("reversed", all(0.8, 0.7));
        assertEquals("not run", Verdict.ofAll(Map.of()).toString());
        assertEquals(
                "weaker",
                Verdict.ofAll(sizes(Question.of("better 1.5"), 0.01, 1.3, 2)).toString());
    }

    @Test
    void oneSizeRefutesAlwaysAndIsNamed() {
        assertEquals("does not hold (at size 1)", all(1.2, 1, 1.2));
        assertEquals("does not hold (at size 0, size 2)", all(0.8, 1.2, 0.9));
        Map<String, List<Score>> same = sizes(Question.of("within 1.05"), 0.005, 1, 1.2);
        assertEquals("does not hold (at size 1)", Verdict.ofAll(same).toString());
    }

    @Test
    void claimNotClearlyRefutedIsOpen() {
        assertEquals("open (2 of 3)", all(0.01, 1.2, 1.05, 1.2));
        // 0.99 alone would refute it; with nineteen others it has to be surer
        Map<String, List<Score>> many = sizes(Question.of("better"), 0.017, 0.99, 1.3);
        assertEquals(Verdict.DOES_NOT_HOLD, better(0.99, 0.017));
        for (int i = 2; i < 20; i++) {
            many.put("size " + i, List.of(score(Question.of("better"), estimate(1.3, 0.017))));
        }
        assertEquals("open (19 of 20)", Verdict.ofAll(many).toString());
    }

    @Test
    void shapesThatDisagreeBeyondDoubtDependOnCompilation() {
        assertEquals("depends on compilation (at size)", shapes(1.3, 0.8));
        assertEquals("depends on compilation (at size)", shapes(1.3, 1));
        assertEquals("holds", shapes(1.3, 1.2));
        assertEquals("does not hold (at size)", shapes(0.8, 1));
        assertEquals("open (0 of 1)", shapes(1.3, 1.05));
    }

    @Test
    void aSizeThatIsRefutedInBothShapesRefutesTheClaim() {
        Map<String, List<Score>> sizes = new LinkedHashMap<>();
        sizes.put("512", bothShapes(1.3, 0.8));
        sizes.put("1024", bothShapes(0.8, 0.9));
        assertEquals("does not hold (at 1024)", Verdict.ofAll(sizes).toString());
    }

    private static String shapes(double one, double other) {
        Map<String, List<Score>> sizes = new LinkedHashMap<>();
        sizes.put("size", bothShapes(one, other));
        return Verdict.ofAll(sizes).toString();
    }

    private static List<Score> bothShapes(double one, double other) {
        return List.of(
                score(Question.of("better"), estimate(one, 0.005)),
                score(Question.of("better"), estimate(other, 0.005)));
    }

    /** Of a side that is so many times better. */
    private static Verdict says(Question question, Estimate better) {
        return Verdict.of(question, better.inverse());
    }

    private static Verdict better(double ratio, double error) {
        return says(Question.of("better"), estimate(ratio, error));
    }

    private static String all(double first, double second, double third) {
        return Verdict.ofAll(sizes(Question.of("better"), 0.005, first, second, third))
                .toString();
    }

    private static String all(double first, double second) {
        return Verdict.ofAll(sizes(Question.of("better"), 0.005, first, second)).toString();
    }

    private static String all(double error, double first, double second, double third) {
        return Verdict.ofAll(sizes(Question.of("better"), error, first, second, third))
                .toString();
    }

    private static Map<String, List<Score>> sizes(Question question, double error, double... better) {
        Map<String, List<Score>> sizes = new LinkedHashMap<>();
        for (int i = 0; i < better.length; i++) {
            sizes.put("size " + i, new ArrayList<>(List.of(score(question, estimate(better[i], error)))));
        }
        return sizes;
    }

    /** Of an alternative that is so many times better. */
    private static Score score(Question question, Estimate better) {
        Trial trial = new Trial("", "", "", "", Trial.CPU, 1, question);
        Estimate cost = better.inverse();
        return new Score(trial, 9, 9, cost, cost, Verdict.of(question, cost));
    }

    private static Estimate estimate(double ratio, double error) {
        return new Estimate(9, Math.log(ratio), error);
    }
}
