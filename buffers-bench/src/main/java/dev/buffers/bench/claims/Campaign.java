package dev.buffers.bench.claims;

import static java.util.Objects.requireNonNull;

import dev.buffers.bench.claims.Journal.Entry;
import dev.buffers.bench.figures.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures a list of points in rounds: each round visits every point once, in an order of its own, so that what changes about the
 * machine in the meantime falls on all alike, and what is known after any number of rounds is a fair, if coarser, picture.
 */
public final class Campaign {
    private final Map<String, Experiment> experiments;
    private final List<Point> points;
    private final int rounds;
    private final Journal journal;
    private final Set<Point> failed = new HashSet<>();
    private volatile boolean stopped;

    public Campaign(Map<String, Experiment> experiments, List<Point> points, int rounds, Journal journal) {
        this.experiments = experiments;
        this.points = points;
        this.rounds = rounds;
        this.journal = journal;
    }

    /** About how long what is not yet measured takes. */
    public double seconds() {
        double seconds = 0;
        for (int round = 0; round < rounds; round++) {
            for (Point point : order(round)) {
                seconds += journal.has(point, round) ? 0 : experiment(point).seconds(point);
            }
        }
        return seconds;
    }

    /** Ends {@link #run} after the fork that is under way. From any thread. */
    public void stop() {
        stopped = true;
    }

    public boolean isStopped() {
        return stopped;
    }

    /** Measures what the journal does not hold yet. A point that fails is not tried again in this run. */
    public void run(Progress progress) throws IOException, InterruptedException {
        int forks = points.stream()
                .mapToInt(point -> Math.min(rounds, experiment(point).mostForks()))
                .sum();
        int done = 0;
        for (int round = 0; round < rounds; round++) {
            for (Point point : order(round)) {
                done++;
                if (stopped) {
                    return;
                }
                if (!journal.has(point, round) && !failed.contains(point)) {
                    String place = "[" + done + "/" + forks + "] " + point;
                    String outcome = measure(point, round);
                    if (!stopped) {
                        progress.done(experiment(point).seconds(point), place + ": " + outcome);
                    }
                }
            }
        }
    }

    private String measure(Point point, int round) throws IOException, InterruptedException {
        try {
            Map<String, Double> figures = experiment(point).measure(point);
            journal.add(new Entry(point, round, figures, null));
            return experiment(point).figures().stream()
                    .filter(figure -> figures.containsKey(figure.name()))
                    .map(figure -> String.format(Locale.ROOT, "%,.1f %s", figures.get(figure.name()), figure.unit()))
                    .collect(Collectors.joining(", "));
        } catch (IOException | RuntimeException e) {
            if (stopped) {
                return "stopped";
            }
            failed.add(point);
            journal.add(new Entry(point, round, null, String.valueOf(e.getMessage())));
            return "FAILED: " + e.getMessage();
        }
    }

    private List<Point> order(int round) {
        List<Point> order = new ArrayList<>(points);
        order.removeIf(point -> round >= experiment(point).mostForks());
        Collections.shuffle(order, new Random(round));
        return order;
    }

    private Experiment experiment(Point point) {
        return requireNonNull(experiments.get(point.experiment()));
    }
}
