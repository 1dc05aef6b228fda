// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One line on a terminal, lines elsewhere. */
class LiveLineTest {
    private static final String AGAIN = "\r\u001b[K";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private String soFar = "something";

    @TempDir
    private Path folder;

    @Test
    void terminalShowsOneLineThatFits() throws Exception {
        String said = said(true, "a side whose name is as long as no policy's is, for the sake of the argument");
        assertTrue(said.contains(AGAIN + "pair 3 of "), said);
        for (String line : said.split("\n|\\r")) {
            assertTrue(line.replace("\u001b[K", "").length() < 80, line);
        }
        assertTrue(said.endsWith(AGAIN), "the line is erased at the end");
    }

    @Test
    void resultsStayAboveTheLine() throws Exception {
        String said = said(true, "heap warms up");
        assertTrue(said.contains(AGAIN + "requests: heap 8.00, base 10.0 µs\n"), said);
        assertTrue(said.contains(AGAIN + "So far: something\n"), said);
    }

    @Test
    void longResultsAreWrapped() throws Exception {
        soFar = "not decided: 1 of at least 5 pairs. Of the other policies heap takes the least CPU time so far.";
        String said = said(true, "heap warms up");
        assertTrue(
                said.contains(AGAIN + "So far: not decided: 1 of at least 5 pairs. Of the other policies heap takes\n"
                        + "the least CPU time so far.\n"),
                said);
    }

    @Test
    void timeIsThatOfRoundsLeft() throws Exception {
        String said = beginning(Instant.now().plus(Duration.ofHours(12)));
        assertTrue(said.matches("(?s)pair 1 of 24, heap starts, at most 3[5-9] s left\n"), said);
    }

    @Test
    void shorterTimeUntilDeadlineIsShown() throws Exception {
        String said = beginning(Instant.now().plusSeconds(20));
        assertTrue(said.matches("(?s)pair 1 of 1[12], heap starts, at most (19|20) s left\n"), said);
    }

    @Test
    void pairThatRunsBeyondDeadlineIsFinished() throws Exception {
        String said = beginning(Instant.now().minusSeconds(1));
        assertEquals("pair 1 of 1, heap starts, finishing this pair\n", said);
    }

    /** The first line of a run. */
    private String beginning(Instant deadline) throws Exception {
        Comparison comparison = comparison();
        Journal.Header header = new Journal.Header(Environment.here(), List.of(comparison), 5, 24, List.of(), true);
        try (Journal journal = Journal.begin(folder.resolve("j"), header);
                LiveLine live = new LiveLine(new PrintStream(out, true, UTF_8), false, journal, deadline, its -> "")) {
            live.doing(comparison, 0, "heap starts");
            live.tick();
        }
        return out.toString(UTF_8);
    }

    @Test
    void withoutATerminalThereAreWholeLines() throws Exception {
        List<String> lines = said(false, "heap warms up").lines().toList();
        assertFalse(lines.toString().contains("\u001b"), lines::toString);
        assertTrue(lines.get(0).matches("pair 3 of \\d+, heap warms up, at most \\d+ s left"), lines::toString);
        assertEquals(List.of("requests: heap 8.00, base 10.0 µs", "So far: something"), lines.subList(1, 3));
        assertTrue(lines.get(3).matches("pair 3 of \\d+, heap warms up, .*, heap 8.00 µs"), lines::toString);
    }

    /** Whose round takes 1.6 s. */
    private static Comparison comparison() {
        Variant base = new Variant("base", Map.of());
        return Comparison.of(
                "servers",
                Comparison.Engine.HTTP,
                new Comparison.Pace(2, 20, 0, 0),
                base,
                List.of(base.as("heap")),
                new Cell("requests", "staying", Map.of()),
                Question.of("either 1"));
    }

    private String said(boolean terminal, String doing) throws Exception {
        Comparison comparison = comparison();
        Journal journal = FakeContestant.journal(
                folder.resolve("j"), List.of(comparison), name -> name.equals("heap") ? 0.8 : 1, 1e-6);
        PrintStream to = new PrintStream(out, true, UTF_8);
        Instant deadline = Instant.now().plusSeconds(100);
        try (LiveLine live = new LiveLine(to, terminal, journal, deadline, its -> soFar)) {
            live.doing(comparison, 2, doing);
            live.tick();
            live.measured(comparison, journal.measured().get(0));
            live.tick();
        }
        return out.toString(UTF_8);
    }
}
