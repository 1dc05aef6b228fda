package dev.buffers.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One made-up result of each kind, and the interval against tables. */
class RatioTest {
    private static final double[] BASE = {100, 90, 110, 105, 95, 100};

    @Test
    void holdsWhenWhollyAbove() {
        assertEquals(Verdict.HOLDS, times(1.06, 1.10, 1.20, 1.08, 1.07, 1.15).verdict());
    }

    @Test
    void isReversedWhenWhollyBelow() {
        assertEquals(Verdict.REVERSED, times(0.94, 0.90, 0.80, 0.92, 0.95, 0.85).verdict());
    }

    @Test
    void isNoDifferenceWhenWhollyInside() {
        assertEquals(
                Verdict.NO_DIFFERENCE, times(0.96, 1.04, 1.0, 1.01, 0.99, 1.02).verdict());
    }

    @Test
    void isInconclusiveWhenItSticksOut() {
        assertEquals(
                Verdict.INCONCLUSIVE, times(1.04, 1.10, 1.20, 1.08, 1.07, 1.15).verdict());
        assertEquals(
                Verdict.INCONCLUSIVE, times(0.96, 0.90, 0.80, 0.92, 0.95, 0.85).verdict());
        assertEquals(Verdict.INCONCLUSIVE, times(0.5, 2, 1, 1, 1, 1).verdict());
    }

    @Test
    void withSixRoundsTheIntervalIsTheWholeRange() {
        Ratio ratio = times(1.2, 1.1, 1.3, 1.15, 1.25, 1.18);
        assertEquals(1.1, ratio.low(), 1e-9);
        assertEquals(1.3, ratio.high(), 1e-9);
        assertEquals(0.96875, ratio.confidence(), 1e-9);
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
        assertEquals(confidence, Ratio.ofRounds(some, others).confidence(), 1e-9);
    }

    @Test
    void wildRoundsDoNotMoveTheEstimateMuch() {
        assertEquals(1.1, times(1.1, 1.1, 1.1, 1.1, 1.1, 9).estimate(), 1e-9);
    }

    /** By the exact distribution of rank sums (Mann and Whitney 1947, table I: with 5 and 5, U of at most 2 has a chance of 0.016). */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "3, 3, 0.9",
        "4, 4, 0.9714285714",
        "5, 5, 0.9682539683",
        "5, 3, 0.9642857143",
        "10, 10, 0.9567429475"
    })
    void theConfidenceOfForksIsThatOfTheRankSum(int mine, int theirs, double confidence) {
        double[] some = IntStream.range(0, mine).mapToDouble(i -> 100 + i).toArray();
        double[] others = IntStream.range(0, theirs).mapToDouble(i -> 50 + i).toArray();
        assertEquals(confidence, Ratio.ofForks(some, others).confidence(), 1e-6);
    }

    @Test
    void withFiveForksTwoRatiosAreLeftOutAtEitherEnd() {
        Ratio ratio = Ratio.ofForks(new double[] {1, 2, 4, 8, 16}, new double[] {1, 1, 1, 1, 1});
        assertEquals(1, ratio.low(), 1e-9);
        assertEquals(4, ratio.estimate(), 1e-9);
        assertEquals(16, ratio.high(), 1e-9);
        Ratio spread = Ratio.ofForks(new double[] {10, 20, 40, 80, 160}, new double[] {1, 1.1, 1.2, 1.3, 1.4});
        assertEquals(10 / 1.2, spread.low(), 1e-9);
        assertEquals(160 / 1.2, spread.high(), 1e-9);
    }

    @Test
    void theOtherWayRoundItIsTheInverse() {
        Ratio ratio = Ratio.ofForks(new double[] {3, 4, 5}, new double[] {1, 2});
        Ratio inverse =
                Ratio.ofForks(new double[] {1, 2}, new double[] {3, 4, 5}).inverse();
        assertEquals(ratio.low(), inverse.low(), 1e-9);
        assertEquals(ratio.estimate(), inverse.estimate(), 1e-9);
        assertEquals(ratio.high(), inverse.high(), 1e-9);
    }

    @Test
    void refusesWhatCannotBeCompared() {
        assertThrows(IllegalArgumentException.class, () -> Ratio.ofRounds(new double[] {1, 2}, new double[] {1}));
        assertThrows(IllegalArgumentException.class, () -> Ratio.ofRounds(new double[0], new double[0]));
        assertThrows(IllegalArgumentException.class, () -> Ratio.ofRounds(new double[] {0}, new double[] {1}));
        assertThrows(IllegalArgumentException.class, () -> Ratio.ofRounds(new double[] {1}, new double[] {Double.NaN}));
    }

    private static Ratio times(double... ratios) {
        double[] figures = new double[ratios.length];
        for (int i = 0; i < ratios.length; i++) {
            figures[i] = BASE[i] * ratios[i];
        }
        return Ratio.ofRounds(figures, BASE);
    }
}
