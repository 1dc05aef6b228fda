package dev.buffers.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Made-up results of each kind through the one rule. */
class VerdictTest {
    @ParameterizedTest
    @CsvSource({
        "1.06, 1.20, HOLDS",
        "1.0500001, 9, HOLDS",
        "1.05, 9, INCONCLUSIVE",
        "0.80, 0.95, REVERSED",
        "0.80, 0.953, INCONCLUSIVE",
        "0.96, 1.05, NO_DIFFERENCE",
        "0.953, 1.0, NO_DIFFERENCE",
        "0.95, 1.00, INCONCLUSIVE",
        "1.00, 1.06, INCONCLUSIVE",
        "0.50, 2.00, INCONCLUSIVE"
    })
    void thatOneIsBetter(double low, double high, Verdict expected) {
        assertEquals(expected, Verdict.ofBetter(ratio(low, high), Verdict.MATTERS));
    }

    @ParameterizedTest
    @CsvSource({
        "1.51, 2.00, HOLDS",
        "1.06, 1.50, WEAKER",
        "1.40, 1.60, INCONCLUSIVE",
        "1.00, 1.40, INCONCLUSIVE",
        "0.96, 1.04, NO_DIFFERENCE",
        "0.50, 0.90, REVERSED"
    })
    void thatOneIsBetterByHalf(double low, double high, Verdict expected) {
        assertEquals(expected, Verdict.ofBetter(ratio(low, high), 1.5));
    }

    @ParameterizedTest
    @CsvSource({
        "0.96, 1.04, HOLDS",
        "1.06, 1.20, REVERSED",
        "0.50, 0.90, REVERSED",
        "0.90, 1.00, INCONCLUSIVE",
        "1.00, 1.10, INCONCLUSIVE"
    })
    void thatItMakesNoDifference(double low, double high, Verdict expected) {
        assertEquals(expected, Verdict.ofSame(ratio(low, high)));
    }

    @ParameterizedTest
    @CsvSource({
        "HOLDS HOLDS, HOLDS",
        "HOLDS NOT_RUN, HOLDS",
        "HOLDS WEAKER, WEAKER",
        "HOLDS REVERSED, DEPENDS",
        "HOLDS NO_DIFFERENCE, DEPENDS",
        "WEAKER NO_DIFFERENCE INCONCLUSIVE, DEPENDS",
        "HOLDS INCONCLUSIVE, INCONCLUSIVE",
        "REVERSED REVERSED, REVERSED",
        "REVERSED NO_DIFFERENCE, DEPENDS",
        "HOLDS WEAKER INCONCLUSIVE, INCONCLUSIVE",
        "NO_DIFFERENCE NO_DIFFERENCE, NO_DIFFERENCE",
        "NOT_RUN NOT_RUN, NOT_RUN",
        "NOT_RUN NOT_MEASURABLE, NOT_MEASURABLE",
        "NOT_MEASURABLE REVERSED, REVERSED"
    })
    void ofAllSizes(String sizes, Verdict expected) {
        assertEquals(
                expected,
                Verdict.ofAll(
                        Arrays.stream(sizes.split(" ")).map(Verdict::valueOf).toList()));
    }

    @Test
    void tooFewForksSayNothing() {
        double[] two = {20, 21};
        double[] three = {20, 21, 22};
        assertEquals(
                Verdict.INCONCLUSIVE, Ratio.ofForks(two, new double[] {10, 11}).verdict());
        assertEquals(Verdict.INCONCLUSIVE, Verdict.ofSame(Ratio.ofForks(two, two)));
        assertEquals(
                Verdict.HOLDS, Ratio.ofForks(three, new double[] {10, 11, 12}).verdict());
    }

    @Test
    void ofNoSize() {
        assertEquals(Verdict.NOT_RUN, Verdict.ofAll(List.of()));
    }

    @Test
    void aThresholdThatDoesNotMatterIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Verdict.ofBetter(ratio(1, 1), 1.01));
        assertThrows(IllegalArgumentException.class, () -> Verdict.ofBetter(ratio(1, 1), Double.NaN));
    }

    private static Ratio ratio(double low, double high) {
        return new Ratio(low, Math.sqrt(low * high), high, 0.95);
    }
}
