package dev.buffers.bench.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Results;
import dev.buffers.bench.figures.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, the Markdown and the raw figures of a made-up campaign in which every verdict occurs. */
class ClaimsReportTest {
    private final Results results = MadeUp.small(Depth.FULL);

    @TempDir
    private Path folder;

    private String page() throws Exception {
        return Files.readString(ClaimsReport.write(results, folder.resolve("made/here")));
    }

    private String markdown() throws Exception {
        return Files.readString(ClaimsReport.write(results, folder).resolveSibling("report.md"));
    }

    @Test
    void bothSayEveryVerdict() throws Exception {
        String page = page();
        String markdown = markdown();

        for (Verdict verdict : Verdict.values()) {
            String word = "<span class=\"" + verdict.name() + " verdict\">" + verdict + "</span>";
            assertTrue(page.contains(word), word);
            assertTrue(markdown.contains("**" + verdict + "**"), verdict.toString());
        }
        assertTrue(page.contains("<li class=\"HOLDS\">2 hold</li>"));
        assertTrue(page.contains("<li class=\"REVERSED\">1 is reversed</li>"));
        assertTrue(page.contains("2.000 (1.9"));
        assertTrue(page.contains("0.500 to 2.000 in 2 trials"));
        assertTrue(page.contains("(at least 3.000)"));
    }

    @Test
    void bothSayWhatIsMissing() throws Exception {
        String page = page();
        String markdown = markdown();

        assertTrue(page.contains("14 of 17 planned points measured in full, 70 of 85 planned forks"));
        assertTrue(page.contains("<li>b-transfer: 2 points</li>"));
        assertTrue(page.contains("<li>lane-mixed: contender jetty, threads 2</li>"));
        assertTrue(page.contains("<li>1 point of e-virtual: virtual threads need Java 21 &lt;or later&gt;</li>"));
        assertTrue(page.contains(
                "<span class=\"NOT_MEASURABLE\">not measurable here</span>: virtual threads need Java 21"));
        assertTrue(markdown.contains("- b-transfer, 2 points: size 8,192; size 16,384"));
        assertTrue(markdown.contains("1 point of e-virtual: virtual threads need Java 21 &lt;or later&gt;"));
    }

    @Test
    void aQuickLookSaysSo() throws Exception {
        assertFalse(page().contains("quick look"));
        String page = Files.readString(ClaimsReport.write(MadeUp.small(Depth.QUICK), folder));

        assertTrue(page.contains("<strong>This is a quick look"));
    }

    @Test
    void whatWasSaidCannotBreakThePage() throws Exception {
        String page = page();

        assertTrue(page.contains("&lt;b&gt;&quot;heap&quot; &amp; &#39;direct&#39;&lt;/b&gt; | are"));
        assertFalse(page.contains("<b>\"heap"));
        assertFalse(page.contains("{{"));
        assertTrue(markdown().contains("&lt;b&gt;\"heap\" &amp; 'direct'&lt;/b&gt; \\| are \\`the\\` \\*same\\*"));
    }

    @Test
    void thePageNeedsNothingElse() throws Exception {
        String page = page();

        assertFalse(page.contains("http"));
        assertFalse(page.contains("<script"));
        assertFalse(page.contains("url("));
        assertFalse(page.contains("@import"));
        assertFalse(page.matches("(?s).*\\s(src|href)=.*"), "nothing is fetched");
        assertFalse(page.contains("rgb("), "all colours are the page's");
        assertTrue(page.contains("<svg aria-label=\"What does filling cost"));
    }

    @Test
    void theTablesOfTheMarkdownAreWhole() throws Exception {
        List<String> lines = markdown().lines().toList();
        int tables = 0;
        for (int i = 1; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("|")) {
                boolean first = !lines.get(i - 1).startsWith("|");
                assertEquals(columns(first ? line : lines.get(i - 1)), columns(line), line);
                assertTrue(!first || lines.get(i - 1).isBlank(), "a table needs an empty line before it: " + line);
                assertTrue(!first || lines.get(i + 1).matches("[|-]+"), line);
                tables += first ? 1 : 0;
            }
        }
        assertTrue(tables >= 8, "tables=" + tables);
        assertFalse(markdown().contains("](" + "/"), "links are relative");
    }

    private static long columns(String line) {
        return line.replace("\\|", "").chars().filter(c -> c == '|').count();
    }

    @Test
    void theLanesAreSeenFromTheFloor() throws Exception {
        String page = page();

        assertTrue(page.contains("<td data-label=\"floor\">10.2</td>"));
        assertTrue(page.contains("<td data-label=\"buffers\">25.2\n(× 2.4"));
        assertTrue(page.contains("<td data-label=\"jetty\">not run</td>"));
        assertTrue(page.contains("<td data-label=\"× ours\">2.3"));
    }

    @Test
    void withoutFontsThereAreFiguresButNoCharts() throws Exception {
        Path file = ClaimsReport.write(results, folder, (chart, description) -> {
            throw new InternalError("java.lang.reflect.InvocationTargetException");
        });
        String page = Files.readString(file);

        assertTrue(page.contains("No charts"));
        assertFalse(page.contains("<figure>"));
        assertTrue(page.contains("<td data-label=\"heap\">200 (198–202)</td>"));
    }

    @Test
    void theRawFiguresAreAllThere() throws Exception {
        ClaimsReport.write(results, folder);
        Path file = folder.resolve("results.json");
        JsonNode json = new ObjectMapper().readTree(file.toFile());

        assertEquals("full", json.get("depth").asText());
        assertEquals(5, json.get("rounds").asInt());
        assertTrue(json.at("/environment/cores").asInt() > 0);
        assertEquals(results.planned().size(), json.get("points").size());
        for (JsonNode tree : json.get("points")) {
            Point point = new ObjectMapper().treeToValue(tree, Point.class);
            assertTrue(results.planned().contains(point), point.toString());
            assertEquals(
                    results.measured().figures(point).size(),
                    tree.get("figures").size());
            for (String figure : results.measured().figures(point)) {
                double[] forks = StreamSupport.stream(
                                tree.at("/figures/" + figure).spliterator(), false)
                        .mapToDouble(JsonNode::asDouble)
                        .toArray();
                assertArrayEquals(results.measured().forks(point, figure), forks, point.toString());
            }
        }
        assertEquals(9, json.get("findings").size());
        assertEquals("weaker", json.at("/findings/1/verdict").asText());
        assertEquals(3, json.at("/findings/1/trials/0/threshold").asDouble());
        assertEquals(2, json.at("/findings/1/trials/0/ratio/estimate").asDouble(), 1e-9);
        assertTrue(json.at("/findings/1/trials/0/ratio/confidence").asDouble() > 0.95);
        assertEquals(
                MadeUp.NO_VIRTUAL_THREADS, json.at("/findings/7/trials/0/why").asText());
        int lines = Files.readAllLines(file).size();
        assertTrue(lines < 400, "a few lines for each point: lines=" + lines);
    }
}
