package dev.buffers.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Course;
import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.FakeContestant;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer first, a picture that no outlier flattens, and at the end what is missing. */
class ReportTest {
    @TempDir
    private Path folder;

    private Results results;

    @BeforeEach
    void play() throws Exception {
        Cell cell = new Cell("cell", "Bench.method", Map.of());
        Variant base = new Variant("base", Map.of());
        List<Variant> others = List.of(base.as("better"), base.as("outlier"));
        Match match = Match.of(
                "match", Match.Engine.JMH, new Match.Pace(2, 20, 0, 0), base, others, cell, Question.of("better"));
        match = match.only(
                match.cells(),
                match.trials().stream()
                        .map(trial -> trial.labelled(trial.challenger() + " <64|"))
                        .toList());
        Journal journal = FakeContestant.journal(
                folder.resolve("journal.jsonl"),
                List.of(match),
                name -> name.equals("better") ? 0.8 : name.equals("outlier") ? 0.0001 : 1,
                0.005);
        List<Claim> claims = new ArrayList<>();
        claims.add(claim("X1", "", match));
        claims.add(claim("X2", "there is no such device", match));
        results = Results.of("title", "", journal, claims);
    }

    private static Claim claim(String id, String obstacle, Match match) {
        Claim.Source source = new Claim.Source(2002, "somebody", "a machine");
        return new Claim(id, source, "It is <better>.", "then", "since", obstacle, List.of(match), Set.of());
    }

    @Test
    void thePageLeadsWithTheAnswerAndEndsWithWhatIsMissing() throws Exception {
        String html = Files.readString(Report.write(results, folder));
        String answer = "Of 2 claims 2 are decided: 1 holds, 1 not measurable here.";
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
        Chart chart = results.chart();
        Chart.Mark near = chart.marks().get(0);
        Chart.Mark far = chart.marks().get(1);
        assertTrue(!near.above() && !near.below(), near::toString);
        assertTrue(far.above(), far::toString);
        assertEquals(far.x(), chart.ticks().get(4).x());
        double one = Double.parseDouble(chart.ticks().get(2).x());
        assertTrue(Double.parseDouble(near.x()) - one > 30, near::toString);
    }

    @Test
    void thePageShowsHowMemoryChanged() throws Exception {
        List<Course> courses = List.of(
                new Course("burst", "buffers", "resident", List.of(300e6, 8e6)),
                new Course("burst", "other", "resident", List.of(310e6, 310e6)),
                new Course("burst", "another", "resident", List.of(320e6, 309e6)));
        Results changing = new Results(
                "title", "answer", List.of(), results.where(), List.of(), courses, List.of(), results.chart(), false);
        Curves picture = changing.curves().get(0);
        assertEquals(
                List.of("buffers, 8.00 MB", "another, 309 MB", "other, 310 MB"),
                picture.curves().stream().map(Curves.Curve::label).toList());
        assertEquals(
                List.of(true, false, false),
                picture.curves().stream().map(Curves.Curve::ours).toList());
        assertEquals("60,53 440,218", picture.curves().get(0).points());
        List<Integer> labels =
                picture.curves().stream().map(Curves.Curve::labelY).toList();
        assertTrue(labels.get(1) - labels.get(2) >= 14 && labels.get(2) >= 14, labels::toString);
        assertEquals(
                List.of("0.00 MB", "100 MB", "200 MB", "300 MB"),
                picture.ticks().stream().map(Curves.Tick::text).toList());
        String html = Files.readString(Report.write(changing, folder));
        assertEquals(4, html.split("<polyline", -1).length, html);
        assertTrue(html.indexOf("<polyline") < html.indexOf("<table"), html);
    }

    @Test
    void programsReadTheSame() throws Exception {
        JsonNode json = new ObjectMapper().readTree(Report.json(results));
        assertEquals("X1", json.at("/findings/0/claim/id").asText());
        assertEquals("HOLDS", json.at("/findings/0/key").asText());
        assertEquals("holds", json.at("/findings/0/trials/0/word").asText());
    }

    @Test
    void theTerminalHasALineForEachRow() {
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
