// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.step.StepMeterRegistry;
import io.micrometer.core.instrument.step.StepRegistryConfig;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each meter is called, says and shows. */
class MetersTest {
    private final Panel panel = new Panel();
    private BufferPool pool;

    @BeforeEach
    void open() {
        pool = BufferPool.builder("web").max(4 << 20).build();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void allMetersOfTheDesign() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        Map<String, String> units = new TreeMap<>();
        for (Meter meter : panel.registry.getMeters()) {
            units.put(
                    meter.getId().getName(),
                    meter.getId().getType() + " " + meter.getId().getBaseUnit());
        }
        assertEquals(
                new TreeMap<>(Map.ofEntries(
                        Map.entry("buffers.pool.memory.max", "GAUGE bytes"),
                        Map.entry("buffers.pool.memory.reserved", "GAUGE bytes"),
                        Map.entry("buffers.pool.memory.leased", "GAUGE bytes"),
                        Map.entry("buffers.pool.memory.cached", "GAUGE bytes"),
                        Map.entry("buffers.pool.memory.uncarved", "GAUGE bytes"),
                        Map.entry("buffers.pool.memory.lost", "GAUGE bytes"),
                        Map.entry("buffers.pool.memory.dropped", "GAUGE bytes"),
                        Map.entry("buffers.pool.leases", "GAUGE buffers"),
                        Map.entry("buffers.pool.regions", "GAUGE regions"),
                        Map.entry("buffers.pool.slabs", "GAUGE slabs"),
                        Map.entry("buffers.pool.waiters", "GAUGE waiters"),
                        Map.entry("buffers.pool.acquires", "COUNTER acquires"),
                        Map.entry("buffers.pool.releases", "COUNTER releases"),
                        Map.entry("buffers.pool.leaks", "COUNTER leaks"),
                        Map.entry("buffers.pool.collections", "COUNTER collections"),
                        Map.entry("buffers.pool.trimmed", "COUNTER bytes"))),
                units);
    }

