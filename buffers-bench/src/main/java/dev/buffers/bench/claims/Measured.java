package dev.buffers.bench.claims;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has been measured so far: for each point and figure one value for each fork. Not thread-safe. */
public final class Measured {
    private final Map<Point, Map<String, List<Double>>> figures = new LinkedHashMap<>();

    /** Adds one fork's figures. */
    public void add(Point point, Map<String, Double> fork) {
        Map<String, List<Double>> all = figures.computeIfAbsent(point, p -> new LinkedHashMap<>());
        fork.forEach((name, value) ->
                all.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    }

    /** The forks' values; empty when the point was not measured or has no such figure. */
    public double[] forks(Point point, String figure) {
        return figures.getOrDefault(point, Map.of()).getOrDefault(figure, List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    public Set<Point> points() {
        return Collections.unmodifiableSet(figures.keySet());
    }

    /** The names of a point's figures. */
    public Set<String> figures(Point point) {
        return Collections.unmodifiableSet(figures.getOrDefault(point, Map.of()).keySet());
    }
}
