package dev.buffers.bench.report;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** An experiment that is never run; all its points belong to every depth. */
record FakeExperiment(
        String id,
        String question,
        List<Figure> figures,
        Axes axes,
        Collection<Point> all,
        Map<Point, Double> then,
        Function<Point, Optional<String>> obstacle)
        implements Experiment {

    static FakeExperiment of(String id, Axes axes, Collection<Point> points) {
        return new FakeExperiment(
                id,
                "What does " + id + " cost?",
                List.of(Figure.TIME, Figure.ALLOCATED),
                axes,
                points,
                Map.of(),
                point -> Optional.empty());
    }

    FakeExperiment then(Map<Point, Double> values) {
        return new FakeExperiment(id, question, figures, axes, all, values, obstacle);
    }

    FakeExperiment obstacle(Function<Point, Optional<String>> why) {
        return new FakeExperiment(id, question, figures, axes, all, then, why);
    }

    FakeExperiment question(String words) {
        return new FakeExperiment(id, words, figures, axes, all, then, obstacle);
    }

    @Override
    public Set<Point> points(Depth depth) {
        return new LinkedHashSet<>(all);
    }

    @Override
    public double seconds(Point point) {
        return 1;
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return obstacle.apply(point);
    }

    @Override
    public Map<String, Double> measure(Point point) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void smoke(Point point) {
        throw new UnsupportedOperationException();
    }
}
