// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.PassContestant.Pass;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.jvm.VirtualThreads;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A little of each pass over memory: it checks itself, and all figures are there. */
class PassesTest {
    @Tag("full")
    @Test
    void eachHasItsFigures() throws Exception {
        if (!Files.isReadable(Footprint.STATUS)) {
            return;
        }
        figures(new Burst(), "buffers", "kept", "collected", "resident");
        figures(new Burst(), "jetty", "kept", "collected", "resident");
        figures(new Shift(), "buffers", "kept");
        figures(new IdleConnections(), "buffers", "kept");
        figures(new Sleepers(), "buffers", "kept", "resident", "cpuNanos");
        figures(new Sleepers(), "jetty", "kept", "resident", "cpuNanos");
        if (VirtualThreads.obstacle().isEmpty()) {
            figures(new ManyVirtualThreads(), "buffers", "kept", "collected", "resident", "cpuNanos", "wallNanos");
        }
    }

    private static void figures(Pass pass, String contender, String... names) throws Exception {
        Map<String, Double> figures = pass.run(Map.of("contender", contender, Comparison.LITTLE, "true"));
        assertEquals(Set.of(names), figures.keySet());
        assertTrue(figures.values().stream().allMatch(value -> value > 0), figures::toString);
    }
}
