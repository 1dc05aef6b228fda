package dev.buffers.bench.claims;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Something that can be measured at a number of points, each time in a JVM of its own. */
public interface Experiment {

    /** A word: what points, options and files call it. */
    String id();

    /** The question it answers, one sentence. */
    String question();

    /** What it measures at every point; the first is what its chart shows. */
    List<Figure> figures();

    /** How its chart is laid out. */
    Axes axes();

    /** What is measured at a depth. */
    Set<Point> points(Depth depth);

    /** Whether it drives pools side by side: what the command {@code lanes} runs, and what the report sets beside the floor. */
    default boolean isLane() {
        return id().startsWith("lane-") || id().startsWith("memory-");
    }

    /** How many forks of a point say all that there is to say: few where hardly anything varies. */
    default int mostForks() {
        return Integer.MAX_VALUE;
    }

    /** About how long one fork of a point takes. */
    double seconds(Point point);

    /** Why a point cannot be measured in this JVM or on this machine; empty when it can. */
    default Optional<String> notMeasurable(Point point) {
        return Optional.empty();
    }

    /**
     * Measures a point once, in a fork of its own, and checks that the work was done.
     *
     * @return one figure for each name in {@link #figures}, the fork's median
     */
    Map<String, Double> measure(Point point) throws IOException, InterruptedException;

    /**
     * Does the work of a point once over, as fast as it goes, inside this JVM where that is possible: what tests call to see that it works.
     */
    void smoke(Point point) throws IOException, InterruptedException;

    /** What the source measured then, at points that the chart can show it beside; in the unit of the first figure. */
    default Map<Point, Double> then() {
        return Map.of();
    }

    /**
     * How a chart is laid out.
     *
     * @param x the parameter whose values stand along the axis
     * @param series the parameter whose values are drawn side by side
     * @param facets parameters that have a chart for each of their values
     */
    record Axes(String x, String series, List<String> facets) {
        public Axes(String x, String series, String... facets) {
            this(x, series, List.of(facets));
        }
    }
}
