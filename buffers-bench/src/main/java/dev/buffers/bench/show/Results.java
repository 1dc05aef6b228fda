package dev.buffers.bench.show;

import dev.buffers.bench.figures.Environment;
import java.util.List;

/** All that a run of the main job found out: what the report is made from. */
record Results(
        Environment environment,
        ShowPlan plan,
        Files files,
        double openRate,
        List<Measurement> measurements,
        Recommendation recommendation) {

    /**
     * What was served.
     *
     * @param meanSize of the answers
     */
    record Files(String root, int count, long bytes, double meanSize) {}

    /** The servers that took part, in the order of tables and charts. */
    List<Lane> lanes() {
        return measurements.stream().map(Measurement::lane).distinct().sorted().toList();
    }

    long pauses(Lane lane) {
        return of(lane).stream().mapToLong(Measurement::pauses).sum();
    }

    long pauseMillis(Lane lane) {
        return of(lane).stream().mapToLong(Measurement::pauseMillis).sum();
    }

    /** The most that the server's pool held after a load. */
    long reservedBytes(Lane lane) {
        return of(lane).stream().mapToLong(Measurement::reservedBytes).max().orElse(0);
    }

    private List<Measurement> of(Lane lane) {
        return measurements.stream().filter(m -> m.lane() == lane).toList();
    }
}
