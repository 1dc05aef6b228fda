package dev.buffers.bench.claims.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Point;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Claims A compare what is measured and their lanes work. */
class KindsOfBufferTest {
    private static final double QUICK_SECONDS = 24;
    private static final double FULL_SECONDS = 200;

    private final KindsOfBuffer family = new KindsOfBuffer();

    @Test
    void everyClaimComparesWhatIsMeasured() {
        List<String> ids =
                new Catalogue(List.of(family)).claims().stream().map(Claim::id).toList();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            expected.add("A" + i);
        }
        assertEquals(expected, ids);
    }

    @Test
    void everyTrialIsRunInFull() {
        for (Claim claim : family.claims()) {
            for (Claim.Trial trial : claim.trials()) {
                assertTrue(points(Depth.FULL).contains(trial.claimant()), claim.id() + " " + trial.claimant());
                assertTrue(points(Depth.FULL).contains(trial.other()), claim.id() + " " + trial.other());
            }
        }
    }

    @Test
    void everyClaimHasATrialInQuick() {
        for (Claim claim : family.claims()) {
            assertTrue(
                    claim.trials().stream()
                            .anyMatch(
                                    trial -> points(Depth.QUICK).containsAll(List.of(trial.claimant(), trial.other()))),
                    claim.id());
        }
    }

    @Test
    void everyQuickPointWorks() throws Exception {
        for (Experiment experiment : family.experiments()) {
            for (Point point : experiment.points(Depth.QUICK)) {
                experiment.smoke(point);
            }
        }
    }

    private Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        family.experiments().forEach(experiment -> points.addAll(experiment.points(depth)));
        return points;
    }

    private double seconds(Depth depth) {
        return family.experiments().stream()
                .mapToDouble(experiment -> experiment.points(depth).stream()
                        .mapToDouble(experiment::seconds)
                        .sum())
                .sum();
    }
}
