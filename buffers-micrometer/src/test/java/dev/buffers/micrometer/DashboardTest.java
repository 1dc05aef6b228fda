package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The dashboard is one that Grafana takes: what its import asks of the JSON, and what a person asks of the panels. */
class DashboardTest {
    private static final Pattern METER = Pattern.compile("buffers_pool_[a-z_]+(.?)");
    private static final String SELECTED = "{job=~\"$job\",instance=~\"$instance\",pool=~\"$pool\"";

    private JsonNode dashboard;

    @BeforeEach
    void read() throws IOException {
        dashboard = load();
    }

    static JsonNode load() throws IOException {
        return new ObjectMapper().readTree(MonitoringTest.file("grafana/buffers.json").toFile());
    }

    /** All queries, as Grafana would send them for a range of five minutes. */
    static List<String> queries(JsonNode dashboard) {
        List<String> queries = new ArrayList<>();
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(target.get("expr").asText().replace("$__rate_interval", "5m"));
            }
        }
        return queries;
    }

    @Test
    void itHasWhatAnImportAsksFor() {
        assertEquals("Buffers", dashboard.get("title").asText());
        assertTrue(dashboard.get("uid").asText().length() <= 40);
        assertTrue(dashboard.get("schemaVersion").asInt() > 0);
        assertFalse(dashboard.has("id"), "the number of somebody's own Grafana");
        Set<String> variables = new HashSet<>();
        dashboard.get("templating").get("list").forEach(variable -> variables.add(variable.get("name").asText()));
        assertEquals(Set.of("datasource", "job", "instance", "pool"), variables);
    }

    @Test
    void panelsStandBesideEachOther() {
        Set<Integer> ids = new HashSet<>();
        Set<String> taken = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            String title = panel.get("title").asText();
            assertTrue(ids.add(panel.get("id").asInt()), title);
            JsonNode at = panel.get("gridPos");
            for (int x = 0; x < at.get("w").asInt(); x++) {
                for (int y = 0; y < at.get("h").asInt(); y++) {
                    assertTrue(taken.add((at.get("x").asInt() + x) + "," + (at.get("y").asInt() + y)), title);
                }
            }
            assertTrue(at.get("x").asInt() + at.get("w").asInt() <= 24, title);
        }
    }

    @Test
    void everyPanelSaysWhatItShowsOfThePoolsSelected() {
        for (JsonNode panel : dashboard.get("panels")) {
            String title = panel.get("title").asText();
            if (panel.get("type").asText().equals("row")) {
                continue;
            }
            assertFalse(panel.path("description").asText().isEmpty(), title);
            assertFalse(panel.get("targets").isEmpty(), title);
            Set<String> refs = new HashSet<>();
            for (JsonNode target : panel.get("targets")) {
                assertTrue(refs.add(target.get("refId").asText()), title);
                assertEquals("${datasource}", target.get("datasource").get("uid").asText(), title);
                String query = target.get("expr").asText();
                METER.matcher(query).results().forEach(meter -> assertTrue(
                        query.startsWith(SELECTED, meter.start(1)), title + ": " + query));
            }
        }
    }
}
