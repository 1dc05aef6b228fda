// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Contestants with a fixed cost, which write down each call. */
public final class FakeContestant implements Contestant {
    private final String name;
    private final Field field;
    private int bursts;

    private FakeContestant(String name, Field field) {
        this.name = name;
        this.field = field;
    }

    /** All of them, and what they share. */
    public static final class Field {
        final List<String> asked = new ArrayList<>();
        final List<String> parameters = new ArrayList<>();
        final List<String> preparing = new ArrayList<>();
        final Map<String, Integer> open = new HashMap<>();
        final ToDoubleFunction<String> cost;
        final Random random = new Random(5);
        public double noise = 0.005;
        boolean threadClock = true;
        boolean agreed = true;
        String failing = "";
        int bursts = 1;

        public Field(ToDoubleFunction<String> cost) {
            this.cost = cost;
        }

        public Contestant open(Comparison comparison, Variant variant) {
            open.merge(variant.name(), 1, Integer::sum);
            asked.add("open " + variant.name());
            return new FakeContestant(variant.name(), this);
        }
    }

    /** A journal of comparisons in which each side has its cost, whatever the cell. */
    public static Journal journal(Path file, List<Comparison> comparisons, ToDoubleFunction<String> cost, double noise)
            throws IOException, InterruptedException {
        return journal(file, comparisons, cost, noise, 24);
    }

    /** The same of at most so many pairs; one pair is a smoke run. */
    public static Journal journal(
            Path file, List<Comparison> comparisons, ToDoubleFunction<String> cost, double noise, int mostPairs)
            throws IOException, InterruptedException {
        return journal(file, comparisons, cost, noise, mostPairs == 1 ? 1 : 5, mostPairs);
    }

    /** The same of at least and at most so many pairs. */
    public static Journal journal(
            Path file,
            List<Comparison> comparisons,
            ToDoubleFunction<String> cost,
            double noise,
            int leastPairs,
            int mostPairs)
            throws IOException, InterruptedException {
        Field field = new Field(cost);
        field.noise = noise;
        Journal.Header header =
                new Journal.Header(Environment.here(), comparisons, leastPairs, mostPairs, List.of(), true);
        try (Journal journal = Journal.begin(file, header)) {
            harness(journal, field::open).run(Instant.MAX);
            return journal;
        }
    }

    /** One on a machine whose load is not known. */
    static Harness harness(Journal journal, Harness.Opener opener) {
        return harness(journal, List.of(), opener, InstantSource.system());
    }

    static Harness harness(Journal journal, List<List<Trial>> claims, Harness.Opener opener, InstantSource clock) {
        return new Harness(journal, claims, opener, Progress.NONE, clock, Path.of("no such folder"));
    }

    @Override
    public void begin(Cell cell, Map<String, String> parameters) {
        field.parameters.add(name + " " + new TreeMap<>(parameters));
        field.preparing.add("begin " + name);
        bursts = 0;
    }

    @Override
    public Optional<Warmth> warm() {
        field.preparing.add("warm " + name);
        bursts++;
        return bursts < field.bursts
                ? Optional.empty()
                : Optional.of(new Warmth(2000, 300, true, field.threadClock, "here"));
    }

    @Override
    public void prepare(Slices slices) {
        field.asked.add(name + " " + slices.count() + " x " + slices.millis());
    }

    @Override
    public Turn slice() throws IOException {
        if (name.equals(field.failing)) {
            throw new IOException("broken");
        }
        field.asked.add(name);
        long cpu =
                Math.round(1e7 * field.cost.applyAsDouble(name) * Math.exp(field.noise * field.random.nextGaussian()));
        return new Turn(0, 2 * cpu, cpu, 1000, null, Map.of("kept", (double) cpu));
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
