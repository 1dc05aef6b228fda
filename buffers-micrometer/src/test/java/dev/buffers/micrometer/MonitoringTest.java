// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the dashboard and the alert rules ask for is what a Prometheus registry gives out. */
class MonitoringTest {
    private static final Pattern METER = Pattern.compile("buffers_pool_[a-z_]+");
    private static final Pattern OUTCOME =
            Pattern.compile("(acquires|releases)_total\\{[^}]*outcome!?=\\\\?[\"']([a-z]+)");
    private static final Pattern GROUPED = Pattern.compile("(?:by|on) \\(([a-z, ]+)\\)");
    private static final Pattern LABEL = Pattern.compile("\\{\\{ ?(?:\\$labels\\.)?([a-z]+) ?}}");

    /** A meter's line on the page: its name, and its kind and unit. */
    private static final Pattern LINE = Pattern.compile("\\| `([a-z.]+)` \\| ([a-z]+, [a-z]+) \\|");

    /** What Prometheus itself adds to every sample. */
    private static final Set<String> SCRAPED = Set.of("job", "instance");

    static Path file(String name) {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs").resolve(name);
    }

    private static Scrape scrape() {
        MockClock clock = new MockClock();
        PrometheusMeterRegistry registry =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
        try (BufferPool pool = BufferPool.builder("asked").max(4 << 20).build();
                PooledBuffer lease = pool.acquire(1000)) {
            assertTrue(lease.isOpen());
            shownWithAll(registry, pool);
            registry.scrape();
            clock.add(Duration.ofSeconds(1));
            return Scrape.parse(registry.scrape());
        }
    }

    private static BufferPoolMetrics shown(MeterRegistry registry, BufferPool pool) {
        // tag::monitor
        BufferPoolMetrics metrics = BufferPoolMetrics.monitor(registry, pool);
        // end::monitor
        return metrics;
    }

    private static BufferPoolMetrics shownWithAll(MeterRegistry registry, BufferPool pool) {
        // tag::monitor-all
        BufferPoolMetrics metrics =
                BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(registry);
        // end::monitor-all
        return metrics;
    }

    /** Each meter has its line on the page, which says what it is, and the line of the outcomes has each of them. */
    @Test
    void thePageShowsEveryMeter() throws IOException {
        Panel panel = new Panel();
        Map<String, String> kinds = new TreeMap<>();
        try (BufferPool pool = BufferPool.builder("shown").max(4 << 20).build()) {
            shown(panel.registry, pool);
            int usual = panel.registry.getMeters().size();
            shownWithAll(panel.registry, pool);
            assertEquals(usual + 2, panel.registry.getMeters().size());
            for (Meter meter : panel.registry.getMeters()) {
                Meter.Id id = meter.getId();
                String kind = id.getType() == Meter.Type.DISTRIBUTION_SUMMARY
                        ? "summary"
                        : id.getType().name().toLowerCase(Locale.ROOT);
                kinds.put(id.getName(), kind + ", " + id.getBaseUnit());
            }
        }
        Map<String, String> lines = new TreeMap<>();
        Map<String, String> said = new TreeMap<>();
        for (String line : Files.readAllLines(file("metrics.md"))) {
            Matcher meter = LINE.matcher(line);
            if (meter.lookingAt()) {
                said.put(meter.group(1), meter.group(2));
                lines.put(meter.group(1), line);
            }
        }
        assertEquals(kinds, said);
        names(AcquireOutcome.values())
                .forEach(outcome ->
                        assertTrue(lines.get("buffers.pool.acquires").contains("`" + outcome + "`"), outcome));
        names(ReleaseOutcome.values())
                .forEach(outcome ->
                        assertTrue(lines.get("buffers.pool.releases").contains("`" + outcome + "`"), outcome));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"grafana/buffers.json", "alerts/buffers.rules.yml", "alerts/buffers.test.yml", "metrics.md"})
    void everyMeterAndLabelExists(String name) throws IOException {
        String text = Files.readString(file(name));
        Scrape scrape = scrape();
        Set<String> asked =
                METER.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
        assertFalse(asked.isEmpty());
        scrape.samples.keySet().forEach(sample -> asked.remove(sample.name()));
        assertEquals(Set.of(), asked, "not exported");

        Set<String> labels = scrape.samples.keySet().stream()
                .flatMap(sample -> sample.labels().keySet().stream())
                .collect(Collectors.toSet());
        Set<String> used = Stream.concat(
                        GROUPED.matcher(text)
                                .results()
                                .flatMap(by -> Arrays.stream(by.group(1).split(", "))),
                        LABEL.matcher(text).results().map(label -> label.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
        used.removeAll(labels);
        used.removeAll(SCRAPED);
        used.removeAll(Set.of("alertname"));
        assertEquals(Set.of(), used, "no such label");
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana/buffers.json", "alerts/buffers.rules.yml", "alerts/buffers.test.yml"})
    void everyOutcomeExists(String name) throws IOException {
        Set<String> acquires = names(AcquireOutcome.values());
        Set<String> releases = names(ReleaseOutcome.values());
        var found = OUTCOME.matcher(Files.readString(file(name))).results().toList();
        assertFalse(found.isEmpty());
        for (MatchResult outcome : found) {
            assertTrue(
                    (outcome.group(1).equals("acquires") ? acquires : releases).contains(outcome.group(2)),
                    outcome.group());
        }
    }

    private static Set<String> names(Enum<?>[] outcomes) {
        return Arrays.stream(outcomes)
                .map(o -> o.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** Whatever docs/metrics.md calls a trouble has its alert, and each alert its test. */
    @Test
    void everyAlertIsTested() throws IOException {
        Pattern alert = Pattern.compile("- alert: (\\w+)");
        Set<String> alerts = alert.matcher(Files.readString(file("alerts/buffers.rules.yml")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        String tests = Files.readString(file("alerts/buffers.test.yml"));
        String page = Files.readString(file("metrics.md"));
        for (String name : alerts) {
            assertTrue(tests.contains("alertname: " + name + "}"), name);
            assertTrue(page.contains("`" + name + "`"), name + " is not explained in metrics.md");
        }
        assertTrue(tests.contains("value: " + alerts.size() + "}"), "not all alerts fire in the test of every trouble");
    }
}
