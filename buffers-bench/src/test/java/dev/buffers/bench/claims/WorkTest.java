// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.JmhChild;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Variant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The work of every benchmark's every way is done once, in this JVM: each checks itself what it has done. */
@Tag("full")
class WorkTest {
    /** These take long, or are sizes of what another has done. */
    private static final Set<String> LEFT_OUT = Set.of("67108864", "bytes", "100000");

    /** For each benchmark, each side of each comparison in its first cell, and what else differs in more than a size. */
    static Stream<Map<String, String>> work() {
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        for (Comparison comparison : Claim.comparisons(Claim.all(), true)) {
            if (comparison.engine() != Comparison.Engine.JMH) {
                continue;
            }
            Map<String, Cell> cells = new HashMap<>();
            comparison.cells().forEach(cell -> cells.put(cell.name(), cell));
            for (Trial trial : comparison.trials()) {
                Cell cell = Objects.requireNonNull(cells.get(trial.cell()));
                add(all, cell, comparison.base(), cell.ofBase());
                comparison.alternatives().stream()
                        .filter(side -> side.name().equals(trial.alternative()))
                        .forEach(side -> add(all, cell, side, Map.of()));
            }
        }
        return all.values().stream();
    }

    private static void add(Map<String, Map<String, String>> all, Cell cell, Variant side, Map<String, String> ofBase) {
        Map<String, String> parameters = new HashMap<>(cell.parameters());
        parameters.putAll(ofBase);
        parameters.putAll(side.parameters());
        if (parameters.values().stream().noneMatch(LEFT_OUT::contains)) {
            Map<String, String> kind = new HashMap<>(parameters);
            kind.values().removeIf(value -> value.matches("\\d{2,}"));
            kind.keySet().removeAll(Set.of("shape", "order"));
            parameters.put("work", cell.work());
            all.putIfAbsent(cell.work() + kind, parameters);
        }
    }

    @ParameterizedTest
    @MethodSource("work")
    void workPassesItsChecks(Map<String, String> parameters) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + parameters.get("work").replace(".", "\\.") + "$")
                .forks(0)
                .mode(Mode.SingleShotTime)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        parameters.forEach((name, value) -> {
            if (name.equals(JmhChild.THREADS)) {
                options.threads(Integer.parseInt(value));
            } else if (!name.equals("work")) {
                options.param(name, value);
            }
        });
        assertEquals(1, new Runner(options.build()).run().size());
    }
}
