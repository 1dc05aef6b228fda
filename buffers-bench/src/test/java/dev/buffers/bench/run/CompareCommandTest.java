// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Environment;
import dev.buffers.bench.harness.FakeContestant;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Variant;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Options, and what the command says and returns of a journal. */
class CompareCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void wrongOptionsAreRefused() {
        refused("--slice=60; accepted: 5 to 50", "--slice=60");
        refused("--quads=0", "--quads=0");
        refused(
                "no such workload: noworkload; accepted: channel, handoff, live10, live100000, mixed, window1, window2,"
                        + " or a JMH benchmark as Class.method\n",
                "noworkload");
        refused("not NAME=VALUE: heap", "mixed:heap");
        refused("--within=few; accepted: a number", "--within=few");
        refused("--two-sided without --within", "--two-sided");
        refused("--pairs=17; accepted: 1 to 16", "--pairs=17");
        refused("--rounds=8 is less than --pairs=12", "--pairs=12", "--rounds=8");
        refused("--rounds=4 is less than --pairs=5", "--rounds=4");
        refused(
                "--rounds=6 is less than 7 pairs, the first analysis that decides with --pairs=6",
                "--pairs=6",
                "--rounds=6");
        refused("not NAME=VALUE,VALUE: --each=floor", "--each=floor");
        refused("--within=0%; accepted: more than 0", "--within=0%");
        refused("no such file", "--base=" + folder.resolve("none.jar"));
    }

    @Test
    void contenderThatCannotRunWorkloadIsRefusedByName() {
        refused("no such contender: netti; accepted: buffers, ", "--each=contender=floor,netti", "mixed");
        refused("no such contender: netti; accepted: buffers, ", "mixed:contender=netti");
        refused("no such contender: Floor; accepted: buffers, ", "--base-param=contender=Floor", "mixed");
        refused("handoff cannot be run with contender=floor; accepted: buffers, ", "--each=contender=floor", "handoff");
        refused("handoff cannot be run with contender=checkedFloor;", "--new-param=contender=checkedFloor", "handoff");
        assertFalse(err.toString().contains("loor, "), err::toString);
        refused("HandOffBenchmark.handOff cannot be run with", "HandOffBenchmark.handOff:contender=floor");
        refused("channel cannot be run with contender=jetty; accepted: buffers, floor\n", "channel:contender=jetty");
        refused("live10 cannot be run with contender=jetty; accepted: buffers\n", "--each=contender=jetty", "live10");
    }

    @Test
    void theGateIsTheExitCode() throws Exception {
        assertEquals(0, again(Question.of("at-most 1.05"), 1, 5));
        assertTrue(out.toString().contains("at most 5.0 % more"), out::toString);
        assertTrue(out.toString().contains("holds"), out::toString);
        assertEquals(3, again(Question.of("at-most 1.05"), 1.2, 5));
        assertTrue(out.toString().contains("does not hold"), out::toString);
        assertEquals(4, again(Question.of("at-most 1.05"), 1, 0));
        assertEquals(0, again(Question.of("at-most 1.05"), 0.5, 5));
        assertEquals(3, again(Question.of("within 1.05"), 0.5, 5));
        assertEquals(0, again(Question.EITHER, 0.5, 5));
        assertTrue(out.toString().matches("(?s).*\nnew +[45][.]\\d\\d µs +0[.](49|50)\\d .* less .*"), out::toString);
    }

    @Test
    void analysisBeforeLeastPairsDecidesNothing() throws Exception {
        for (double cost : new double[] {0.5, 1, 1.2}) {
            assertEquals(4, again(Question.of("at-most 1.05"), cost, 12, 9));
            assertFalse(out.toString().contains("hold"), out::toString);
            assertTrue(out.toString().contains("open (0 of 1)"), out::toString);
        }
        assertEquals(0, again(Question.of("at-most 1.05"), 1, 12, 12));
        assertEquals(3, again(Question.of("at-most 1.05"), 1.2, 12, 12));
    }

    @Test
    void leastPairsAreRoundedUpToNextAnalysis() throws Exception {
        assertEquals(4, again(Question.of("at-most 1.05"), 1, 6, 6));
        assertEquals(0, again(Question.of("at-most 1.05"), 1, 6, 7));
    }

    @Test
    void busyCountsDisturbedPairsOfJournal() throws Exception {
        again(Question.of("at-most 1.05"), 1, 5);
        disturb();
        assertEquals(4, from());
        assertTrue(said().contains("--busy counts them with a wider interval"), out::toString);
        assertTrue(out.toString().contains("withheld"), out::toString);
        assertEquals(0, from("--busy"));
        assertTrue(said().contains("they count, with a wider interval"), out::toString);
    }

    @Test
    void busyCountsDisturbedPairsOfJournalOfClaims() throws Exception {
        again(Question.of("at-most 1.05"), 1, 5);
        disturb();
        for (boolean busy : new boolean[] {false, true}) {
            out.getBuffer().setLength(0);
            String[] arguments = {"B1", "--from", file().toString(), "--report", folder.toString(), "--busy"};
            new CommandLine(new ClaimsCommand())
                    .setOut(new PrintWriter(out))
                    .execute(Arrays.copyOf(arguments, busy ? 6 : 5));
            assertEquals(busy, said().contains("they count, with a wider interval"), out::toString);
        }
    }

    @Test
    void questionOfJournalCannotBeChanged() throws Exception {
        again(Question.of("at-most 1.05"), 1, 5);
        String from = "--from=" + file();
        refused("--within with --from: the journal has", from, "--within=3%");
        refused("--pairs with --from", from, "--pairs=7");
        refused("--two-sided with --from", from, "--two-sided");
        refused("WORKLOAD with --from", from, "mixed");
    }

    /** Without its line breaks. */
    private String said() {
        return out.toString().replaceAll("\\s+", " ");
    }

    /** Others used 42 % of the machine during all pairs of the journal, and such pairs are not to count. */
    private void disturb() throws Exception {
        String text = Files.readString(file());
        String loud = "\"load\":{\"others\":0.4,\"steal\":0.02,\"load\":3,\"busiest\":{}}";
        Files.writeString(
                file(), text.replace("\"busy\":true", "\"busy\":false").replace("\"load\":null", loud));
    }

    private Path file() {
        return folder.resolve("journal.jsonl");
    }

    private int again(Question question, double cost, int pairs) throws Exception {
        return again(question, cost, 5, pairs == 0 ? 0 : 24);
    }

    /** What it says of a run whose alternative costs that much. */
    private int again(Question question, double cost, int leastPairs, int mostPairs) throws Exception {
        Path file = file();
        Cell cell = new Cell("mixed", "MixedBenchmark.mixed", Map.of());
        Variant base = new Variant("base", Map.of());
        List<Variant> others = List.of(base.as("new"));
        Comparison comparison =
                Comparison.of("mixed", Comparison.Engine.JMH, Comparison.Pace.USUAL, base, others, cell, question);
        if (mostPairs == 0) {
            Journal.Header header = new Journal.Header(Environment.here(), List.of(comparison), 1, 24, List.of(), true);
            Journal.begin(file, header).close();
        } else {
            FakeContestant.journal(
                    file, List.of(comparison), name -> name.equals("new") ? cost : 1, 0.005, leastPairs, mostPairs);
        }
        return from();
    }

    private int from(String... further) {
        out.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("--from", file().toString(), "--report", folder.toString()));
        arguments.addAll(List.of(further));
        return execute(arguments.toArray(String[]::new));
    }

    private void refused(String problem, String... arguments) {
        err.getBuffer().setLength(0);
        assertEquals(2, execute(arguments));
        assertTrue(err.toString().contains(problem), err::toString);
    }

    private int execute(String... arguments) {
        return new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }
}
