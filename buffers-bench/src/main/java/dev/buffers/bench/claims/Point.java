package dev.buffers.bench.claims;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One thing to measure: an experiment with all its parameters fixed.
 *
 * @param experiment its id
 * @param parameters by name
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Point(String experiment, SortedMap<String, String> parameters) implements Comparable<Point> {

    public Point {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /** A point from names and values in turn; a value may be anything with a meaningful text. */
    public static Point of(String experiment, Object... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a name without a value: " + namesAndValues[namesAndValues.length - 1]);
        }
        SortedMap<String, String> parameters = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            parameters.put(namesAndValues[i].toString(), namesAndValues[i + 1].toString());
        }
        return new Point(experiment, parameters);
    }

    /** The same point with another value for one parameter. */
    public Point with(String name, Object value) {
        SortedMap<String, String> changed = new TreeMap<>(parameters);
        changed.put(name, value.toString());
        return new Point(experiment, changed);
    }

    /** A parameter's value. */
    public String get(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no such parameter: " + name + " of " + this);
        }
        return value;
    }

    @Override
    public int compareTo(Point other) {
        int order = experiment.compareTo(other.experiment);
        return order != 0 ? order : parameters.toString().compareTo(other.parameters.toString());
    }

    @Override
    public String toString() {
        return experiment
                + parameters.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(" ", " ", ""));
    }

    /** The parameters of points as all combinations of some values. */
    public static final class Grid {
        private final List<Point> points;

        private Grid(List<Point> points) {
            this.points = points;
        }

        /** One point without parameters. */
        public static Grid of(String experiment) {
            return new Grid(List.of(new Point(experiment, new TreeMap<>(Map.of()))));
        }

        /** Each point so far with each of these values. */
        public Grid with(String name, Object... values) {
            return new Grid(points.stream()
                    .flatMap(point -> Arrays.stream(values).map(value -> point.with(name, value)))
                    .toList());
        }

        public List<Point> points() {
            return points;
        }
    }
}
