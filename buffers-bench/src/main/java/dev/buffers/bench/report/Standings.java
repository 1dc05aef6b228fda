package dev.buffers.bench.report;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.figures.Median;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One lane and how the contenders stand in it. Lanes are the experiments that {@linkplain Experiment#isLane say so}; an
 * experiment has as many as there are combinations of its points' parameters, the contender aside.
 *
 * @param lane its name
 * @param figure what is compared
 * @param others what else was measured
 * @param contenders who ran, in the experiment's order
 */
record Standings(String lane, Figure figure, List<Figure> others, List<Contender> contenders) {
    private static final String CONTENDER = "contender";
    private static final String OURS = "buffers";
    private static final String FLOOR = "floor";
    private static final String NONE = "–";

    /**
     * One contender in one lane.
     *
     * @param toFloor how many times worse than the floor; empty when that was not measured
     * @param toOurs how many times worse than this library with its defaults
     * @param others the medians of the other figures
     * @param gap why there is no spread; empty when there is one
     */
    record Contender(
            String name,
            Optional<Spread> spread,
            Optional<Ratio> toFloor,
            Optional<Ratio> toOurs,
            List<String> others,
            String gap) {

        String figure() {
            return spread.map(Numbers::text).orElse(gap);
        }

        String timesFloor() {
            return times(toFloor);
        }

        String timesOurs() {
            return times(toOurs);
        }

        private static String times(Optional<Ratio> ratio) {
            return ratio.map(r -> Numbers.factor(r.estimate()) + " (" + Numbers.interval(r) + ")")
                    .orElse(NONE);
        }

        /** The median, and below it how many times the floor it is, or how many times ours where there is no floor. */
        private String brief(boolean hasFloor) {
            String median = spread.map(s -> Numbers.text(s.median())).orElse(gap);
            return (hasFloor ? toFloor : toOurs)
                    .map(ratio -> median + "\n(× " + Numbers.factor(ratio.estimate()) + ")")
                    .orElse(median);
        }
    }

    /** All lanes in which anything was measured. */
    static List<Standings> of(Results results) {
        List<Standings> all = new ArrayList<>();
        for (Experiment experiment : results.catalogue().experiments().values()) {
            if (experiment.isLane()) {
                lanes(experiment).forEach((lane, points) -> {
                    if (points.stream().anyMatch(results.measured().points()::contains)) {
                        all.add(of(experiment, lane, points, results.measured()));
                    }
                });
            }
        }
        return all;
    }

    private static Map<String, List<Point>> lanes(Experiment experiment) {
        String contender = contenderOf(experiment);
        Set<Point> points = experiment.points(Depth.ALL);
        List<String> names = points.stream()
                .flatMap(point -> point.parameters().keySet().stream())
                .distinct()
                .filter(name -> !name.equals(contender))
                .filter(name -> Panel.inOrder(points, name).size() > 1)
                .toList();
        Map<String, List<Point>> lanes = new LinkedHashMap<>();
        for (Point point : points) {
            String words = Panel.words(point, names);
            lanes.computeIfAbsent(experiment.id() + (words.isEmpty() ? "" : ", " + words), lane -> new ArrayList<>())
                    .add(point);
        }
        return lanes;
    }

    /** The parameter that says who runs. */
    private static String contenderOf(Experiment experiment) {
        boolean named = experiment.points(Depth.ALL).stream()
                .allMatch(point -> point.parameters().containsKey(CONTENDER));
        return named ? CONTENDER : experiment.axes().series();
    }

    private static Standings of(Experiment experiment, String lane, List<Point> points, Measured measured) {
        String contender = contenderOf(experiment);
        Figure figure = experiment.figures().get(0);
        List<Figure> others =
                experiment.figures().subList(1, experiment.figures().size());
        Map<String, double[]> forks = new LinkedHashMap<>();
        points.forEach(point -> forks.put(Panel.value(point, contender), measured.forks(point, figure.name())));
        List<Contender> contenders = points.stream()
                .map(point -> {
                    String name = Panel.value(point, contender);
                    double[] mine = forks.getOrDefault(name, new double[0]);
                    return new Contender(
                            name,
                            mine.length == 0 ? Optional.empty() : Optional.of(new Spread(mine)),
                            name.equals(FLOOR) ? Optional.empty() : times(figure, mine, forks.get(FLOOR)),
                            name.equals(OURS) ? Optional.empty() : times(figure, mine, forks.get(OURS)),
                            others.stream()
                                    .map(other -> median(measured.forks(point, other.name())))
                                    .toList(),
                            Panel.gap(experiment, point));
                })
                .toList();
        return new Standings(lane, figure, others, contenders);
    }

    private static String median(double[] forks) {
        return forks.length == 0 ? NONE : Numbers.text(Median.of(forks));
    }

    private static Optional<Ratio> times(Figure figure, double[] mine, double @Nullable [] theirs) {
        if (theirs == null || !comparable(mine) || !comparable(theirs)) {
            return Optional.empty();
        }
        return Optional.of(figure.moreIsBetter() ? Ratio.ofForks(theirs, mine) : Ratio.ofForks(mine, theirs));
    }

    private static boolean comparable(double[] forks) {
        return forks.length > 0 && Arrays.stream(forks).allMatch(value -> value > 0);
    }

    /** All lanes in one table, a column for each contender. */
    static Grid overview(List<Standings> lanes) {
        Set<String> names = new LinkedHashSet<>(List.of(OURS, FLOOR));
        lanes.forEach(lane -> lane.contenders.forEach(contender -> names.add(contender.name())));
        names.removeIf(name -> lanes.stream().noneMatch(lane -> lane.has(name)));
        List<String> headings = new ArrayList<>(List.of("lane"));
        headings.addAll(names);
        List<List<String>> rows = new ArrayList<>();
        for (Standings lane : lanes) {
            List<String> row = new ArrayList<>(List.of(lane.lane + ", " + lane.figure.unit()));
            names.forEach(name -> row.add(lane.contenders.stream()
                    .filter(contender -> contender.name().equals(name))
                    .findFirst()
                    .map(contender -> contender.brief(lane.has(FLOOR)))
                    .orElse(NONE)));
            rows.add(row);
        }
        return new Grid("All lanes", headings, rows);
    }

    private boolean has(String name) {
        return contenders.stream().anyMatch(contender -> contender.name().equals(name));
    }

    /** This lane with everything that was measured in it, a row for each contender. */
    Grid grid() {
        List<String> headings = new ArrayList<>(List.of(CONTENDER, figure.unit(), "× floor", "× ours"));
        others.forEach(other -> headings.add(other.name() + ", " + other.unit()));
        List<List<String>> rows = new ArrayList<>();
        for (Contender contender : contenders) {
            List<String> row = new ArrayList<>(
                    List.of(contender.name(), contender.figure(), contender.timesFloor(), contender.timesOurs()));
            row.addAll(contender.others());
            rows.add(row);
        }
        return new Grid(
                lane + ": " + figure.name() + ", " + (figure.moreIsBetter() ? "more" : "less") + " is better",
                headings,
                rows);
    }
}
