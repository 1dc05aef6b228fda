package dev.buffers.bench.show;

import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.show.Measurement.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measurements as a run would give them, where all servers are alike but for those named. */
final class MadeUp {
    static final int ROUNDS = 6;

    private MadeUp() {}

    /** Six rounds; a server with a factor has that many times the rate, and so much less processor time. */
    static List<Measurement> measurements(Map<Lane, Double> factors) {
        List<Measurement> measurements = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Lane lane : Lane.values()) {
                double factor = factors.getOrDefault(lane, 1.0) * (1 + 0.002 * ((round * 5 + lane.ordinal()) % 7));
                for (Load load : Load.values()) {
                    measurements.add(new Measurement(
                            lane,
                            round,
                            load,
                            1000,
                            20_000 * factor,
                            80,
                            900,
                            40 / factor,
                            700,
                            1,
                            5,
                            1 << 20,
                            1 << 20,
                            600));
                }
            }
        }
        return measurements;
    }

    static Results results(Map<Lane, Double> factors) {
        List<Measurement> measurements = measurements(factors);
        return new Results(
                Environment.here(List.of()),
                ShowPlan.of(ROUNDS, 120, Lane.values().length, false),
                new Results.Files("<folder>", 64, 1 << 23, 14_500),
                9000,
                measurements,
                Recommendation.of(measurements));
    }
}
