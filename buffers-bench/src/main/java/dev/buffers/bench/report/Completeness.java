package dev.buffers.bench.report;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Results;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How much of what was to be measured has been.
 *
 * @param summary one sentence
 * @param notRun what has no figures though it could have
 * @param obstacles what cannot be measured here, and why
 * @param table the same by experiment
 */
record Completeness(String summary, List<NotRun> notRun, List<Obstacle> obstacles, Grid table) {

    private static final int NAMED = 12;

    /** An experiment's points that have no figures. */
    record NotRun(String experiment, String number, String points) {}

    /** A reason, and what it keeps from being measured. */
    record Obstacle(String points, String why) {}

    static Completeness of(Results results) {
        Map<String, Count> counts = new LinkedHashMap<>();
        results.catalogue()
                .experiments()
                .values()
                .forEach(experiment -> counts.put(experiment.id(), Count.of(experiment, results)));
        List<NotRun> notRun = new ArrayList<>();
        counts.forEach((id, count) -> {
            if (!count.notRun.isEmpty()) {
                notRun.add(new NotRun(id, count.number(), count.names()));
            }
        });
        int points = counts.values().stream().mapToInt(count -> count.planned).sum();
        int done = counts.values().stream().mapToInt(count -> count.done).sum();
        int forks = counts.values().stream().mapToInt(count -> count.forks).sum();
        int plannedForks =
                counts.values().stream().mapToInt(count -> count.plannedForks).sum();
        String summary = String.format(
                "Depth %s: %d of %d planned points measured in full, %d of %d planned forks.",
                results.depth(), done, points, forks, plannedForks);
        return new Completeness(
                summary,
                notRun,
                obstacles(results.catalogue().experiments().values(), results.measured()),
                table(counts));
    }

    /** What experiments cannot measure here, by reason. */
    static List<Obstacle> obstacles(Collection<Experiment> experiments, Measured measured) {
        Map<String, Map<String, Integer>> reasons = new LinkedHashMap<>();
        for (Experiment experiment : experiments) {
            for (Point point : experiment.points(Depth.ALL)) {
                if (!measured.points().contains(point)) {
                    experiment
                            .notMeasurable(point)
                            .ifPresent(why -> reasons.computeIfAbsent(why, reason -> new LinkedHashMap<>())
                                    .merge(experiment.id(), 1, Integer::sum));
                }
            }
        }
        return reasons.entrySet().stream()
                .map(reason -> new Obstacle(
                        reason.getValue().entrySet().stream()
                                .map(count -> plural(count.getValue(), "point") + " of " + count.getKey())
                                .collect(Collectors.joining(", ")),
                        reason.getKey()))
                .toList();
    }

    static String plural(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private static Grid table(Map<String, Count> counts) {
        List<List<String>> rows = new ArrayList<>();
        counts.forEach((id, count) -> rows.add(List.of(
                id, count.all + "", count.planned + "", count.done + "", count.forks + " of " + count.plannedForks)));
        return new Grid("By experiment", List.of("experiment", "points in all", "planned", "in full", "forks"), rows);
    }

    /** One experiment's numbers; what cannot be measured here is not counted as planned. */
    private record Count(int all, int planned, int plannedForks, int done, int forks, List<Point> notRun) {

        static Count of(Experiment experiment, Results results) {
            Measured measured = results.measured();
            Set<Point> planned = new LinkedHashSet<>();
            results.planned().stream()
                    .filter(point -> point.experiment().equals(experiment.id()))
                    .forEach(planned::add);
            planned.addAll(measured.points().stream()
                    .filter(point -> point.experiment().equals(experiment.id()))
                    .toList());
            planned.removeIf(point -> forks(point, measured) == 0
                    && experiment.notMeasurable(point).isPresent());
            Set<Point> notRun = new LinkedHashSet<>(planned);
            if (planned.isEmpty()) {
                notRun.addAll(experiment.points(results.depth()));
                notRun.removeIf(point -> experiment.notMeasurable(point).isPresent());
            }
            notRun.removeIf(point -> forks(point, measured) > 0);
            return new Count(
                    experiment.points(Depth.ALL).size(),
                    planned.size(),
                    planned.size() * wanted(experiment, results),
                    (int) planned.stream()
                            .filter(point -> forks(point, measured) >= wanted(experiment, results))
                            .count(),
                    planned.stream().mapToInt(point -> forks(point, measured)).sum(),
                    List.copyOf(notRun));
        }

        private static int wanted(Experiment experiment, Results results) {
            return Math.min(results.rounds(), experiment.mostForks());
        }

        private static int forks(Point point, Measured measured) {
            return measured.figures(point).stream()
                    .mapToInt(figure -> measured.forks(point, figure).length)
                    .max()
                    .orElse(0);
        }

        /** How many points were not run. */
        String number() {
            return plural(notRun.size(), "point");
        }

        /** Which points were not run, as far as there is room. */
        String names() {
            String names = notRun.stream()
                    .limit(NAMED)
                    .map(point -> Panel.words(point, point.parameters().keySet()))
                    .collect(Collectors.joining("; "));
            return notRun.size() > NAMED ? names + "; and " + (notRun.size() - NAMED) + " more" : names;
        }
    }
}
