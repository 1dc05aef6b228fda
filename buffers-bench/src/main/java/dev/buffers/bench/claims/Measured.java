package dev.buffers.bench.claims;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What has been measured so far: for each point and figure one value for each fork, or why there is none. Not thread-safe. */
public final class Measured {
    private final Map<Point, Map<String, List<Double>>> figures = new LinkedHashMap<>();
    private final Map<Point, String> failures = new LinkedHashMap<>();

    /** Adds one fork's figures. */
    public void add(Point point, Map<String, Double> fork) {
        Map<String, List<Double>> all = figures.computeIfAbsent(point, p -> new LinkedHashMap<>());
        fork.forEach((name, value) ->
                all.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    }

    /** Remembers that a point failed. */
    public void fail(Point point, String why) {
        failures.put(point, why);
    }

    /** Why a point failed. */
    public Optional<String> failure(Point point) {
        return Optional.ofNullable(failures.get(point));
    }

    /** The points that failed, with the reasons. */
    public Map<Point, String> failures() {
        return Collections.unmodifiableMap(failures);
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
