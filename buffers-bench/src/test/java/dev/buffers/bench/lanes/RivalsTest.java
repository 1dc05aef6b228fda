package dev.buffers.bench.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Verdict;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The family of the rivals: its catalogue and every lane once over. */
class RivalsTest {
    private final Catalogue catalogue = new Catalogue(List.of(new Rivals()));

    @Test
    void everybodyRunsInTheFirstTwoLanes() {
        for (String lane : List.of(Rivals.MIXED, Rivals.WINDOW1)) {
            Set<Point> points = experiment(lane).points(Depth.FULL);
            assertEquals(Rivals.everybody().length, points.size(), lane);
        }
    }

    @Test
    void everyPointOfTheShortRunWorks() throws Exception {
        for (Experiment experiment : catalogue.experiments().values()) {
            for (Point point : experiment.points(Depth.QUICK)) {
                smoke(experiment, point);
            }
        }
    }

    @Test
    void everyLaneWorks() throws Exception {
        Set<String> seen = new HashSet<>();
        for (Experiment experiment : catalogue.experiments().values()) {
            for (Point point : experiment.points(Depth.FULL)) {
                boolean quick = experiment.points(Depth.QUICK).contains(point);
                if (!quick && seen.add(experiment.id())) {
                    smoke(experiment, point);
                }
            }
        }
    }

    @Test
    void aBarIsMetExactlyWhereItIs() {
        Claim bars = catalogue.claims().stream()
                .filter(claim -> claim.id().equals("F6 bars"))
                .findFirst()
                .orElseThrow();
        assertEquals(Verdict.HOLDS, idle(bars, 79));
        assertEquals(Verdict.REVERSED, idle(bars, 100));
    }

    @Test
    void aLaneWhoseContenderGivesMemoryToTwoAtOnceFails() {
        WindowLane lane = new WindowLane();
        Lane shared = new Lane();
        shared.source = new SameForAll();
        lane.fill(shared);
        assertThrows(IllegalStateException.class, () -> lane.drain(shared));
    }

    @Test
    void aForkAnswers() throws Exception {
        Map<String, Double> figures = Rivals.SHIFT.measure(Rivals.SHIFT.point(Contenders.buffers));
        assertEquals(Set.of(MemoryLane.KEPT.name()), figures.keySet());
        assertTrue(figures.get(MemoryLane.KEPT.name()) >= 1, figures::toString);
    }

    private Verdict idle(Claim bars, double bytes) {
        Measured measured = new Measured();
        for (int fork = 0; fork < 5; fork++) {
            measured.add(Rivals.IDLE.point(Contenders.buffers), Map.of(MemoryLane.KEPT.name(), bytes));
            measured.add(Bars.of(Rivals.IDLE), Map.of(MemoryLane.KEPT.name(), IdleConnectionsLane.BAR));
        }
        return Finding.of(bars, measured, catalogue.experiments()).verdict();
    }

    private static void smoke(Experiment experiment, Point point) throws Exception {
        if (experiment.notMeasurable(point).isEmpty()) {
            experiment.smoke(point);
        }
    }

    private Experiment experiment(String id) {
        return catalogue.experiments().get(id);
    }

    private double seconds(Depth depth) {
        double seconds = 0;
        for (Experiment experiment : catalogue.experiments().values()) {
            for (Point point : experiment.points(depth)) {
                seconds += experiment.seconds(point);
            }
        }
        return seconds;
    }
}
