package dev.buffers.bench.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.bench.claims.Claim.Trial;
import dev.buffers.bench.figures.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Made-up measurements through claims: the direction of the ratio, magnitudes, scales, and what was not measured. */
class FindingTest {
    private static final MadeUpExperiment MADE = new MadeUpExperiment("x", 9, point -> 1.0);
    private static final Point ONE = MadeUpExperiment.size("x", 1);
    private static final Point TWO = MadeUpExperiment.size("x", 2);
    private static final Point NINE = MadeUpExperiment.size("x", 9);

    private final Measured measured = new Measured();

    @Test
    void lessTimeIsBetter() {
        times(ONE, 10, 11, 10, 10, 11);
        times(TWO, 20, 21, 22, 20, 21);
        assertEquals(Verdict.HOLDS, find(Trial.better("", ONE, TWO, Figure.TIME)));
        assertEquals(Verdict.REVERSED, find(Trial.better("", TWO, ONE, Figure.TIME)));
        assertEquals(Verdict.HOLDS, find(Trial.better("", ONE, TWO, Figure.RATE)));
        assertEquals(Verdict.REVERSED, find(Trial.same("", ONE, TWO, Figure.TIME)));
    }

    @Test
    void theRatioIsThatOfTheClaimedSide() {
        times(ONE, 10, 10, 10, 10, 10);
        times(TWO, 20, 20, 20, 20, 20);
        Claim claim = new MadeUpClaim("Z1", Trial.better("", ONE, TWO, Figure.TIME));
        Finding finding = Finding.of(claim, measured, Map.of("x", MADE));
        assertEquals(2, Objects.requireNonNull(finding.trials().get(0).ratio()).estimate(), 1e-9);
    }

    @Test
    void aMagnitudeIsHeldOrMissed() {
        times(ONE, 10, 10.1, 10, 10, 10.1);
        times(TWO, 13, 13.1, 13, 13.2, 13);
        assertEquals(Verdict.WEAKER, find(Trial.better("", ONE, TWO, Figure.TIME, 1.5)));
        assertEquals(Verdict.HOLDS, find(Trial.better("", ONE, TWO, Figure.TIME, 1.2)));
    }

    @Test
    void aScaleMakesUnequalWorkComparable() {
        times(ONE, 10, 10.1, 10, 10, 10.1);
        times(TWO, 20, 20.1, 20, 20.2, 20);
        assertEquals(
                Verdict.NO_DIFFERENCE,
                find(Trial.better("", ONE, TWO, Figure.TIME).scaled(2)));
        assertEquals(Verdict.HOLDS, find(Trial.same("", ONE, TWO, Figure.TIME).scaled(2)));
    }

    @Test
    void sayWhyThereIsNoRatio() {
        times(ONE, 10);
        Finding notRun = finding(Trial.better("", ONE, TWO, Figure.TIME));
        assertEquals(Verdict.NOT_RUN, notRun.verdict());
        assertNull(notRun.trials().get(0).ratio());
        Finding notHere = finding(Trial.better("", ONE, NINE, Figure.TIME));
        assertEquals(Verdict.NOT_MEASURABLE, notHere.verdict());
        assertEquals("nine is out of reach", notHere.trials().get(0).why());
        measured.fail(TWO, "it rained");
        Finding failed = finding(Trial.better("", ONE, TWO, Figure.TIME));
        assertEquals(Verdict.NOT_RUN, failed.verdict());
        assertEquals("failed: it rained", failed.trials().get(0).why());
    }

    @Test
    void fewForksSayLittle() {
        times(ONE, 10);
        times(TWO, 20);
        Finding finding = finding(Trial.better("", ONE, TWO, Figure.TIME));
        assertEquals(0, Objects.requireNonNull(finding.trials().get(0).ratio()).confidence());
        assertEquals(Verdict.INCONCLUSIVE, finding.verdict());
    }

    @Test
    void aCatalogueKnowsWhatItCompares() {
        Trial never = Trial.better("", ONE, MadeUpExperiment.size("x", 10), Figure.TIME);
        Trial nowhere = Trial.better("", ONE, MadeUpExperiment.size("y", 1), Figure.TIME);
        Trial nothing = Trial.better("", ONE, TWO, Figure.ALLOCATED);
        for (Trial wrong : List.of(never, nowhere, nothing)) {
            assertThrows(IllegalArgumentException.class, () -> catalogue(new MadeUpClaim("Z1", wrong)));
        }
        Trial right = Trial.better("", ONE, TWO, Figure.TIME);
        assertThrows(
                IllegalArgumentException.class,
                () -> catalogue(new MadeUpClaim("Z1", right), new MadeUpClaim("Z1", right)));
        assertEquals(
                2,
                catalogue(new MadeUpClaim("Z1", right), new MadeUpClaim("Z2", right))
                        .claims()
                        .size());
    }

    private static Catalogue catalogue(Claim... claims) {
        return new Catalogue(List.of(new Family() {
            @Override
            public List<Experiment> experiments() {
                return List.of(MADE);
            }

            @Override
            public List<Claim> claims() {
                return List.of(claims);
            }
        }));
    }

    private Verdict find(Trial trial) {
        return finding(trial).verdict();
    }

    private Finding finding(Trial trial) {
        return Finding.of(new MadeUpClaim("Z1", trial), measured, Map.of("x", MADE));
    }

    private void times(Point point, double... times) {
        for (double time : times) {
            measured.add(point, Map.of("time", time, "rate", 1 / time));
        }
    }
}
