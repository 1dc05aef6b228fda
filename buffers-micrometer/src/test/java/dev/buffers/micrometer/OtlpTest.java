// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an OpenTelemetry collector gets, read from the bytes that the OTLP registry sends. */
class OtlpTest {
    private static final Map<String, String> SETTINGS = Map.of("otlp.step", "1d");
    private static final String COUNTER = "sum, cumulative, monotonic ";

    private final Otlp otlp = new Otlp();
    private final MockClock clock = new MockClock();

    /** Sends when it is closed, and by itself only once a day. */
    private final OtlpMeterRegistry registry = OtlpMeterRegistry.builder(SETTINGS::get)
            .clock(clock)
            .metricsSender(otlp)
            .build();

    private final BufferPool pool = BufferPool.builder("web").max(4 << 20).build();

    @AfterEach
    void close() {
        registry.close();
        pool.close();
    }

    @Test
    void namesKindsAndUnits() {
        BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(registry);
        registry.close();
        Map<String, String> kinds = new TreeMap<>();
        otlp.metrics.forEach((name, metric) -> {
            kinds.put(name, metric.kind() + " " + metric.unit());
            assertFalse(metric.description().isEmpty(), name);
        });
        assertEquals(
                new TreeMap<>(Map.ofEntries(
                        Map.entry("buffers.pool.memory.max", "gauge bytes"),
                        Map.entry("buffers.pool.memory.reserved", "gauge bytes"),
                        Map.entry("buffers.pool.memory.leased", "gauge bytes"),
                        Map.entry("buffers.pool.memory.cached", "gauge bytes"),
                        Map.entry("buffers.pool.memory.uncarved", "gauge bytes"),
                        Map.entry("buffers.pool.memory.lost", "gauge bytes"),
                        Map.entry("buffers.pool.memory.dropped", "gauge bytes"),
                        Map.entry("buffers.pool.leases", "gauge buffers"),
                        Map.entry("buffers.pool.regions", "gauge regions"),
                        Map.entry("buffers.pool.slabs", "gauge slabs"),
                        Map.entry("buffers.pool.waiters", "gauge waiters"),
                        Map.entry("buffers.pool.acquires", COUNTER + "acquires"),
                        Map.entry("buffers.pool.releases", COUNTER + "releases"),
                        Map.entry("buffers.pool.leaks", COUNTER + "leaks"),
                        Map.entry("buffers.pool.collections", COUNTER + "collections"),
                        Map.entry("buffers.pool.trimmed", COUNTER + "bytes"),
                        Map.entry("buffers.pool.waits", "histogram, cumulative milliseconds"),
                        Map.entry("buffers.pool.requested", "histogram, cumulative bytes"),
                        Map.entry("buffers.pool.requested.max", "gauge bytes"))),
                kinds);
    }

    @Test
    void valuesAndAttributes() {
        BufferPoolMetrics.builder(pool)
                .waits()
                .requestedSizes()
                .tags("app", "shop")
                .monitor(registry);
        PooledBuffer lease = pool.acquire(1000);
        PooledBuffer huge = pool.acquire(1 << 20);
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(4 << 20, Duration.ofMillis(2)));
        clock.add(Duration.ofSeconds(1));
        registry.close();

        assertEquals(4 << 20, metric("buffers.pool.memory.max").only().value());
        assertEquals(1, metric("buffers.pool.acquires").value("outcome", "oversize"));
        assertEquals(1, metric("buffers.pool.acquires").value("outcome", "rejected"));
        assertEquals(2, metric("buffers.pool.leases").value("pool", "web"));
        Otlp.Point waits = metric("buffers.pool.waits").only();
        assertEquals(1, waits.count());
        assertEquals(pool.stats().waitedNanos() / 1e6, waits.value(), 1e-6);
        Otlp.Point requested = metric("buffers.pool.requested").only();
        assertEquals(3, requested.count());
        assertEquals(1000 + (1 << 20) + (4 << 20), requested.value());
        otlp.metrics.forEach((name, metric) -> {
            for (Otlp.Point point : metric.points()) {
                assertEquals(
                        Map.of("app", "shop", "memory", "direct", "policy", "direct-view", "pool", "web"),
                        withoutOwn(point.attributes()),
                        name);
            }
        });
        lease.release();
        huge.release();
    }

    private Otlp.Metric metric(String name) {
        return otlp.metrics.get(name);
    }

    private static Map<String, String> withoutOwn(Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .filter(attribute -> !Set.of("outcome", "size").contains(attribute.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
