// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.metrics.MetricsEndpoint;
import dev.buffers.bench.metrics.MetricsPort;
import dev.buffers.bench.metrics.Scrape;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The meters of a server under load, fetched over HTTP: they tell what it serves, and that it gave everything back. */
class ServedMetricsTest {
    static final String[] POLICIES = TestServer.POLICIES;

    private static final String ACQUIRES = "buffers_pool_acquires_total";
    private static final String RELEASES = "buffers_pool_releases_total";
    private static final String RECYCLED = "outcome=\"recycled\"";
    private static final String LEASED = "buffers_pool_memory_leased_bytes";
    private static final int GROWTHS = 3;
    private static final int MOST_STALE = 1000;

    @TempDir
    private Path folder;

    @Tag("full")
    @ParameterizedTest
    @FieldSource("POLICIES")
    void metersOfTheServedRequests(String policy) throws Exception {
        TestServer.fill(folder);
        try (TestServer server = TestServer.start(folder, policy, 64 << 20, options -> options);
                MetricsEndpoint endpoint = MetricsEndpoint.start(
                        new MetricsPort(0), server.source().pool())) {
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<Long> load = load(server.port(), enough);
            String ours = "policy=\"" + policy + "\"";
            long acquires = 0;
            int growths = 0;
            while (growths < GROWTHS && !load.isDone()) {
                Scrape scrape = Scrape.of(endpoint.url());
                long now = scrape.sum(ACQUIRES, ours);
                assertTrue(now >= acquires, "a counter went back: from " + acquires + " to " + now);
                assertTrue(scrape.sum(LEASED, ours) >= 0);
                growths += now > acquires ? 1 : 0;
                acquires = now;
            }
            enough.set(true);
            long responses = load.get();
            assertEquals(GROWTHS, growths, "scrapes that saw the load grow");
            server.assertCalm();
            Scrape rest = Scrape.of(endpoint.url());
            for (int stale = 0; stale < MOST_STALE && !isOfRest(rest, ours, responses); stale++) {
                Thread.sleep(10);
                rest = Scrape.of(endpoint.url());
            }
            assertEquals(0, rest.sum("buffers_pool_leases_buffers"));
            assertEquals(0, rest.sum(LEASED, ours));
            assertTrue(rest.sum(ACQUIRES, ours) >= responses, "a buffer at least for each answer");
            assertEquals(rest.sum(ACQUIRES, ours), rest.sum(RELEASES, ours, RECYCLED));
        }
    }

    /** A scrape may show a look at the pool that is some milliseconds old, or begin with such a one and end with the next. */
    private static boolean isOfRest(Scrape scrape, String ours, long responses) {
        return scrape.sum("buffers_pool_leases_buffers") == 0
                && scrape.sum(LEASED, ours) == 0
                && scrape.sum(ACQUIRES, ours) >= responses
                && scrape.sum(ACQUIRES, ours) == scrape.sum(RELEASES, ours, RECYCLED);
    }

    /** One load after another until it is enough; how many answers that were. */
    private CompletableFuture<Long> load(int port, AtomicBoolean enough) {
        return CompletableFuture.supplyAsync(() -> {
            LoadPlan plan = LoadPlan.closed(20, Duration.ofSeconds(60)).withMaxResponses(500);
            long responses = 0;
            try {
                HttpLoad generator = new HttpLoad(Documents.of(folder));
                while (!enough.get()) {
                    responses += generator.run(plan, port).responses();
                }
                return responses;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void theServersOwnPortShowsNone() throws Exception {
        TestServer.fill(folder);
        try (TestServer server = TestServer.start(folder, "direct-view");
                MetricsEndpoint endpoint = MetricsEndpoint.start(
                        new MetricsPort(0), server.source().pool());
                RawClient client = server.connect()) {
            assertTrue(Scrape.of(endpoint.url()).has(ACQUIRES));
            assertEquals(404, client.get("/metrics").reply().status());
        }
    }
}
