// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.FakeContestant;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer first, a picture that no outlier flattens, and the missing claims at the end. */
class ReportTest {
    @TempDir
    private Path folder;

    private Results results;

    @BeforeEach
    void run() throws Exception {
        Cell cell = new Cell("cell", "Bench.method", Map.of());
        Variant base = new Variant("base", Map.of());
        List<Variant> others = List.of(base.as("better"), base.as("outlier"));
        Comparison comparison = Comparison.of(
                "comparison",
                Comparison.Engine.JMH,
                new Comparison.Pace(2, 20, 0, 0),
                base,
                others,
                cell,
                Question.of("better"));
        comparison = comparison.only(
                comparison.cells(),
                comparison.trials().stream()
                        .map(trial -> trial.labelled(trial.alternative() + " <64|"))
                        .toList());
        Journal journal = FakeContestant.journal(
                folder.resolve("journal.jsonl"),
                List.of(comparison),
                name -> name.equals("better") ? 0.8 : name.equals("outlier") ? 0.0001 : 1,
                0.005);
        List<Claim> claims = new ArrayList<>();
        claims.add(claim("X1", "", comparison));
        claims.add(claim("X2", "there is no such device", comparison));
        results = Results.of("title", journal, claims);
    }

    private static Claim claim(String id, String obstacle, Comparison comparison) {
        Claim.Source source = new Claim.Source(2002, "somebody", "a machine");
        return new Claim(id, source, "It is <better>.", "then", "since", obstacle, List.of(comparison), Set.of());
    }

    @Test
    void pageStartsWithAnswerAndEndsWithMissingClaims() throws Exception {
        String html = Files.readString(Report.write(results, folder));
        String answer = "2 of 2 claims are decided. Verdicts: holds 1, not measurable here 1.";
        assertTrue(html.contains("<h1>" + answer + "</h1>"), html);
        int picture = html.indexOf("<svg");
        int table = html.indexOf("<table");
        int end = html.indexOf("Not measurable here: X2, there is no such device.");
        assertTrue(html.indexOf(answer) < picture && picture < table && table < end, html);
        assertTrue(html.contains("It is &lt;better&gt;."));
        String markdown = Files.readString(folder.resolve("report.md"));
        assertTrue(markdown.startsWith("# " + answer.substring(0, 10)), markdown);
        assertTrue(markdown.contains("outlier &lt;64\\|"), markdown);
    }

    @Test
    void anOutlierEndsAtTheEdge() {
        Chart chart = results.charts().get(0);
        Chart.Mark near = chart.marks().get(0);
        Chart.Mark far = chart.marks().get(1);
        assertTrue(!near.above() && !near.below(), near::toString);
        assertTrue(far.above(), far::toString);
        assertEquals(far.x(), chart.ticks().get(4).x());
        double one = Double.parseDouble(chart.ticks().get(2).x());
        assertTrue(Double.parseDouble(near.x()) - one > 30, near::toString);
    }

    /** Three sides, of which one costs 0.8 and one 1.25 times as much as the base. */
    private Results question(boolean smoke) throws Exception {
        return question(smoke, "Set cheap.");
    }

    private Results question(boolean smoke, String answer) throws Exception {
        Variant base = new Variant("base", Map.of());
        Comparison comparison = Comparison.of(
                "servers",
                Comparison.Engine.HTTP,
                new Comparison.Pace(2, 20, 0, 0),
                base,
                List.of(base.as("dear"), base.as("cheap")),
                new Cell("requests", "staying", Map.of()),
                Question.of("either 1"));
        ToDoubleFunction<String> cost = name -> name.equals("cheap") ? 0.8 : name.equals("dear") ? 1.25 : 1;
        Journal journal = FakeContestant.journal(
                folder.resolve("question.jsonl"), List.of(comparison), cost, 0.005, smoke ? 1 : 24);
        Claim claim = Claim.question("show", new Claim.Source(2026, "", ""), "Which?", comparison);
        return Results.of("title", answer, List.of("-Dpolicy=cheap"), journal, List.of(claim));
    }

    @Test
    void questionShowsAllSidesBestFirstWithRatioToBase() throws Exception {
        Standing standing = question(false).findings().get(0).standings().get(0);
        assertEquals("base", standing.base());
        assertEquals(
                List.of("cheap", "base", "dear"),
                standing.sides().stream().map(Standing.Side::name).toList());
        Standing.Side cheap = standing.sides().get(0);
        Standing.Side own = standing.sides().get(1);
        assertEquals(0.8, Double.parseDouble(cheap.ratio()), 0.01, "the alternative's divided by the base's");
        assertEquals(own.value() * cheap.cost().ratio(), cheap.value(), 1e-9, "one statistic");
        assertEquals("less", cheap.word());
        assertEquals("more", standing.sides().get(2).word());
        assertTrue(own.isBase() && own.ratio().equals("1"));
        assertTrue(own.text().endsWith(" µs"), own::text);
    }

    @Test
    void barsStartAtZeroAndHaveTheIntervalOfTheRatio() throws Exception {
        Chart chart = question(false).charts().get(0);
        assertEquals("0", chart.ticks().get(0).text());
        double zero = Double.parseDouble(chart.ticks().get(0).x());
        Chart.Mark cheap = chart.marks().get(0);
        Chart.Mark base = chart.marks().get(1);
        assertEquals(0.8, (Double.parseDouble(cheap.x()) - zero) / (Double.parseDouble(base.x()) - zero), 0.01);
        assertTrue(Double.parseDouble(cheap.low()) < Double.parseDouble(cheap.x()), cheap::toString);
        assertTrue(cheap.known() && !base.known(), "the base is what the others are compared with");
    }

