package dev.buffers.bench.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.show.Measurement.Load;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which policy is recommended, and what is said about the others. */
class RecommendationTest {
    @Test
    void theDefaultStaysWithinTheNoise() {
        Recommendation recommendation = Recommendation.of(MadeUp.measurements(Map.of()));

        assertEquals(Lane.DIRECT_VIEW, recommendation.policy());
        assertEquals("-Dbuffers.policy=direct-view", recommendation.setting());
        assertTrue(recommendation.reason().contains("within the noise"), recommendation.reason());
        assertTrue(recommendation.details().contains("heap against direct-view: no difference."));
    }

    @Test
    void theBestOfThoseThatBeatItIsTaken() {
        Recommendation recommendation =
                Recommendation.of(MadeUp.measurements(Map.of(Lane.HEAP, 1.15, Lane.HEAP_VIEW, 1.3, Lane.DIRECT, 0.8)));

        assertEquals(Lane.HEAP_VIEW, recommendation.policy());
        assertTrue(recommendation.reason().contains("beats the default"));
        assertTrue(recommendation.details().get(0).startsWith("heap against direct-view: better in requests/s"));
        assertTrue(recommendation.details().get(1).startsWith("direct against direct-view: worse in requests/s"));
        assertTrue(recommendation.details().get(4).startsWith("fresh heap against heap-view: worse in"));
    }

    @Test
    void aRivalIsNeverRecommended() {
        Recommendation recommendation = Recommendation.of(MadeUp.measurements(Map.of(Lane.FRESH_HEAP, 2.0)));

        assertEquals(Lane.DIRECT_VIEW, recommendation.policy());
        assertTrue(recommendation.details().get(4).startsWith("fresh heap against direct-view: better in"));
    }

    @Test
    void whoWinsHereAndLosesThereDoesNotBeatTheDefault() {
        List<Measurement> measurements = MadeUp.measurements(Map.of(Lane.HEAP, 1.3)).stream()
                .map(m -> m.lane() == Lane.HEAP && m.load() == Load.CLOSED_600 ? slower(m) : m)
                .toList();
        Recommendation recommendation = Recommendation.of(measurements);

        assertEquals(Lane.DIRECT_VIEW, recommendation.policy());
        assertTrue(recommendation.reason().contains("loses in another"), recommendation.reason());
    }

    private static Measurement slower(Measurement m) {
        return new Measurement(
                m.lane(),
                m.round(),
                m.load(),
                m.responses(),
                m.rate() / 2,
                m.p50Micros(),
                m.p99Micros(),
                m.cpuMicros(),
                m.allocatedBytes(),
                m.pauses(),
                m.pauseMillis(),
                m.reservedBytes(),
                m.directBytes(),
                m.connects());
    }
}
