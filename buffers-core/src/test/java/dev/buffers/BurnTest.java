// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.buffers.support.BurnLedger;
import dev.buffers.support.BurnPlan;
import dev.buffers.support.BurnWatch;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Jvm;
import dev.buffers.support.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One {@code Burn} with a fresh seed, which is printed: {@code -Dburn.seed=} repeats it. The profile {@code burn} runs many of successive
 * seeds, each in a separate JVM, for {@code -Dburn.minutes=}. If {@code -Dburn.collector=} is G1, Parallel or Z, the burns run with that
 * collector alone.
 */
class BurnTest {
    private static final String FIGURES = "burnt: ";
    private static final Path REPORT = Path.of("target", "burn");

    private static long firstSeed() {
        return Long.getLong("burn.seed", new SplittableRandom().nextInt(1_000_000));
    }

    @Test
    void oneCombination() throws Exception {
        burn(BurnPlan.of(firstSeed()).withCollector("default"), 1);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#chosen")
    void eachKind(Kind kind) throws Exception {
        burn(BurnPlan.on(kind), 1);
    }

    @Tag("full")
    @Test
    void oneCombinationForLonger() throws Exception {
        burn(BurnPlan.of(firstSeed()).withCollector("default"), 12);
    }

    private static void burn(BurnPlan plan, long seconds) throws Exception {
        DirectRoom.make();
        System.out.println("burn: " + plan);
        System.out.println(FIGURES + BurnLedger.line(BurnWatch.run(plan, Long.getLong("burn.seconds", seconds))));
    }

    /** One turn of the long burn. */
    static final class Turn {
        public static void main(String[] args) throws Exception {
            BurnPlan plan = BurnPlan.of(Long.getLong("burn.seed")).withCollector(System.getProperty("burn.collector"));
            System.out.println(FIGURES + BurnLedger.line(BurnWatch.run(plan, Long.getLong("burn.seconds"))));
        }
    }

    @Tag("burn")
    @Test
    void oneAfterAnother() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("burn.minutes", 120));
        Map<String, Long> totals = new TreeMap<>();
        int turns = 0;
        for (long seed = firstSeed(); turns == 0 || System.nanoTime() - end < 0; seed++) {
            BurnPlan plan = BurnPlan.of(seed);
            plan = plan.withCollector(System.getProperty("burn.collector", plan.collector()));
            Map<String, Long> figures = turn(plan);
            totals = BurnLedger.sum(totals, figures);
            turns++;
            report(plan + ": " + BurnLedger.line(figures));
        }
        report("turns=" + turns + " java=" + Runtime.version() + ": " + BurnLedger.line(totals));
    }

    private static Map<String, Long> turn(BurnPlan plan) throws Exception {
        long seconds = Long.getLong("burn.seconds", 45);
        try {
            String output = Jvm.run(
                    seconds + 600,
                    Turn.class,
                    "-XX:TieredStopAtLevel=4",
                    "-XX:+Use" + plan.collector() + "GC",
                    "-Xmx512m",
                    "-XX:MaxDirectMemorySize=256m",
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    "--sun-misc-unsafe-memory-access=deny",
                    "-Dburn.seed=" + plan.seed(),
                    "-Dburn.seconds=" + seconds,
                    "-Dburn.collector=" + plan.collector());
            String figures = output.lines()
                    .filter(line -> line.startsWith(FIGURES))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(output));
            return BurnLedger.parse(figures.substring(FIGURES.length()));
        } catch (AssertionError e) {
            report("FAILED " + plan + "; again: mvn -Pburn verify -Dburn.minutes=0 -Dburn.seed=" + plan.seed()
                    + " -Dburn.collector=" + plan.collector() + "\n" + e.getMessage());
            throw e;
        }
    }

    private static void report(String line) throws IOException {
        System.out.println(line);
        Files.createDirectories(REPORT);
        Files.writeString(
                REPORT.resolve("totals.txt"), line + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
