package dev.buffers.bench.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.bench.show.Verdict.Word;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One made-up result of each kind, and the interval against tables. */
class VerdictTest {
    private static final double[] BASE = {100, 90, 110, 105, 95, 100};

    @Test
    void holdsWhenWhollyAbove() {
        assertEquals(Word.HOLDS, times(1.06, 1.10, 1.20, 1.08, 1.07, 1.15).word());
    }

    @Test
    void isReversedWhenWhollyBelow() {
        assertEquals(Word.REVERSED, times(0.94, 0.90, 0.80, 0.92, 0.95, 0.85).word());
    }

    @Test
    void isNoDifferenceWhenWhollyInside() {
        assertEquals(
                Word.NO_DIFFERENCE, times(0.96, 1.04, 1.0, 1.01, 0.99, 1.02).word());
    }

    @Test
    void isInconclusiveWhenItSticksOut() {
        assertEquals(
                Word.INCONCLUSIVE, times(1.04, 1.10, 1.20, 1.08, 1.07, 1.15).word());
        assertEquals(
                Word.INCONCLUSIVE, times(0.96, 0.90, 0.80, 0.92, 0.95, 0.85).word());
        assertEquals(Word.INCONCLUSIVE, times(0.5, 2, 1, 1, 1, 1).word());
    }

    @Test
    void withSixRoundsTheIntervalIsTheWholeRange() {
        Verdict verdict = times(1.2, 1.1, 1.3, 1.15, 1.25, 1.18);
        assertEquals(1.1, verdict.low(), 1e-9);
        assertEquals(1.3, verdict.high(), 1e-9);
        assertEquals(0.96875, verdict.confidence(), 1e-9);
    }

    /** Confidence by the exact distribution of signed ranks; the first that reaches 95 %, or the best that there is. */
    @ParameterizedTest
    @CsvSource({"1, 0", "5, 0.9375", "6, 0.96875", "7, 0.953125", "8, 0.9609375", "10, 0.951171875"})
    void theConfidenceIsThatOfWilcoxon(int rounds, double confidence) {
        double[] some = new double[rounds];
        double[] others = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            some[i] = 100 + i;
            others[i] = 100;
        }
        assertEquals(confidence, Verdict.of(some, others).confidence(), 1e-9);
    }

    @Test
    void wildRoundsDoNotMoveTheEstimateMuch() {
        assertEquals(1.1, times(1.1, 1.1, 1.1, 1.1, 1.1, 9).estimate(), 1e-9);
    }

    @Test
    void refusesWhatCannotBeCompared() {
        assertThrows(IllegalArgumentException.class, () -> Verdict.of(new double[] {1, 2}, new double[] {1}));
        assertThrows(IllegalArgumentException.class, () -> Verdict.of(new double[0], new double[0]));
        assertThrows(IllegalArgumentException.class, () -> Verdict.of(new double[] {0}, new double[] {1}));
        assertThrows(IllegalArgumentException.class, () -> Verdict.of(new double[] {1}, new double[] {Double.NaN}));
    }

    private static Verdict times(double... ratios) {
        double[] figures = new double[ratios.length];
        for (int i = 0; i < ratios.length; i++) {
            figures[i] = BASE[i] * ratios[i];
        }
        return Verdict.of(figures, BASE);
    }
}
