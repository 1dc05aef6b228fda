package dev.buffers.bench.duet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Contestants with a fixed cost, which write down each call. */
final class FakeContestant implements Contestant {
    private final String name;
    private final Field field;

    private FakeContestant(String name, Field field) {
        this.name = name;
        this.field = field;
    }

    /** All of them, and what they share. */
    static final class Field {
        final List<String> asked = new ArrayList<>();
        final Map<String, Integer> open = new HashMap<>();
        final ToDoubleFunction<String> cost;
        final Random random = new Random(5);
        double noise = 0.005;
        boolean threadClock = true;
        boolean agreed = true;
        String failing = "";

        Field(ToDoubleFunction<String> cost) {
            this.cost = cost;
        }

        Contestant open(Variant variant, List<Cell> cells) {
            open.merge(variant.name(), 1, Integer::sum);
            asked.add("open " + variant.name());
            return new FakeContestant(variant.name(), this);
        }
    }

    @Override
    public void begin(Cell cell) {}

    @Override
    public Warmth warmed() {
        return ready();
    }

    @Override
    public void prepare(Slices slices) {
        field.asked.add(name + " " + slices.count() + " x " + slices.millis());
    }

    @Override
    public Warmth ready() {
        return new Warmth(2000, 300, true, field.threadClock, 10_000, "here");
    }

    @Override
    public Turn slice() throws IOException {
        if (name.equals(field.failing)) {
            throw new IOException("broken");
        }
        field.asked.add(name);
        long cpu =
                Math.round(1e7 * field.cost.applyAsDouble(name) * Math.exp(field.noise * field.random.nextGaussian()));
        return new Turn(0, 2 * cpu, cpu, 1000, 0, 0, 0, 0);
    }

    @Override
    public boolean finished() {
        return field.agreed;
    }

    @Override
    public Duration cpu() {
        return Duration.ZERO;
    }

    @Override
    public void close() {
        field.open.merge(name, -1, Integer::sum);
    }
}
