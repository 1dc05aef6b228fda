package dev.buffers.bench.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, the raw figures and the table of a made-up run. */
class ReportTest {
    private final Results results = MadeUp.results(Map.of(Lane.HEAP, 1.3));

    @TempDir
    private Path folder;

    @Test
    void thePageIsWholeAndNeedsNothingElse() throws Exception {
        String page = Files.readString(Report.write(results, folder.resolve("made/here")));

        assertTrue(page.contains("-Dbuffers.policy&#x3D;heap</span>, which beats the default"));
        assertEquals(Metric.values().length, page.split("<svg", -1).length - 1);
        assertTrue(page.contains("var(--chosen)"));
        assertFalse(page.contains("rgb("), "all colours are the page's");
        assertFalse(page.matches("(?s).*(src|href)=\"(?!#).*"), "nothing is fetched");
        assertFalse(page.contains("{{"));
        assertTrue(page.contains("holds"));
    }

    @Test
    void theRawFiguresAreAllThere() throws Exception {
        Path page = Report.write(results, folder);
        JsonNode json =
                new ObjectMapper().readTree(page.resolveSibling("report.json").toFile());

        assertEquals(results.measurements().size(), json.get("measurements").size());
        assertEquals("HEAP", json.at("/recommendation/policy").asText());
        assertEquals(
                "HOLDS", json.at("/recommendation/comparisons/0/ratio/verdict").asText());
        assertTrue(json.at("/environment/cores").asInt() > 0);
        assertFalse(json.at("/environment/java").asText().isEmpty());
    }

    @Test
    void theTableIsAligned() {
        List<String> lines = Table.lines(results);

        assertEquals(Lane.values().length + 1, lines.size());
        assertEquals(1, lines.stream().map(String::length).distinct().count());
        assertTrue(lines.get(1).startsWith("heap "));
    }
}