    @Test
    void pageShowsSettingToCopyAndPictureIsWritten() throws Exception {
        String html = Files.readString(Report.write(question(false), folder));
        assertTrue(html.contains("<h1>Set cheap.</h1>"), html);
        assertTrue(html.indexOf("<pre>-Dpolicy=cheap") < html.indexOf("<svg"), html);
        assertTrue(html.contains("divided by that of base, the base: above 1 the base is better"), html);
        String picture = Files.readString(folder.resolve("picture.svg"));
        assertTrue(picture.contains(">Set cheap.</text>") && picture.contains("<rect"), picture);
        assertTrue(Files.readString(folder.resolve("report.md")).contains("    -Dpolicy=cheap"));
    }

    @Test
    void smokeRunHasNeitherHeadlineNorPicture() throws Exception {
        Results results = question(true);
        assertEquals(List.of(), results.charts());
        assertEquals(List.of(), results.settings());
        String html = Files.readString(Report.write(results, folder));
        assertTrue(html.contains("<h1>title</h1>") && !html.contains("Set cheap"), html);
        assertTrue(results.lines().get(0).startsWith("A smoke run"), () -> "" + results.lines());
        assertFalse(Files.exists(folder.resolve("picture.svg")));
    }

    @Test
    void programsReadTheSame() throws Exception {
        JsonNode json = new ObjectMapper().readTree(Report.json(results));
        assertEquals("X1", json.at("/findings/0/claim/id").asText());
        assertEquals("HOLDS", json.at("/findings/0/key").asText());
        assertEquals("holds", json.at("/findings/0/trials/0/word").asText());
        assertFalse(json.at("/findings/0/claim").has("comparisons"), "the plan has no figures");
    }

    @Test
    void labelDoesNotRepeatTheId() {
        Chart.Mark mark = results.charts().get(0).marks().get(0);
        assertEquals("X1 better <64|", mark.label());
        Trial trial = Trial.of("cell", "a", Question.EITHER).labelled("A7 WriteBenchmark.write: file, 512");
        assertEquals("A7 WriteBenchmark.write: file, 512", Chart.label("A7", trial));
    }

    @Test
    void terminalIsNarrow() throws Exception {
        Results question = question(false);
        List<String> lines = question.lines();
        assertTrue(lines.contains("    -Dpolicy=cheap"), lines::toString);
        assertTrue(
                lines.stream().anyMatch(line -> line.matches(" +CPU time +ratio +95 % interval +pairs")),
                lines::toString);
        String answer = "Keep the default policy, direct-view. No other is known to take less CPU time; nearest is"
                + " heap with 3.1 % less (95 %: 8.2 % less to 2.0 % more).";
        List<String> said = new ArrayList<>(new Results(
                        "title",
                        answer,
                        List.of(),
                        List.of(answer),
                        question.where(),
                        question.findings(),
                        List.of(answer),
                        false)
                .lines());
        said.addAll(results.lines());
        said.addAll(lines);
        assertTrue(said.stream().allMatch(line -> line.length() <= Terminal.WIDTH), () -> String.join("\n", said));
        assertTrue(String.join(" ", said).contains(answer), () -> String.join("\n", said));
    }

    @Test
    void longNamesOfSidesAndWorkloadsFit() throws Exception {
        String workload = "mixed:contender=nettyAdaptiveBest,threads=2,and=more parameters, more than a line of a"
                + " terminal can hold";
        for (String asked : List.of("either 1", "at-most 1.05")) {
            List<String> lines = compared(workload, 0.8, asked).lines();
            assertTrue(
                    lines.stream().allMatch(line -> line.length() <= Terminal.WIDTH), () -> String.join("\n", lines));
            assertTrue(String.join(" ", lines).contains(workload), () -> String.join("\n", lines));
        }
    }

    @Test
    void headlineOfComparisonHasNoCountOfZero() throws Exception {
        assertEquals(
                "None of 2 alternatives is known to cost less or more than the base.",
                compared("mixed", 1, "either 1").answer());
        assertEquals(
                "The base costs more than 1 of 2 alternatives; 1 is open, or makes no difference.",
                compared("mixed", 0.8, "either 1").answer());
        assertEquals(
                "The base costs less than 1 of 2 alternatives; 1 is open, or makes no difference.",
                compared("mixed", 1.25, "either 1").answer());
        assertEquals(
                "The base costs less than 1 of 2 alternatives, more than 1.",
                question(false, "").answer());
    }

    /** Two alternatives, of which the first costs that much and the second as much as the base. */
    private Results compared(String workload, double cost, String asked) throws Exception {
        Variant base = new Variant("base", Map.of());
        Comparison comparison = Comparison.of(
                workload,
                Comparison.Engine.JMH,
                new Comparison.Pace(2, 20, 0, 0),
                base,
                List.of(base.as("nettyAdaptiveBest"), base.as("same")),
                new Cell(workload, "MixedBenchmark.mixed", Map.of()),
                Question.of(asked));
        Journal journal = FakeContestant.journal(
                folder.resolve("compared.jsonl"),
                List.of(comparison),
                name -> name.startsWith("netty") ? cost : 1,
                0.005,
                24);
        Claim claim = Claim.question(workload, new Claim.Source(2026, "", ""), asked, comparison);
        return Results.of("title", journal, List.of(claim));
    }

    @Test
    void theTerminalHasALineForEachClaim() {
        List<String> lines = results.lines();
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("X1") && line.endsWith("holds")), lines::toString);
    }

    @Test
    void numbersHaveThreeDigits() {
        assertEquals("0.0123", Estimate.number(0.01234));
        assertEquals("1.23", Estimate.number(1.234));
        assertEquals("12,345", Estimate.number(12_345));
        assertEquals("-", Estimate.number(Double.NaN));
    }
}
