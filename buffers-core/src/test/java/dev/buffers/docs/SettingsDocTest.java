// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.settings.SettingKey;
import dev.buffers.internal.settings.SettingsFile;
import dev.buffers.internal.settings.SettingsSource;
import dev.buffers.support.Explicit;
import dev.buffers.support.Manual;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page on settings: every key with its default, and examples that do what the page says. */
class SettingsDocTest {

    private static String page() throws IOException {
        return Manual.page("docs/settings.md");
    }

    /** The rows {@code | `key` | values | default | meaning |} are those of SettingKey, in its order. */
    @Test
    void everyKeyIsListedWithItsDefault() throws IOException {
        List<String> rows = page().lines()
                .filter(line -> line.startsWith("| `") && cells(line).length == 5)
                .toList();
        assertEquals(
                SettingKey.ALL.stream().map(key -> "`" + key.name() + "`").toList(),
                rows.stream().map(row -> cell(row, 1)).toList());
        for (int i = 0; i < rows.size(); i++) {
            String text = "`" + SettingKey.ALL.get(i).defaultText() + "`";
            String usual = cell(rows.get(i), 3);
            assertTrue(usual.startsWith(text), () -> "expected <" + text + "> in <" + usual + ">");
        }
    }

    private static String cell(String row, int column) {
        return cells(row)[column].strip();
    }

    private static String[] cells(String row) {
        return row.split("\\|");
    }

    @Test
    void optionsOfThePageGiveThePrintedSettings() throws IOException {
        List<String> blocks = Manual.blocks(page(), "text");
        String options = blocks.get(0);
        Map<String, String> properties = Arrays.stream(options.split("[\\s\\\\]+"))
                .filter(word -> word.startsWith("-Dbuffers."))
                .map(word -> word.substring(2).split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        PoolSettings settings = ResolvedSettings.resolve("web", new Explicit(), properties, Map.of());
        assertEquals(blocks.get(1), settings + "\n");
    }

    @Test
    void misspeltKeyGivesTheMessageOfThePage() throws IOException {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> ResolvedSettings.resolve("web", new Explicit(), Map.of("buffers.polcy", "heap"), Map.of()));
        assertEquals(Manual.blocks(page(), "text").get(2), refused.getMessage() + "\n");
    }

    @Test
    void badValueGivesTheMessageOfThePage() throws IOException {
        assertEquals(
                Manual.blocks(page(), "text").get(4),
                refusal(Map.of("buffers.policy", "Direct-View"), Map.of()) + "\n"
                        + refusal(Map.of(), Map.of("BUFFERS_MAX", "1.5g")) + "\n");
    }

    private static String refusal(Map<String, String> properties, Map<String, String> environment) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> ResolvedSettings.resolve("web", new Explicit(), properties, environment))
                .getMessage();
    }

    @Test
    void fileOfThePageGivesItsSettings() throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(Manual.blocks(page(), "properties").get(0)));
        Map<String, String> texts = properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(key -> key, properties::getProperty));
        SettingsSource source = new SettingsSource(
                "web", new Explicit(), Map.of(), Map.of(), new SettingsFile("buffers.properties", texts));
        assertEquals("max=256m (buffers.properties)", source.get(SettingKey.MAX).toString());
        assertEquals(
                "policy=heap-view (buffers.properties)",
                source.get(SettingKey.POLICY).toString());
    }

    @Test
    void builderForServerGivesThePrintedDefault() throws IOException {
        // tag::for-server
        BufferPool pool = BufferPool.builder("tomcat").forServer().build();
        // end::for-server
        try (pool) {
            String line = "at-limit=unpooled (default, for a server's pool)";
            assertTrue(pool.settings().toString().contains("\n" + line + "\n"));
            assertTrue(page().contains("`" + line + "`"));
        }
    }

    @Test
    void textOfAFrameworkIsNamedWithItsPlace() throws IOException {
        // tag::framework
        BufferPool pool = BufferPool.builder("web")
                .set("max", "64MB", "pool.max", "server.yml, line 3")
                .build();
        // end::framework
        try (pool) {
            String refused = assertThrows(PoolExhaustedException.class, () -> pool.acquire(65 << 20))
                    .getMessage();
            String advice = "raise pool.max in server.yml, line 3";
            assertTrue(refused.contains("(" + advice + ")"), refused);
            assertTrue(page().contains("`" + advice + "`"));
        }
    }

    @Test
    void builderOfThePageGivesItsSettings() {
        // tag::builder
        BufferPool pool = BufferPool.builder("web")
                .policy("heap-view")
                .max(64 << 20)
                .atLimit(Exhaustion.unpooled())
                .build();
        // end::builder
        try (pool) {
            assertEquals("web", pool.name());
            assertEquals(64 << 20, pool.settings().maxBytes());
        }
    }
}