    @Test
    void outcomesAreTags() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        for (String outcome : List.of("channel", "thread", "depot", "carved", "oversize", "unpooled", "rejected")) {
            assertTrue(panel.shows("buffers.pool.acquires", "outcome", outcome), outcome);
        }
        for (String outcome : List.of("recycled", "discarded", "invalid")) {
            assertTrue(panel.shows("buffers.pool.releases", "outcome", outcome), outcome);
        }
    }

    @Test
    void everyMeterIsDescribedAndTaggedAndNoTagIsUnbounded() {
        pool.acquire(100).release();
        BufferPoolMetrics.builder(pool)
                .waits()
                .requestedSizes()
                .tags("app", "shop")
                .monitor(panel.registry);
        for (Meter meter : panel.registry.getMeters()) {
            Meter.Id id = meter.getId();
            assertNotNull(id.getDescription(), id.toString());
            List<String> expected = new ArrayList<>(List.of("app", "memory", "policy", "pool"));
            if (id.getName().equals("buffers.pool.leases")) {
                expected.add("size");
            } else if (id.getName().equals("buffers.pool.acquires")
                    || id.getName().equals("buffers.pool.releases")) {
                expected.add(1, "outcome");
                expected.sort(null);
            }
            assertEquals(expected, id.getTags().stream().map(Tag::getKey).toList(), id.toString());
            assertEquals("web", id.getTag("pool"));
            assertEquals("shop", id.getTag("app"));
        }
    }

    @ParameterizedTest
    @CsvSource({"heap,heap", "heap-view,heap", "direct,direct", "direct-view,direct", "unpooled,heap"})
    void policyAndMemoryAreTags(String policy, String memory) {
        try (BufferPool other = BufferPool.builder("other").policy(policy).build()) {
            BufferPoolMetrics.monitor(panel.registry, other);
            assertTrue(panel.shows("buffers.pool.memory.max", "pool", "other", "policy", policy, "memory", memory));
        }
    }

    @Test
    void allWaysToGiveTags() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        BufferPoolMetrics.monitor(panel.registry, pool, "n", "1", "m", "1");
        BufferPoolMetrics.monitor(panel.registry, pool, Tag.of("n", "2"), Tag.of("m", "2"));
        BufferPoolMetrics.monitor(panel.registry, pool, Tags.of("n", "3", "m", "3"));
        new BufferPoolMetrics(pool, Tags.of("n", "4", "m", "4")).bindTo(panel.registry);
        BufferPoolMetrics.builder(pool).tags("n", "5").tags(Tags.of("m", "5")).monitor(panel.registry);
        for (String n : List.of("1", "2", "3", "4", "5")) {
            assertTrue(panel.shows("buffers.pool.regions", "n", n, "m", n, "pool", "web"), n);
        }
        assertEquals(6, panel.registry.get("buffers.pool.regions").meters().size());
    }

    @Test
    void theMetersOwnTagsAreRefused() {
        for (String key : List.of("pool", "policy", "memory", "size", "outcome")) {
            var e = assertThrows(
                    IllegalArgumentException.class, () -> BufferPoolMetrics.monitor(panel.registry, pool, key, "x"));
            assertEquals("tag is the meters' own: tag=" + key, e.getMessage());
        }
        assertTrue(panel.registry.getMeters().isEmpty());
    }

    @Test
    void metersEqualStats() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        PooledBuffer kept = pool.acquire(1000);
        PooledBuffer huge = pool.acquire(1 << 20);
        PooledBuffer bad = pool.acquire(5000);
        PooledBuffer twice = pool.acquire(300);
        // Otherwise the collector might take dropped memory between two readings.
        List<ByteBuffer> memory = List.of(bad.buffer(), twice.buffer());
        bad.discard();
        twice.release();
        assertThrows(IllegalStateException.class, twice::release);
        pool.trim();
        panel.scrape(); // announces the sizes
        panel.later();

        PoolStats stats = pool.stats();
        assertEquals(stats.maxBytes(), panel.value("buffers.pool.memory.max"));
        assertEquals(stats.reservedBytes(), panel.value("buffers.pool.memory.reserved"));
        assertEquals(stats.leasedBytes(), panel.value("buffers.pool.memory.leased"));
        assertEquals(stats.cachedBytes(), panel.value("buffers.pool.memory.cached"));
        assertEquals(stats.uncarvedBytes(), panel.value("buffers.pool.memory.uncarved"));
        assertEquals(stats.lostBytes(), panel.value("buffers.pool.memory.lost"));
        assertEquals(stats.droppedBytes(), panel.value("buffers.pool.memory.dropped"));
        assertEquals(stats.regions(), panel.value("buffers.pool.regions"));
        assertEquals(stats.slabs(), panel.value("buffers.pool.slabs"));
        assertEquals(stats.trimmedBytes(), panel.value("buffers.pool.trimmed"));
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            assertEquals(stats.acquires(outcome), panel.value("buffers.pool.acquires", "outcome", text(outcome)));
        }
        for (ReleaseOutcome outcome : ReleaseOutcome.values()) {
            assertEquals(stats.releases(outcome), panel.value("buffers.pool.releases", "outcome", text(outcome)));
        }
        // Not only zeros were compared.
        assertTrue(panel.value("buffers.pool.memory.reserved") > 1 << 20);
        assertEquals(1, panel.value("buffers.pool.acquires", "outcome", "oversize"));
        assertEquals(1, panel.value("buffers.pool.releases", "outcome", "invalid"));
        assertEquals(1, panel.value("buffers.pool.releases", "outcome", "discarded"));
        assertEquals(2, panel.value("buffers.pool.leases"));
        assertEquals(1, panel.value("buffers.pool.leases", "size", "1024"));
        assertEquals(1, panel.value("buffers.pool.leases", "size", "other"));
        kept.release();
        huge.release();
        Reference.reachabilityFence(memory);
    }

    private static String text(Enum<?> outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    /** R2, M2 */
    @Test
    void sizeIsShownFromFirstUseOn() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        assertEquals(1, panel.registry.get("buffers.pool.leases").meters().size());
        try (PooledBuffer small = pool.acquire(100);
                PooledBuffer large = pool.acquire(10_000)) {
            panel.later();
            for (int scrape = 0; scrape < 3; scrape++) {
                panel.scrape();
                assertEquals(2, panel.value("buffers.pool.leases"), "of all sizes");
                assertEquals(
                        3, panel.registry.get("buffers.pool.leases").meters().size());
            }
            assertEquals(1, panel.value("buffers.pool.leases", "size", String.valueOf(small.capacity())));
            assertEquals(1, panel.value("buffers.pool.leases", "size", String.valueOf(large.capacity())));
            assertEquals(0, panel.value("buffers.pool.leases", "size", "other"));
        }
        assertFalse(panel.shows("buffers.pool.leases", "size", "256"));
    }

    @Test
    void unpooledLeasesAreOther() {
        try (BufferPool unpooled =
                BufferPool.builder("plain").policy("unpooled").build()) {
            BufferPoolMetrics.monitor(panel.registry, unpooled);
            PooledBuffer lease = unpooled.acquire(100);
            panel.later();
            assertEquals(1, panel.value("buffers.pool.leases", "size", "other"));
            assertEquals(1, panel.value("buffers.pool.acquires", "outcome", "unpooled"));
            lease.release();
        }
    }

    /** M1 */
    @Test
    void aScrapeReadsThePoolOnce() {
        AtomicInteger reads = new AtomicInteger();
        PoolMeters meters = PoolMeters.register(
                panel.registry,
                () -> {
                    reads.incrementAndGet();
                    return pool.stats();
                },
                Tags.empty(),
                PoolMeters::registerWaits);
        assertEquals(1, reads.get(), "as they were registered");
        for (int scrape = 1; scrape <= 5; scrape++) {
            panel.scrape();
            assertEquals(1 + scrape, reads.get());
        }
        meters.close();
    }

    /** M1 */
    @Test
    void aReadingIsOldAfterATenthOfASecond() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        PooledBuffer lease = pool.acquire(100);
        assertEquals(128, panel.value("buffers.pool.memory.leased"), "what registration has read is not shown");
        lease.release();
        panel.clock.add(Duration.ofNanos(PoolMeters.FRESH - 1));
        assertEquals(1, panel.value("buffers.pool.leases"), "of the same scrape");
        panel.clock.add(Duration.ofNanos(1));
        assertEquals(pool.stats().cachedBytes(), panel.value("buffers.pool.memory.cached"));
        assertEquals(Duration.ofMillis(100).toNanos(), PoolMeters.FRESH);
    }

    /** M1: a meter that is read again belongs to a new scrape, however soon. */
    @Test
    void meterShowsNoReadingTwice() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        List<PooledBuffer> held = new ArrayList<>();
        for (int leases = 1; leases <= 3; leases++) {
            held.add(pool.acquire(100));
            assertEquals(128 * leases, panel.value("buffers.pool.memory.leased"));
            assertEquals(leases, panel.value("buffers.pool.acquires"));
        }
        held.forEach(PooledBuffer::release);
    }

    /** A registry that publishes the increments of a step, and once more when it is closed. */
    private static final class StepRegistry extends StepMeterRegistry {
        double published;

        StepRegistry(Clock clock) {
            super(
                    new StepRegistryConfig() {
                        @Override
                        public String prefix() {
                            return "steps";
                        }

                        @Override
                        public @Nullable String get(String key) {
                            return null; // the default
                        }
                    },
                    clock);
        }

        @Override
        protected void publish() {
            for (FunctionCounter counter : get("buffers.pool.acquires").functionCounters()) {
                published += counter.count();
            }
        }

        @Override
        protected TimeUnit getBaseTimeUnit() {
            return TimeUnit.SECONDS;
        }
    }

    @Test
    void stepRegistryPublishesAllAcquiresBeforeItsClose() {
        StepRegistry steps = new StepRegistry(panel.clock);
        BufferPoolMetrics.monitor(steps, pool);
        for (int step = 0; step < 2; step++) { // the clock stands still
            pool.acquire(100).release();
            steps.getMeters().forEach(meter -> meter.measure().forEach(Measurement::getValue));
        }
        pool.acquire(100).release();
        steps.close();
        assertEquals(3, steps.published);
    }

    /** The reason for R1: a pool may fall short for a moment, a counter must not. */
    @Test
    void noCounterGoesBackwards() {
        AtomicInteger counted = new AtomicInteger(50);
        PoolMeters.register(
                panel.registry,
                () -> Figures.none().counted(counted.get()).stats(),
                Tags.empty(),
                PoolMeters::registerWaits);
        for (int now : new int[] {60, 55, 59, 61}) {
            counted.set(now);
            panel.later();
            long expected = Math.max(60, now);
            assertEquals(expected, panel.value("buffers.pool.acquires", "outcome", "thread"));
            assertEquals(expected, panel.value("buffers.pool.releases", "outcome", "recycled"));
            assertEquals(expected, panel.value("buffers.pool.leaks"));
            assertEquals(expected, panel.value("buffers.pool.trimmed"));
            assertEquals(expected, panel.value("buffers.pool.waits"));
            assertEquals(
                    expected,
                    panel.registry.get("buffers.pool.waits").functionTimer().totalTime(TimeUnit.NANOSECONDS),
                    0.001);
        }
    }
}
