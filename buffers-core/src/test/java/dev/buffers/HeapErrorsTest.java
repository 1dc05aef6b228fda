// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.HeapErrors;
import dev.buffers.support.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * I10: a heap that is full takes nothing for good. A smoke in every build; with the profile {@code burn} hundreds of errors of each kind,
 * interpreted and compiled by each compiler.
 */
class HeapErrorsTest {
    private static final String[] FULL = {"-Xmx8m", "-XX:+UseSerialGC"};

    private static final String POLICIES = "direct-view,heap-view,heap,direct,unpooled";

    /** How many the callers see on each of ten pools. A call meets several errors before its caller sees one: hundreds of each kind. */
    private static final String SEEN =
            "LEASES=2,OVERSIZE=3,FURTHER=3,CHANNELS=2,FIGURES=12,THREADS=1,CLOSES=11,WAITS=4";

    @Test
    void aFullHeapTakesNothingForGood() throws Exception {
        Jvm.run(300, HeapErrors.class, FULL, "42", "direct-view", "LEASES=4,FIGURES=4,CLOSES=4");
    }

    @Tag("burn")
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=4"})
    void inEachModeOfCompilation(String mode, @TempDir Path folder) throws Exception {
        String seed = String.valueOf(new SplittableRandom().nextInt(1_000_000));
        System.out.println("full heap: " + mode + " seed=" + seed);
        Path log = folder.resolve("exceptions.log");
        String[] options = {FULL[0], FULL[1], mode, "-Xlog:exceptions=info:file=" + log + ":timenanos:filecount=0"};
        long start = System.nanoTime();
        String said = Jvm.run(1800, HeapErrors.class, options, seed, POLICIES, SEEN);
        System.out.println("seconds=" + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + "\n" + said);
        Map<HeapErrors.Kind, Integer> met = met(said, thrown(log));
        System.out.println("errors met by the pool: " + mode + " " + met);
        for (HeapErrors.Kind kind : HeapErrors.Kind.values()) {
            assertTrue(met.getOrDefault(kind, 0) >= 200, () -> "hundreds of each: " + met);
        }
    }

    /** When the JVM threw a heap error, by its own log: readings of nanoTime. */
    private static NavigableMap<Long, Integer> thrown(Path log) throws IOException {
        NavigableMap<Long, Integer> thrown = new TreeMap<>();
        Pattern time = Pattern.compile("^\\[(\\d+)ns]");
        try (Stream<String> lines = Files.lines(log)) {
            long last = 0;
            for (String line : (Iterable<String>) lines::iterator) {
                Matcher at = time.matcher(line);
                last = at.find() ? Long.parseLong(at.group(1)) : last;
                if (line.contains("memAllocator.cpp")) {
                    thrown.merge(last, 1, Integer::sum);
                }
            }
        }
        return thrown;
    }

    /** How many of them were not the filling's, by kind. */
    private static Map<HeapErrors.Kind, Integer> met(String said, NavigableMap<Long, Integer> thrown) {
        Map<HeapErrors.Kind, Integer> met = new EnumMap<>(HeapErrors.Kind.class);
        Matcher run = HeapErrors.RUN.matcher(said);
        while (run.find()) {
            long from = Long.parseLong(run.group(4));
            long to = Long.parseLong(run.group(5));
            int all = thrown.subMap(from, to).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            met.merge(HeapErrors.Kind.valueOf(run.group(1)), all - Integer.parseInt(run.group(3)), Integer::sum);
        }
        return met;
    }
}
