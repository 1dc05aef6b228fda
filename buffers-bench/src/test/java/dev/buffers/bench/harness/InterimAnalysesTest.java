// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Five analyses are wrong no more often than one would be. */
class InterimAnalysesTest {
    private static final int RUNS = 20_000;
    private static final double SPREAD = 0.02;

    @Test
    void analysesComeAtFiveNumbersOfPairs() {
        assertEquals(0, InterimAnalyses.last(4));
        assertEquals(5, InterimAnalyses.last(6));
        assertEquals(16, InterimAnalyses.last(40));
        assertFalse(InterimAnalyses.isAnalysis(0));
        assertFalse(InterimAnalyses.isAnalysis(6));
        assertTrue(InterimAnalyses.isAnalysis(7));
    }

    @Test
    void levelBetweenKnownOnesIsOnSafeSide() {
        assertEquals(0.0154, InterimAnalyses.level(0.05));
        assertEquals(0.05 / 3 * 0.26, InterimAnalyses.level(0.05 / 3), 1e-12);
        assertEquals(0.0001 / 5, InterimAnalyses.level(0.0001), 1e-12);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.05, 0.01})
    void theIntervalsOfARunHoldTheTruthInAllButAFew(double wrong) {
        double error = 3 * Math.sqrt(wrong * (1 - wrong) / RUNS);
        double misses = share(17, 0.3, estimate -> !estimate.interval(wrong).holds(Math.exp(0.3)));
        assertTrue(misses <= wrong + error, () -> "misses=" + misses);
        assertTrue(misses >= wrong - error - 0.1 * wrong, () -> "too careful: misses=" + misses);
    }

    @Tag("full")
    @Test
    void noVerdictIsWrongMoreOftenThanAllowed() {
        double edge = Math.log(Verdict.MATTERS);
        double error = 3 * Math.sqrt(0.05 * 0.95 / RUNS);
        double holds = share(18, edge, one -> says(Question.EITHER, one) == Verdict.HOLDS);
        assertTrue(holds <= 0.025 + error, () -> "holds=" + holds);
        double same = share(19, edge, one -> says(Question.EITHER, one) == Verdict.NO_DIFFERENCE);
        assertTrue(same <= 0.05 + error, () -> "same=" + same);
        double either = share(23, 0, one -> says(Question.of("either 1"), one) == Verdict.HOLDS);
        assertTrue(either <= 0.025 + error, () -> "either=" + either);
        double within = share(24, edge, one -> says(Question.of("within"), one) == Verdict.HOLDS);
        assertTrue(within <= 0.05 + error, () -> "within=" + within);
        double passed = share(20, edge, one -> says(Question.of("at-most"), one.inverse()) == Verdict.HOLDS);
        assertTrue(passed <= 0.05 + error, () -> "passed=" + passed);
    }

    @Test
    void findsTenPercentAndNoDifference() {
        double holds = share(21, Math.log(1.1), one -> says(Question.EITHER, one) == Verdict.HOLDS);
        assertTrue(holds > 0.99, () -> "holds=" + holds);
        double same = share(22, 0, one -> says(Question.EITHER, one) == Verdict.NO_DIFFERENCE);
        assertTrue(same > 0.99, () -> "same=" + same);
    }

    /** Of a side that is so many times better. */
    private static Verdict says(Question question, Estimate better) {
        return Verdict.of(question, better.inverse());
    }

    /** The share of runs in which one of the analyses says it. */
    private static double share(long seed, double truth, Predicate<Estimate> says) {
        Random random = new Random(seed);
        int found = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] logs = new double[InterimAnalyses.LAST];
            boolean said = false;
            for (int pairs = 1; pairs <= InterimAnalyses.LAST && !said; pairs++) {
                logs[pairs - 1] = truth + SPREAD * random.nextGaussian();
                said = InterimAnalyses.isAnalysis(pairs) && says.test(Estimate.of(Arrays.copyOf(logs, pairs)));
            }
            found += said ? 1 : 0;
        }
        return (double) found / RUNS;
    }
}
