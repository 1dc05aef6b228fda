package dev.buffers.bench.claims;

import dev.buffers.bench.figures.Environment;
import java.util.Collection;
import java.util.List;

/**
 * All that a campaign has found out so far: what its report is made from.
 *
 * @param depth how much was planned
 * @param rounds how many forks each point was to have, but for experiments that need fewer
 * @param planned the points that were planned; those of the catalogue that are not among them were not run
 * @param measured perhaps not all of it, when the campaign was interrupted
 */
public record Results(
        Environment environment,
        Depth depth,
        int rounds,
        Catalogue catalogue,
        Collection<Point> planned,
        Measured measured) {

    /** What became of each claim. */
    public List<Finding> findings() {
        return catalogue.claims().stream()
                .map(claim -> Finding.of(claim, measured, catalogue.experiments()))
                .toList();
    }

    /** How many forks were planned of what can be measured here. */
    public int plannedForks() {
        return planned.stream()
                .filter(point ->
                        catalogue.experiment(point).notMeasurable(point).isEmpty())
                .mapToInt(point -> Math.min(rounds, catalogue.experiment(point).mostForks()))
                .sum();
    }

    /** How many forks there are. */
    public int forks() {
        return measured.points().stream()
                .mapToInt(point -> measured.figures(point).stream()
                        .mapToInt(figure -> measured.forks(point, figure).length)
                        .max()
                        .orElse(0))
                .sum();
    }
}
