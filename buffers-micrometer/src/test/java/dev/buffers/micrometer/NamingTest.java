// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.HighCardinalityTagsDetector;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.NamingConvention;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Micrometer and OpenTelemetry ask of names and tags. */
class NamingTest {
    private final Panel panel = new Panel();
    private final Deque<PooledBuffer> leases = new ArrayDeque<>();
    private BufferPool pool;

    /** More classes than get meters come into use. */
    @BeforeEach
    void useManyClasses() {
        pool = BufferPool.builder("web")
                .policy("heap")
                .maxSize(4 << 20)
                .regionSize(4 << 20)
                .max(64 << 20)
                .build();
        BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(panel.registry);
        for (int size = 1; size <= 4 << 20; size = leases.getLast().capacity() + 1) {
            leases.add(pool.acquire(size));
            panel.scrape();
        }
        panel.scrape();
    }

    @AfterEach
    void close() {
        leases.forEach(PooledBuffer::release);
        pool.close();
    }

    @Test
    void noNameHasManyMeters() {
        assertTrue(pool.stats().sizeClasses().size() > Reading.MOST_SIZES, "more classes than meters");
        assertEquals(
                Reading.MOST_SIZES + 1,
                panel.registry.get("buffers.pool.leases").meters().size());
        assertEquals(pool.stats().leases(), panel.value("buffers.pool.leases"));
    }

    @Test
    void theDetectorFindsNothing() {
        try (var byDefault = new HighCardinalityTagsDetector(panel.registry);
                var strict = new HighCardinalityTagsDetector(panel.registry, 50, Duration.ofDays(1));
                var tooStrict = new HighCardinalityTagsDetector(panel.registry, 40, Duration.ofDays(1))) {
            assertEquals(Optional.empty(), byDefault.findFirst());
            assertEquals(Optional.empty(), strict.findFirst());
            assertEquals(Optional.of("buffers.pool.leases"), tooStrict.findFirst(), "the detector works");
        }
    }

    @Test
    void namesAreLowerCaseAndDotted() {
        for (Meter meter : panel.registry.getMeters()) {
            Meter.Id id = meter.getId();
            assertTrue(id.getName().matches("buffers\\.pool(\\.[a-z]+){1,2}"), id.getName());
            for (Tag tag : id.getTags()) {
                assertTrue(tag.getKey().matches("[a-z]+"), tag.getKey());
                assertTrue(tag.getValue().matches("[a-z0-9-]+"), tag.getValue());
            }
        }
    }

    /** The OTLP registry exports names in the convention `dot`; OpenTelemetry's specification says what may be one. */
    @Test
    void openTelemetryTakesThemAsTheyAre() {
        Set<String> names = new HashSet<>();
        for (Meter meter : panel.registry.getMeters()) {
            Meter.Id id = meter.getId();
            String name = id.getConventionName(NamingConvention.dot);
            names.add(name);
            assertEquals(id.getName(), name);
            assertEquals(id.getTags(), id.getConventionTags(NamingConvention.dot));
            assertTrue(name.matches("[A-Za-z][A-Za-z0-9_.\\-/]{0,254}"), "instrument name syntax: " + name);
            String unit = id.getBaseUnit();
            assertTrue(unit != null && unit.matches("\\p{ASCII}{1,63}"), "instrument unit syntax: " + unit);
            assertFalse(name.endsWith("total"), "no suffix of another system: " + name);
            assertFalse(name.endsWith(".bytes"), "no unit in a name: " + name);
        }
        for (String name : names) {
            for (String other : names) {
                assertFalse(other.startsWith(name + "."), () -> "a name must not be another's namespace: " + other);
            }
        }
    }
}
