package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No experiment but what the pool's design allows the memory lanes to keep, as points that their claims can be compared with: nothing is
 * run, and every fork says the same.
 */
final class Bars implements Experiment {
    private static final String ID = "bars";
    private static final String LANE = "lane";

    private final Map<String, Double> bytes;

    /** By the lane's id. */
    Bars(Map<String, Double> bytes) {
        this.bytes = Map.copyOf(bytes);
    }

    /** The bar of a lane. */
    static Point of(MemoryLane lane) {
        return Point.of(ID, LANE, lane.id());
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String question() {
        return "What does the pool's design allow to be kept?";
    }

    @Override
    public List<Figure> figures() {
        return List.of(MemoryLane.KEPT, MemoryLane.COLLECTED);
    }

    @Override
    public Axes axes() {
        return new Axes(LANE, LANE);
    }

    @Override
    public Set<Point> points(Depth depth) {
        return bytes.keySet().stream().map(lane -> Point.of(ID, LANE, lane)).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public double seconds(Point point) {
        return 0;
    }

    @Override
    public Map<String, Double> measure(Point point) {
        Double bar = bytes.get(point.get(LANE));
        if (bar == null) {
            throw new IllegalArgumentException("no such lane: " + point);
        }
        return Map.of(MemoryLane.KEPT.name(), bar, MemoryLane.COLLECTED.name(), bar);
    }

    @Override
    public void smoke(Point point) {
        measure(point);
    }
}
