package dev.buffers.bench.advise;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A use whose figures are made up: a policy with a factor is that many times better than the default, give or take a little. */
final class MadeUpUse implements Experiment {
    /** Stands for a policy that fails. */
    static final double FAILS = -1;

    private static final Object[] POLICIES = {"direct-view", "direct", "heap-view", "heap", "unpooled"};

    private final String id;
    private final Map<String, Double> factors;
    private final double noise;
    private final Figure figure;
    private int forks;
    private int millis;

    private MadeUpUse(String id, Map<String, Double> factors, double noise, Figure figure) {
        this.id = id;
        this.factors = factors;
        this.noise = noise;
        this.figure = figure;
    }

    /** Forks that differ by half a percent. */
    static MadeUpUse clear(String id, Map<String, Double> factors) {
        return new MadeUpUse(id, factors, 0.005, Figure.TIME);
    }

    /** Forks that differ by half. */
    static MadeUpUse noisy(String id) {
        return new MadeUpUse(id, Map.of(), 0.5, Figure.TIME);
    }

    /** A figure of which more is better. */
    static MadeUpUse rate(String id, Map<String, Double> factors) {
        return new MadeUpUse(id, factors, 0.005, Figure.RATE);
    }

    /** What so many rounds of some uses would give. */
    static Measured measured(int rounds, List<Experiment> uses) throws IOException, InterruptedException {
        Measured measured = new Measured();
        for (int round = 0; round < rounds; round++) {
            for (Experiment use : uses) {
                for (Point point : use.points(Depth.QUICK)) {
                    try {
                        measured.add(point, use.measure(point));
                    } catch (IOException e) {
                        measured.fail(point, String.valueOf(e.getMessage()));
                    }
                }
            }
        }
        return measured;
    }

    /** The same, but each fork takes some time. */
    MadeUpUse taking(int millisEach) {
        millis = millisEach;
        return this;
    }

    static Family family(Experiment... uses) {
        return new Family() {
            @Override
            public List<Experiment> experiments() {
                return List.of(uses);
            }

            @Override
            public List<Claim> claims() {
                return List.of();
            }
        };
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String question() {
        return "made up";
    }

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public Axes axes() {
        return new Axes("size", Uses.POLICY);
    }

    @Override
    public Set<Point> points(Depth depth) {
        return new LinkedHashSet<>(
                Point.Grid.of(id).with("size", 1).with(Uses.POLICY, POLICIES).points());
    }

    @Override
    public double seconds(Point point) {
        return 0.001;
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException, InterruptedException {
        Thread.sleep(millis);
        double factor = factors.getOrDefault(point.get(Uses.POLICY), 1.0);
        if (factor == FAILS) {
            throw new IOException("made to fail");
        }
        double speed = factor * (1 + noise * (forks++ * 3 % 7 - 3) / 3.0);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(figure.name(), figure.moreIsBetter() ? 1000 * speed : 1000 / speed);
        return figures;
    }

    @Override
    public void smoke(Point point) {}
}
