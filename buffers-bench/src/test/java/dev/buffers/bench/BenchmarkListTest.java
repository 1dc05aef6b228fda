// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** JMH's annotation processor ran: without it the jar has no benchmarks, and nothing else would say so. */
class BenchmarkListTest {

    @Test
    void everyBenchmarkIsListed() {
        var quiet = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        Set<BenchmarkListEntry> entries = BenchmarkList.defaultList().getAll(quiet, List.of());
        assertFalse(entries.isEmpty(), "META-INF/BenchmarkList is empty");
        for (var entry : entries) {
            assertTrue(
                    entry.getUserClassQName().startsWith("dev.buffers.bench."),
                    "not ours: " + entry.getUserClassQName());
        }
    }
}
