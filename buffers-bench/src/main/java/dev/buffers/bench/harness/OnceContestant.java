// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A side that does its work once for all cells with the same parameters, since a JVM has but one first time. Each slice says the same. */
public abstract class OnceContestant implements Contestant {
    /** CPU time, among the figures. */
    public static final String CPU_NANOS = "cpuNanos";

    /** Wall time, among the figures. */
    public static final String WALL_NANOS = "wallNanos";

    private final Map<Map<String, String>, Map<String, Double>> done = new HashMap<>();
    private Map<String, String> asked = Map.of();
    private Map<String, Double> figures = Map.of();

    /** Begins the work, and does not wait. */
    protected abstract void start(String work, Map<String, String> parameters) throws IOException;

    /** Waits for its figures. */
    protected abstract Map<String, Double> await() throws IOException, InterruptedException;

    @Override
    public final void begin(Cell cell, Map<String, String> parameters) throws IOException {
        asked = parameters;
        if (!done.containsKey(parameters)) {
            start(cell.work(), parameters);
        }
    }

    @Override
    public final Optional<Warmth> warm() throws IOException, InterruptedException {
        Map<String, Double> known = done.get(asked);
        figures = known == null ? await() : known;
        done.put(asked, figures);
        return Optional.of(new Warmth(0, 0, true, true, ""));
    }

    @Override
    public final void prepare(Slices slices) {}

    @Override
    public final Turn slice() {
        long cpu = Math.round(figures.getOrDefault(CPU_NANOS, 1.0));
        long wall = Math.round(figures.getOrDefault(WALL_NANOS, 1.0));
        return new Turn(Turn.micros(), wall, cpu, 1, null, figures);
    }

    @Override
    public final boolean finished() {
        return true;
    }
}
