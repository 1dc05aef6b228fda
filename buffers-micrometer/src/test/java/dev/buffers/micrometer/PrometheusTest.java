// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a Prometheus server gets, over HTTP. */
class PrometheusTest {
    private final MockClock clock = new MockClock();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private BufferPool pool;

    @BeforeEach
    void serve() throws Exception {
        registry.throwExceptionOnRegistrationFailure();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] body = registry.scrape().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        pool = BufferPool.builder("web").max(4 << 20).build();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        pool.close();
    }

    private Scrape scrape() throws Exception {
        clock.add(Duration.ofSeconds(15));
        URI uri = new URI(
                "http",
                null,
                server.getAddress().getAddress().getHostAddress(),
                server.getAddress().getPort(),
                "/metrics",
                null,
                null);
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode());
        return Scrape.parse(response.body());
    }

    @Test
    void familiesAndTypes() throws Exception {
        BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(registry);
        Scrape scrape = scrape();
        assertEquals(
                new TreeMap<>(Map.ofEntries(
                        Map.entry("buffers_pool_memory_max_bytes", "gauge"),
                        Map.entry("buffers_pool_memory_reserved_bytes", "gauge"),
                        Map.entry("buffers_pool_memory_leased_bytes", "gauge"),
                        Map.entry("buffers_pool_memory_cached_bytes", "gauge"),
                        Map.entry("buffers_pool_memory_uncarved_bytes", "gauge"),
                        Map.entry("buffers_pool_memory_lost_bytes", "gauge"),
                        Map.entry("buffers_pool_memory_dropped_bytes", "gauge"),
                        Map.entry("buffers_pool_leases_buffers", "gauge"),
                        Map.entry("buffers_pool_regions", "gauge"),
                        Map.entry("buffers_pool_slabs", "gauge"),
                        Map.entry("buffers_pool_waiters", "gauge"),
                        Map.entry("buffers_pool_acquires_total", "counter"),
                        Map.entry("buffers_pool_releases_total", "counter"),
                        Map.entry("buffers_pool_leaks_total", "counter"),
                        Map.entry("buffers_pool_collections_total", "counter"),
                        Map.entry("buffers_pool_trimmed_bytes_total", "counter"),
                        Map.entry("buffers_pool_waits_seconds", "summary"),
                        Map.entry("buffers_pool_requested_bytes", "summary"),
                        Map.entry("buffers_pool_requested_bytes_max", "gauge"))),
                scrape.types);
        assertEquals(scrape.types.keySet(), scrape.helps.keySet());
        assertEquals(
                "The cap; pools that set no max share one, so do not add them up",
                scrape.helps.get("buffers_pool_memory_max_bytes"));
    }

    @Test
    void valuesAndLabels() throws Exception {
        BufferPoolMetrics.monitor(registry, pool, "app", "shop");
        PooledBuffer lease = pool.acquire(1000);
        PooledBuffer huge = pool.acquire(1 << 20);
        scrape();
        Scrape scrape = scrape();
        for (Scrape.Sample sample : scrape.samples.keySet()) {
            assertEquals("web", sample.labels().get("pool"), sample.toString());
            assertEquals("direct-view", sample.labels().get("policy"), sample.toString());
            assertEquals("direct", sample.labels().get("memory"), sample.toString());
            assertEquals("shop", sample.labels().get("app"), sample.toString());
        }
        assertEquals(4 << 20, scrape.value("buffers_pool_memory_max_bytes"));
        assertEquals(1024 + (1 << 20), scrape.value("buffers_pool_memory_leased_bytes"));
        assertEquals(1, scrape.value("buffers_pool_leases_buffers", "size", "1024"));
        assertEquals(1, scrape.value("buffers_pool_leases_buffers", "size", "other"));
        assertEquals(2, scrape.value("buffers_pool_leases_buffers"));
        assertEquals(2, scrape.value("buffers_pool_acquires_total"));
        assertEquals(1, scrape.value("buffers_pool_acquires_total", "outcome", "oversize"));
        lease.release();
        huge.release();
        assertEquals(2, scrape().value("buffers_pool_releases_total", "outcome", "recycled"));
    }

    @Test
    void waitsAndRequestedSizes() throws Exception {
        BufferPoolMetrics.builder(pool)
                .waits()
                .requestedSizes()
                .tags("app", "shop")
                .monitor(registry);
        PooledBuffer all = pool.acquire(4 << 20);
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(1000, Duration.ofMillis(2)));
        Scrape scrape = scrape();
        assertEquals(1, scrape.value("buffers_pool_waits_seconds_count", "pool", "web", "app", "shop"));
        assertEquals(pool.stats().waitedNanos() / 1e9, scrape.exactly("buffers_pool_waits_seconds_sum"), 1e-12);
        assertTrue(scrape.exactly("buffers_pool_waits_seconds_sum") >= 0.002);
        assertEquals(2, scrape.value("buffers_pool_requested_bytes_count", "pool", "web", "app", "shop"));
        assertEquals((4 << 20) + 1000, scrape.value("buffers_pool_requested_bytes_sum"));
        assertEquals(4 << 20, scrape.value("buffers_pool_requested_bytes_max"));
        all.release();
    }

    /** As docs/metrics.md says it is done; with no more buckets than there are sizes that anybody looks at. */
    @Test
    void requestedSizesAsAHistogram() throws Exception {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().equals("buffers.pool.requested")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        });
        BufferPoolMetrics.builder(pool).requestedSizes().monitor(registry);
        for (int size : new int[] {1, 100, 128, 5000, 1 << 20}) {
            pool.acquire(size).release();
        }
        Scrape scrape = scrape();
        assertEquals("histogram", scrape.types.get("buffers_pool_requested_bytes"));
        assertEquals(3, scrape.value("buffers_pool_requested_bytes_bucket", "le", "128.0"));
        assertEquals(5, scrape.value("buffers_pool_requested_bytes_bucket", "le", "+Inf"));
        long buckets = scrape.samples.keySet().stream()
                .filter(sample -> sample.name().equals("buffers_pool_requested_bytes_bucket"))
                .count();
        // Four to each doubling from 128 bytes to 1 MiB; without the two ends there would be 276.
        assertTrue(buckets > 40 && buckets < 60, () -> buckets + " buckets");
    }

    /** R2: a new size is registered in the midst of a scrape. */
    @Test
    void leasesAddUpInEveryScrape() throws Exception {
        BufferPoolMetrics.monitor(registry, pool);
        List<PooledBuffer> leases = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            assertEquals(n, scrape().value("buffers_pool_leases_buffers"));
            leases.add(pool.acquire(1024 + n * 512));
        }
        leases.forEach(PooledBuffer::release);
    }

    @Test
    void twoPoolsOneGoesAndComesBack() throws Exception {
        try (BufferPool files = BufferPool.builder("files").policy("heap").build()) {
            BufferPoolMetrics ofWeb = BufferPoolMetrics.monitor(registry, pool);
            BufferPoolMetrics ofFiles = BufferPoolMetrics.monitor(registry, files);
            pool.acquire(100).release();
            files.acquire(100).release();
            files.acquire(100).release();
            Scrape scrape = scrape();
            assertEquals(1, scrape.value("buffers_pool_acquires_total", "pool", "web"));
            assertEquals(2, scrape.value("buffers_pool_acquires_total", "pool", "files"));

            ofWeb.close();
            scrape = scrape();
            assertFalse(scrape.samples.keySet().stream()
                    .anyMatch(sample -> sample.labels().containsValue("web")));
            assertEquals(2, scrape.value("buffers_pool_acquires_total"));

            BufferPoolMetrics.monitor(registry, pool);
            assertEquals(1, scrape().value("buffers_pool_acquires_total", "pool", "web"));
            ofFiles.close();
            assertEquals(1, scrape().value("buffers_pool_acquires_total"));
            ofWeb.close();
            assertEquals(1, scrape().value("buffers_pool_acquires_total"));
        }
    }

    @Test
    void nothingIsLeftAfterClose() throws Exception {
        BufferPoolMetrics metrics = BufferPoolMetrics.monitor(registry, pool);
        pool.acquire(100).release();
        scrape();
        metrics.close();
        Scrape scrape = scrape();
        assertTrue(scrape.samples.isEmpty(), () -> scrape.samples.toString());
    }
}
