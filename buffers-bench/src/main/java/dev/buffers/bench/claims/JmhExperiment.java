package dev.buffers.bench.claims;

import static java.util.Objects.requireNonNull;

import dev.buffers.bench.figures.Median;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * An experiment that is a JMH benchmark: the parameters of its points are the benchmark's {@code @Param} fields. Each fork is a run of
 * JMH of its own, so that the campaign can interleave them.
 */
public final class JmhExperiment implements Experiment {
    private static final double FORK_SECONDS = 0.5;

    /** The first Java that warns of Unsafe. */
    private static final int UNSAFE_WARNED = 24;

    private final String id;
    private final String question;
    private final Axes axes;
    private final Builder settings;

    private JmhExperiment(Builder settings) {
        this.id = settings.id;
        this.question = settings.question;
        this.axes = settings.axes;
        this.settings = settings;
    }

    /**
     * Begins an experiment.
     *
     * @param benchmark the class with the method
     * @param method annotated with {@code @Benchmark}
     */
    public static Builder of(String id, Class<?> benchmark, String method) {
        return new Builder(id, benchmark.getName() + "." + method);
    }

    /** The benchmark that it runs, by its full name. */
    public String benchmark() {
        return settings.benchmark;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String question() {
        return question;
    }

    @Override
    public List<Figure> figures() {
        return settings.allFigures();
    }

    @Override
    public Axes axes() {
        return axes;
    }

    @Override
    public Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        for (Depth d : Depth.values()) {
            if (d.compareTo(depth) <= 0) {
                points.addAll(settings.points.getOrDefault(d, Set.of()));
            }
        }
        return points;
    }

    @Override
    public double seconds(Point point) {
        int iterations = settings.warmups + settings.iterations;
        return settings.forkSeconds + iterations * settings.iterationMillis / 1e3;
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return settings.obstacle.apply(point);
    }

