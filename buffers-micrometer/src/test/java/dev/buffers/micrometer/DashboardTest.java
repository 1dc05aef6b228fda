// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The dashboard is one that Grafana imports without changing or asking: the classic model, as its {@code dashboard_kind.cue} types it and
 * its importer ({@code dash_template_evaluator.go}) reads it. What it asks for is {@link MonitoringTest}'s.
 */
class DashboardTest {
    /** Before 36 Grafana takes references to data sources, as these are, for names; 42 is the newest of Grafana 12. */
    private static final int OLDEST_SCHEMA = 36;

    private static final int NEWEST_SCHEMA = 42;
    private static final int COLUMNS = 24;

    /** What needs no plugin, and is no Angular panel, which Grafana 12 no longer shows. */
    private static final Set<String> BUILT_IN = Set.of("row", "stat", "timeseries");

    private static final Set<String> UNITS = Set.of("short", "s", "bytes", "Bps", "ops", "percentunit");

    private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\{(\\w+)[^}]*}|(\\w+))");
    private static final Pattern SELECTED = Pattern.compile("(\\w+)(=|=~|!=|!~)\"\\$\\{?(\\w+)}?\"");
    private static final Pattern GROUPED = Pattern.compile("by \\(([a-z, ]+)\\)");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{ ?(\\w+) ?}}");

    private static final Pattern METER = Pattern.compile("buffers_pool_[a-z_]+(.?)");
    private static final String OF_THE_SELECTED = "{job=~\"$job\",instance=~\"$instance\",pool=~\"$pool\"";

    private JsonNode dashboard;

    @BeforeEach
    void read() throws IOException {
        dashboard = load();
    }

    static JsonNode load() throws IOException {
        return new ObjectMapper()
                .readTree(MonitoringTest.file("grafana/buffers.json").toFile());
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
    void dashboardHasUidAndNoId() {
        assertTrue(dashboard.path("id").isMissingNode() || dashboard.get("id").isNull(), "id is the data base's");
        assertTrue(text(dashboard, "uid").matches("[A-Za-z0-9_-]{8,40}"), text(dashboard, "uid"));
        assertFalse(text(dashboard, "title").isBlank());
        int schema = dashboard.path("schemaVersion").asInt();
        assertTrue(schema >= OLDEST_SCHEMA && schema <= NEWEST_SCHEMA, "schemaVersion=" + schema);
        assertTrue(dashboard.path("version").isIntegralNumber());
        for (String list : List.of("/templating/list", "/annotations/list", "/links", "/panels")) {
            assertTrue(dashboard.at(list).isArray(), list);
        }
        assertTrue(text(dashboard.path("time"), "from").startsWith("now-"));
        assertEquals("now", text(dashboard.path("time"), "to"));
    }

    @Test
    void panelsAreToldApart() {
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : panels()) {
            assertTrue(panel.path("id").isIntegralNumber() && panel.get("id").asInt() > 0, title(panel));
            assertTrue(ids.add(panel.get("id").asInt()), "two panels of one id: " + title(panel));
            assertTrue(BUILT_IN.contains(text(panel, "type")), title(panel) + ": " + text(panel, "type"));
            assertFalse(text(panel, "title").isBlank(), panel.path("id").toString());
        }
        assertFalse(ids.isEmpty());
    }

    @Test
    void panelsStandSideBySideInTheGrid() {
        Map<String, String> cells = new LinkedHashMap<>();
        int last = 0;
        int area = 0;
        for (JsonNode panel : panels()) {
            JsonNode at = panel.path("gridPos");
            for (String side : List.of("x", "y", "w", "h")) {
                assertTrue(at.path(side).isIntegralNumber(), title(panel) + ": " + at);
            }
            int x = at.get("x").asInt();
            int y = at.get("y").asInt();
            int width = at.get("w").asInt();
            int height = at.get("h").asInt();
            assertTrue(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= COLUMNS, title(panel) + ": " + at);
            for (int column = x; column < x + width; column++) {
                for (int row = y; row < y + height; row++) {
                    String other = cells.put(column + "," + row, title(panel));
                    assertEquals(null, other, title(panel) + " covers another");
                }
            }
            assertTrue(y >= last, title(panel) + " stands above the panel before it");
            last = y;
            area += width * height;
        }
        int rows = cells.keySet().stream()
                        .mapToInt(cell -> Integer.parseInt(cell.split(",")[1]))
                        .max()
                        .orElse(0)
                + 1;
        assertEquals(rows * COLUMNS, area, "the grid has holes, which Grafana would close by moving panels");
    }

    /** Rows that are not collapsed hold nothing: their panels follow them. */
    @Test
    void rowsAreOpen() {
        for (JsonNode panel : panels()) {
            if (text(panel, "type").equals("row")) {
                assertFalse(panel.path("collapsed").asBoolean(true), title(panel));
                assertEquals(0, panel.path("panels").size(), title(panel));
            }
        }
    }

    /** What {@code __inputs} names the importer asks for and replaces; a variable asks on the dashboard itself. Not both. */
    @Test
    void everyVariableIsDeclared() {
        Set<String> variables = new HashSet<>();
        for (JsonNode variable : dashboard.at("/templating/list")) {
            assertTrue(variables.add(text(variable, "name")), "declared twice: " + text(variable, "name"));
        }
        Set<String> inputs = new HashSet<>();
        for (JsonNode input : dashboard.path("__inputs")) {
            assertTrue(inputs.add(text(input, "name")), "declared twice: " + text(input, "name"));
            assertFalse(text(input, "type").isEmpty(), "the importer looks an input up by name and type: " + input);
            assertFalse(variables.contains(text(input, "name")), "an input and a variable: " + input);
        }
        Set<String> used = references(dashboard);
        Set<String> unknown = new TreeSet<>(used);
        unknown.removeAll(variables);
        unknown.removeAll(inputs);
        unknown.removeIf(name -> name.startsWith("__"));
        assertEquals(Set.of(), unknown, "used and not declared");
        Set<String> idle = new TreeSet<>(variables);
        idle.addAll(inputs);
        idle.removeAll(used);
        assertEquals(Set.of(), idle, "declared and not used");
    }

    @Test
    void everyQueryGoesToTheDataSourceThatIsChosen() {
        JsonNode choice = dashboard.at("/templating/list/0");
        assertEquals("datasource", text(choice, "type"), "the others need it first");
        assertEquals("prometheus", text(choice, "query"));
        String chosen = "${" + text(choice, "name") + "}";
        for (JsonNode variable : dashboard.at("/templating/list")) {
            if (text(variable, "type").equals("query")) {
                assertGoesTo(chosen, variable, text(variable, "name"));
                assertEquals(
                        text(variable, "definition"), text(variable.path("query"), "query"), text(variable, "name"));
            }
        }
        for (JsonNode panel : panels()) {
            if (text(panel, "type").equals("row")) {
                continue;
            }
            assertGoesTo(chosen, panel, title(panel));
            Set<String> refs = new HashSet<>();
            for (JsonNode target : panel.path("targets")) {
                assertGoesTo(chosen, target, title(panel));
                assertTrue(refs.add(text(target, "refId")), title(panel) + ": two targets of one refId");
                assertFalse(text(target, "refId").isEmpty(), title(panel));
                assertFalse(text(target, "expr").isBlank(), title(panel));
            }
            assertFalse(refs.isEmpty(), title(panel) + " asks for nothing");
        }
    }

    private static void assertGoesTo(String chosen, JsonNode asking, String name) {
        assertEquals("prometheus", text(asking.path("datasource"), "type"), name);
        assertEquals(chosen, text(asking.path("datasource"), "uid"), name);
    }

    @Test
    void everyPanelIsDescribedAndShowsSelectedPools() {
        for (JsonNode panel : panels()) {
            if (!text(panel, "type").equals("row")) {
                assertFalse(text(panel, "description").isEmpty(), title(panel));
                for (JsonNode target : panel.path("targets")) {
                    String query = text(target, "expr");
                    METER.matcher(query)
                            .results()
                            .forEach(meter -> assertTrue(
                                    query.startsWith(OF_THE_SELECTED, meter.start(1)), title(panel) + ": " + query));
                }
            }
        }
    }

    /** Of several values Grafana makes a regular expression, and "all" is one anyway. */
    @Test
    void severalValuesAreMatchedAsAnExpression() {
        Map<String, JsonNode> several = new LinkedHashMap<>();
        for (JsonNode variable : dashboard.at("/templating/list")) {
            if (variable.path("multi").asBoolean()
                    || variable.path("includeAll").asBoolean()) {
                several.put(text(variable, "name"), variable);
            }
        }
        int matched = 0;
        for (String query : queries()) {
            for (MatchResult selected : SELECTED.matcher(query).results().toList()) {
                JsonNode variable = several.get(selected.group(3));
                assertNotNull(variable, query);
                assertEquals("=~", selected.group(2), query);
                matched++;
            }
        }
        assertTrue(matched > 0);
    }

    /** Every series has a name: what a legend shows survives the aggregation. */
    @Test
    void legendsNameLabelsThatAreLeft() {
        for (JsonNode panel : panels()) {
            for (JsonNode target : panel.path("targets")) {
                List<String> left = GROUPED.matcher(text(target, "expr"))
                        .results()
                        .flatMap(by -> List.of(by.group(1).split(", ")).stream())
                        .toList();
                for (MatchResult label :
                        LEGEND.matcher(text(target, "legendFormat")).results().toList()) {
                    assertTrue(left.isEmpty() || left.contains(label.group(1)), title(panel) + ": " + label.group());
                }
                assertFalse(text(target, "legendFormat").isBlank(), title(panel));
            }
        }
    }

    @Test
    void valuesHaveUnitsAndThresholdsAscend() {
        for (JsonNode panel : panels()) {
            if (text(panel, "type").equals("row")) {
                continue;
            }
            assertTrue(UNITS.contains(panel.at("/fieldConfig/defaults/unit").asText()), title(panel));
            assertTrue(panel.at("/fieldConfig/overrides").isArray(), title(panel));
            assertTrue(panel.path("options").isObject(), title(panel));
            JsonNode steps = panel.at("/fieldConfig/defaults/thresholds/steps");
            for (int i = 0; i < steps.size(); i++) {
                JsonNode value = steps.get(i).get("value");
                assertEquals(i == 0, value.isNull(), title(panel) + ": the first step, and only it, has no value");
                assertTrue(
                        i < 2
                                || value.asDouble()
                                        > steps.get(i - 1).get("value").asDouble(),
                        title(panel));
            }
        }
    }

    /** With those of collapsed rows. */
    private List<JsonNode> panels() {
        List<JsonNode> panels = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            panels.add(panel);
            panel.path("panels").forEach(panels::add);
        }
        return panels;
    }

    private List<String> queries() {
        List<String> queries = new ArrayList<>();
        dashboard.at("/templating/list").forEach(variable -> queries.add(text(variable.path("query"), "query")));
        panels().forEach(panel -> panel.path("targets").forEach(target -> queries.add(text(target, "expr"))));
        return queries;
    }

    /** The names of variables in all texts. */
    private static Set<String> references(JsonNode node) {
        if (node.isTextual()) {
            return REFERENCE
                    .matcher(node.asText())
                    .results()
                    .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                    .collect(Collectors.toSet());
        }
        return StreamSupport.stream(node.spliterator(), false)
                .flatMap(child -> references(child).stream())
                .collect(Collectors.toSet());
    }

    private static String title(JsonNode panel) {
        return text(panel, "title");
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }
}
