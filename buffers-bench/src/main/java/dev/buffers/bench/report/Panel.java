package dev.buffers.bench.report;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Spread;
import dev.buffers.bench.figures.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one chart or one table shows: one figure of an experiment's points that differ in nothing but what stands along the axis and
 * what stands side by side.
 *
 * @param facet what the points have in common, in words; empty when there is only one panel
 * @param xs the values along the axis that have something to show
 * @param series the values side by side, all panels of an experiment alike
 * @param figures now
 * @param then what the source measured
 * @param gaps what to say where there is no figure
 */
record Panel(
        String facet,
        List<String> xs,
        List<String> series,
        Map<Place, Spread> figures,
        Map<Place, Double> then,
        Map<Place, String> gaps) {

    /** Where a point stands in its panel. */
    record Place(String x, String series) {}

    /** The panels of one figure of an experiment, as far as there is anything to show. */
    static List<Panel> of(Experiment experiment, Figure figure, Measured measured) {
        boolean first = figure.equals(experiment.figures().get(0));
        Map<Point, Double> then = first ? experiment.then() : Map.of();
        Set<Point> all = new LinkedHashSet<>(experiment.points(Depth.ALL));
        all.addAll(then.keySet());
        Set<Point> shown = new LinkedHashSet<>(all);
        shown.removeIf(point -> measured.forks(point, figure.name()).length == 0 && !then.containsKey(point));
        String x = experiment.axes().x();
        String side = experiment.axes().series();
        List<String> facets = facets(experiment, shown);
        List<String> series = inOrder(shown, side);
        Map<String, List<Point>> groups = new LinkedHashMap<>();
        for (Point point : sorted(shown, facets)) {
            groups.computeIfAbsent(words(point, facets), words -> new ArrayList<>())
                    .add(point);
        }
        List<Panel> panels = new ArrayList<>();
        groups.forEach((words, group) -> {
            Panel panel =
                    new Panel(words, inOrder(group, x), series, new HashMap<>(), new HashMap<>(), new HashMap<>());
            for (Point point : all) {
                if (words(point, facets).equals(words)) {
                    Place place = new Place(value(point, x), value(point, side));
                    panel.put(place, measured.forks(point, figure.name()), then.get(point));
                    panel.gaps.put(place, gap(experiment, point));
                }
            }
            panels.add(panel);
        });
        return panels;
    }

    private void put(Place place, double[] forks, @Nullable Double thenValue) {
        if (forks.length > 0) {
            figures.put(place, new Spread(forks));
        }
        if (thenValue != null) {
            then.put(place, thenValue);
        }
    }

    /** The word for a point without figures. */
    static String gap(Experiment experiment, Point point) {
        Verdict word = experiment.notMeasurable(point).isPresent() ? Verdict.NOT_MEASURABLE : Verdict.NOT_RUN;
        return word.toString();
    }

    /** A parameter's value; empty when the point has no such parameter. */
    static String value(Point point, String parameter) {
        return point.parameters().getOrDefault(parameter, "");
    }

    /** The values that some parameters have, in words. */
    static String words(Point point, Collection<String> parameters) {
        return parameters.stream()
                .map(parameter -> parameter + " " + Numbers.label(value(point, parameter)))
                .collect(Collectors.joining(", "));
    }

    /** The values of a parameter: numbers in ascending order, words in the order in which the points name them. */
    static List<String> inOrder(Collection<Point> points, String parameter) {
        Set<String> values = new LinkedHashSet<>();
        points.forEach(point -> values.add(value(point, parameter)));
        if (values.stream().allMatch(value -> value.matches("\\d{1,18}"))) {
            TreeMap<Long, String> numbers = new TreeMap<>();
            values.forEach(value -> numbers.put(Long.valueOf(value), value));
            return List.copyOf(numbers.values());
        }
        return List.copyOf(values);
    }

    /** The parameters whose values tell panels apart: those named as such, then any other that has more than one value. */
    private static List<String> facets(Experiment experiment, Collection<Point> points) {
        Set<String> facets = new LinkedHashSet<>(experiment.axes().facets());
        points.forEach(point -> facets.addAll(point.parameters().keySet()));
        facets.remove(experiment.axes().x());
        facets.remove(experiment.axes().series());
        return facets.stream()
                .filter(facet -> inOrder(points, facet).size() > 1)
                .toList();
    }

    private static List<Point> sorted(Collection<Point> points, List<String> parameters) {
        List<Point> sorted = List.copyOf(points);
        for (int i = parameters.size() - 1; i >= 0; i--) {
            String parameter = parameters.get(i);
            List<String> order = inOrder(points, parameter);
            sorted = sorted.stream()
                    .sorted(Comparator.comparingInt(point -> order.indexOf(value(point, parameter))))
                    .toList();
        }
        return sorted;
    }

    /** Those of the series that have something to show here. */
    List<String> shownSeries() {
        return series.stream()
                .filter(name -> xs.stream().anyMatch(x -> has(new Place(x, name))))
                .toList();
    }

    /** As a table: a row for each value along the axis, a column for each series that has something to show. */
    Grid grid(String axis, String caption) {
        List<String> shown = shownSeries();
        List<String> headings = new ArrayList<>();
        headings.add(axis);
        shown.forEach(name -> headings.add(Numbers.label(name)));
        List<List<String>> rows = new ArrayList<>();
        for (String x : xs) {
            List<String> row = new ArrayList<>();
            row.add(Numbers.label(x));
            shown.forEach(name -> row.add(cell(new Place(x, name))));
            rows.add(row);
        }
        return new Grid(caption, headings, rows);
    }

    private boolean has(Place place) {
        return figures.containsKey(place) || then.containsKey(place);
    }

    private String cell(Place place) {
        List<String> parts = new ArrayList<>();
        Optional.ofNullable(figures.get(place)).ifPresent(spread -> parts.add(Numbers.text(spread)));
        Optional.ofNullable(then.get(place)).ifPresent(value -> parts.add("then " + Numbers.text(value)));
        if (!figures.containsKey(place) && gaps.containsKey(place)) {
            parts.add(0, gaps.getOrDefault(place, ""));
        }
        return parts.isEmpty() ? "–" : String.join("; ", parts);
    }
}
