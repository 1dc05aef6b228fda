// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.harness.Contestant.Slices;
import dev.buffers.bench.harness.Contestant.Turn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real JVMs that take turns on work of a known cost. */
@Tag("full")
class JmhContestantTest {
    private static final Cell WORK = new Cell("work", "PlantedBenchmark.work", Map.of("tokens", "200"));
    private static final int QUADS = 5;

    @TempDir
    private Path folder;

    @Test
    void twoJvmsTakeTurnsAndTheDearerOneIsFound() throws Exception {
        Path ended = folder.resolve("ended");
        Variant base = new Variant("base", List.of(), List.of("-Dplanted=base"), Map.of());
        Variant dear = new Variant("dear", List.of(), List.of(), Map.of("tokens", "600", "ended", ended.toString()));
        List<Journal.Slice> slices = new ArrayList<>();
        try (Contestant a = start(base);
                Contestant b = start(dear)) {
            a.begin(WORK, WORK.parameters());
            b.begin(WORK, Map.of("tokens", "600", "ended", ended.toString()));
            boolean threadClock = a.warm().orElseThrow().threadClock()
                    & b.warm().orElseThrow().threadClock();
            a.prepare(new Slices(2 * QUADS, 10, threadClock));
            b.prepare(new Slices(2 * QUADS, 10, threadClock));
            a.ready();
            b.ready();
            Files.deleteIfExists(ended);
            for (int quad = 0; quad < QUADS; quad++) {
                for (Contestant side : List.of(a, b, b, a)) {
                    slices.add(
                            new Journal.Slice(0, "work", side == a ? "base" : "dear", quad, side == a, side.slice()));
                }
            }
            assertTrue(a.finished() & b.finished(), "the clocks agree");
            assertTrue(Files.exists(ended), "torn down by JMH");
            assertTrue(a.cpu().toNanos() > 0);
        }
        for (int i = 1; i < slices.size(); i++) {
            Turn before = slices.get(i - 1).turn();
            assertTrue(
                    slices.get(i).turn().startMicros() >= before.startMicros() + before.wallNanos() / 1000,
                    "one after the other");
            assertTrue(before.ops() > 0 && before.cpuNanos() > 0 && before.wallNanos() >= 10_000_000, before::toString);
        }
        double ratio = Math.exp(Score.medianOfQuads(slices, Trial.CPU));
        assertTrue(ratio > 1.5 && ratio < 6, () -> "ratio=" + ratio);
    }

    @Test
    void workOutsideDoesNotCount() throws Exception {
        double inside = cost("PlantedBenchmark.work");
        double outside = cost("PlantedBenchmark.checked");
        assertTrue(
                outside < 2.5 * inside, () -> "with four times as much outside: " + outside + ", without: " + inside);
    }

    private static double cost(String benchmark) throws Exception {
        Cell cell = new Cell(benchmark, benchmark, Map.of("tokens", "20000"));
        try (Contestant contestant = start(new Variant("base", Map.of()))) {
            contestant.begin(cell, cell.parameters());
            boolean threadClock = contestant.warm().orElseThrow().threadClock();
            contestant.prepare(new Slices(5, threadClock ? 10 : 500, threadClock)); // the process clock moves in steps
            contestant.ready();
            double[] costs = new double[5];
            for (int i = 0; i < costs.length; i++) {
                costs[i] = contestant.slice().cost(Trial.CPU);
            }
            contestant.finished();
            return Estimate.median(costs);
        }
    }

    @Test
    void aBenchmarkThatFailsSaysWhy() throws Exception {
        try (Contestant contestant = start(new Variant("base", Map.of()))) {
            contestant.begin(new Cell("broken", "PlantedBenchmark.broken", Map.of()), Map.of());
            IOException problem = assertThrows(IOException.class, contestant::warm);
            assertTrue(problem.getMessage().contains("planted"), problem::getMessage);
            contestant.begin(new Cell("none", "PlantedBenchmark.none", Map.of()), Map.of());
            assertThrows(IOException.class, contestant::warm);
        }
    }

    @Test
    void aPoolFromElsewhereIsRefused() throws Exception {
        Variant elsewhere = new Variant("old", List.of(folder.toString()), List.of(), Map.of());
        try (Contestant contestant = start(elsewhere)) {
            contestant.begin(WORK, WORK.parameters());
            IOException problem = assertThrows(IOException.class, contestant::warm);
            assertTrue(problem.getMessage().startsWith("old: the pool's classes are not from"), problem::getMessage);
        }
    }

    private static Contestant start(Variant variant) throws IOException {
        Comparison comparison = new Comparison(
                "comparison",
                Comparison.Engine.JMH,
                new Comparison.Pace(QUADS, 10, 50, 0),
                List.of(),
                variant,
                List.of(),
                List.of(WORK),
                List.of());
        return JmhContestant.start(comparison, variant);
    }
}