    @Override
    public Map<Point, Double> then() {
        return settings.then;
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException {
        ChainedOptionsBuilder options = options(point)
                .forks(1)
                .warmupIterations(settings.warmups)
                .measurementIterations(settings.iterations)
                .warmupTime(TimeValue.milliseconds(settings.iterationMillis))
                .measurementTime(TimeValue.milliseconds(settings.iterationMillis))
                .addProfiler(GCProfiler.class);
        List<String> arguments = new ArrayList<>(settings.jvmArguments.apply(point));
        if (Runtime.version().feature() >= UNSAFE_WARNED) {
            arguments.add("--sun-misc-unsafe-memory-access=allow"); // JMH uses it, not we
        }
        if (!arguments.isEmpty()) {
            options.jvmArgsAppend(arguments.toArray(String[]::new));
        }
        return figures(run(options));
    }

    @Override
    public void smoke(Point point) throws IOException {
        run(options(point)
                .forks(0)
                .mode(Mode.SingleShotTime)
                .warmupIterations(0)
                .measurementIterations(1));
    }

    private ChainedOptionsBuilder options(Point point) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + settings.benchmark.replace(".", "\\.").replace("$", "\\$") + "$")
                .shouldFailOnError(true)
                .shouldDoGC(false)
                .verbosity(VerboseMode.SILENT);
        point.parameters().forEach((name, value) -> options.param(name, value));
        return options;
    }

    private RunResult run(ChainedOptionsBuilder options) throws IOException {
        try {
            Collection<RunResult> results = new Runner(options.build()).run();
            if (results.size() != 1) {
                throw new IOException("not one benchmark: " + settings.benchmark + ", found=" + results.size());
            }
            return results.iterator().next();
        } catch (RunnerException e) {
            throw new IOException(settings.benchmark + ": " + e.getMessage(), e);
        }
    }

    /** The fork's medians over its iterations. */
    private Map<String, Double> figures(RunResult result) throws IOException {
        List<IterationResult> iterations = new ArrayList<>();
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            iterations.addAll(fork.getIterationResults());
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(settings.primary.name(), median(iterations.stream().map(IterationResult::getPrimaryResult)));
        for (Map.Entry<Figure, String> secondary : settings.secondary.entrySet()) {
            String label = secondary.getValue();
            if (!iterations.stream().allMatch(one -> one.getSecondaryResults().containsKey(label))) {
                throw new IOException(settings.benchmark + ": no figure called " + label);
            }
            figures.put(
                    secondary.getKey().name(),
                    median(iterations.stream()
                            .map(one -> requireNonNull(one.getSecondaryResults().get(label)))));
        }
        return figures;
    }

    @SuppressWarnings("rawtypes")
    private static double median(Stream<? extends Result> results) {
        return Median.of(results.mapToDouble(Result::getScore).toArray());
    }

    /** What makes an experiment. */
    public static final class Builder {
        private final String id;
        private final String benchmark;
        private final Map<Depth, Set<Point>> points = new EnumMap<>(Depth.class);
        private final Map<Figure, String> secondary = new LinkedHashMap<>();
        private final Map<Point, Double> then = new LinkedHashMap<>();
        private String question = "";
        private Axes axes = new Axes("size", "kind");
        private Figure primary = Figure.TIME;
        private Function<Point, Optional<String>> obstacle = point -> Optional.empty();
        private Function<Point, List<String>> jvmArguments = point -> List.of();
        private double forkSeconds = FORK_SECONDS;
        private int warmups = 3;
        private int iterations = 5;
        private int iterationMillis = 100;

        private Builder(String id, String benchmark) {
            this.id = id;
            this.benchmark = benchmark;
            secondary.put(Figure.ALLOCATED, "gc.alloc.rate.norm");
        }

        public Builder question(String sentence) {
            this.question = sentence;
            return this;
        }

        public Builder axes(String x, String series, String... facets) {
            this.axes = new Axes(x, series, facets);
            return this;
        }

        /** What the benchmark's own score is; time per operation unless told. */
        public Builder primary(Figure figure) {
            this.primary = figure;
            return this;
        }

        /** Another figure, from JMH's secondary result of that label (an auxiliary counter, a profiler's). */
        public Builder secondary(Figure figure, String label) {
            secondary.put(figure, label);
            return this;
        }

        /** Points to measure from a depth on. */
        public Builder points(Depth from, Collection<Point> more) {
            for (Point point : more) {
                if (!point.experiment().equals(id)) {
                    throw new IllegalArgumentException("another experiment's point: " + point + " in " + id);
                }
            }
            points.computeIfAbsent(from, d -> new LinkedHashSet<>()).addAll(more);
            return this;
        }

        /** How long a fork warms up and measures. */
        public Builder iterations(int warmups, int measured, int millisEach) {
            this.warmups = warmups;
            this.iterations = measured;
            this.iterationMillis = millisEach;
            return this;
        }

        /** What starting a fork and its set-up take, when that is more than a little. */
        public Builder forkSeconds(double seconds) {
            this.forkSeconds = seconds;
            return this;
        }

        public Builder jvmArguments(String... arguments) {
            return jvmArguments(point -> List.of(arguments));
        }

        /** What a fork's JVM is told besides, where that depends on the point. */
        public Builder jvmArguments(Function<Point, List<String>> arguments) {
            this.jvmArguments = arguments;
            return this;
        }

        /** Says why a point cannot be measured here. */
        public Builder obstacle(Function<Point, Optional<String>> why) {
            this.obstacle = why;
            return this;
        }

        public Builder then(Point point, double value) {
            then.put(point, value);
            return this;
        }

        public JmhExperiment build() {
            return new JmhExperiment(this);
        }

        private List<Figure> allFigures() {
            List<Figure> all = new ArrayList<>();
            all.add(primary);
            all.addAll(secondary.keySet());
            return all;
        }
    }
}
