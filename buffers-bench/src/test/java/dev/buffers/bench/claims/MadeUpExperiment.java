package dev.buffers.bench.claims;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** An experiment that measures nothing: it has sizes 1 to n, and a figure for each that a test makes up. */
final class MadeUpExperiment implements Experiment {
    final List<Point> measured = new ArrayList<>();
    private final String id;
    private final int sizes;
    private final Function<Point, Double> figure;

    MadeUpExperiment(String id, int sizes, Function<Point, Double> figure) {
        this.id = id;
        this.sizes = sizes;
        this.figure = figure;
    }

    static Point size(String id, int size) {
        return Point.of(id, "size", size);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String question() {
        return "What if?";
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.TIME, Figure.RATE);
    }

    @Override
    public Axes axes() {
        return new Axes("size", "kind");
    }

    @Override
    public Set<Point> points(Depth depth) {
        int count = depth == Depth.QUICK ? Math.min(2, sizes) : sizes;
        Set<Point> points = new LinkedHashSet<>();
        for (int size = 1; size <= count; size++) {
            points.add(size(id, size));
        }
        return points;
    }

    @Override
    public double seconds(Point point) {
        return 10;
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return point.get("size").equals("9") ? Optional.of("nine is out of reach") : Optional.empty();
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException {
        measured.add(point);
        double value = figure.apply(point);
        if (value < 0) {
            throw new IOException("less than nothing");
        }
        return Map.of("time", value, "rate", 1e9 / value);
    }

    @Override
    public void smoke(Point point) {}
}
