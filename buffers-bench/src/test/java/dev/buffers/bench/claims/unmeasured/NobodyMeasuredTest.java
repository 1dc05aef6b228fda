package dev.buffers.bench.claims.unmeasured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.kinds.BufferKind;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Claims F1 to F3 compare what is measured and their lanes work and notice wrong work. */
class NobodyMeasuredTest {
    private static final double QUICK_SECONDS = 6;
    private static final double FULL_SECONDS = 30;

    private final NobodyMeasured family = new NobodyMeasured();

    @Test
    void everyClaimComparesWhatIsMeasured() {
        assertEquals(
                List.of("F1", "F2", "F3"),
                new Catalogue(List.of(family)).claims().stream().map(Claim::id).toList());
        for (Claim claim : family.claims()) {
            for (Claim.Trial trial : claim.trials()) {
                assertTrue(points(Depth.FULL).containsAll(List.of(trial.claimant(), trial.other())), trial.label());
            }
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

    @Test
    void everyWayOfPollutingWorks() throws Exception {
        Experiment experiment = PollutionLane.experiment();
        for (PollutionLane.Op op : PollutionLane.Op.values()) {
            experiment.smoke(PollutionLane.point(BufferKind.direct, op, 3));
        }
    }

    @Test
    void aWrongReadIsNoticed() {
        PollutionLane lane = new PollutionLane();
        lane.kind = BufferKind.heap;
        lane.op = PollutionLane.Op.elements;
        lane.pollute();
        lane.read();
        lane.buffer.put(0, (byte) 1);
        assertThrows(IllegalStateException.class, lane::read);
    }

    @Test
    void aWriteThatIsNotPartialIsNoticed() throws IOException {
        PartialWriteLane lane = new PartialWriteLane();
        lane.kind = BufferKind.heapView;
        lane.size = 512;
        lane.open();
        lane.deliver();
        assertThrows(IOException.class, lane::close);
    }

    @Test
    void theProbeSeesWhatAThreadHolds() throws Exception {
        Map<String, Double> held =
                new HiddenCache().measure(HiddenCache.point(BufferKind.heap, 1 << 20, HiddenCache.LIMITED));
        assertEquals(1 << 20, held.get(HiddenCache.HELD.name()), 1 << 16);
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
