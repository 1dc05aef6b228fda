// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What the dependency alone does for an application on a server that can be put on the pools. */
@ExtendWith(OutputCaptureExtension.class)
abstract class ServerContract {
    private static final int ROUNDS = 20;

    /** As the log names it. */
    abstract String server();

    /** The application on it, with these properties. */
    abstract RunningApplication start(String... properties);

    @Test
    void serverUsesAndShowsPoolUntilContextIsClosed(CapturedOutput output) throws Exception {
        ServerBufferPools pools;
        try (RunningApplication application = start("buffers.leaks=all", "buffers.max=32m")) {
            pools = application.pools();
            assertEquals("server", pools.pool().name());
            assertEquals("server-heap", pools.heapPool().name());
            assertTrue(
                    output.getOut().contains(server() + " takes its buffers from the pool 'server'"), output.getOut());
            long before = acquires(pools.pool());
            byte[] body = new byte[100_000];
            new Random(1).nextBytes(body);
            for (int i = 0; i < ROUNDS; i++) {
                assertEquals("hello", application.get("/hello"));
                assertArrayEquals(body, application.echo(body));
            }
            long after = acquires(pools.pool());
            assertTrue(after - before >= 2 * ROUNDS, () -> "acquires by " + ROUNDS + " requests: " + (after - before));
            assertEquals(
                    "application",
                    application.context().getBean(BufferPool.class).name());
            metersEndpointAndHealthShowThePools(application);
        }
        for (BufferPool pool : pools.all()) {
            assertEquals(0, pool.stats().leases(), pool::name);
            assertEquals(0, pool.stats().leaks(), pool::name);
            assertThrows(IllegalStateException.class, () -> pool.acquire(1));
        }
    }

    static long acquires(BufferPool pool) {
        PoolStats stats = pool.stats();
        return stats.acquiresByOutcome().values().stream()
                        .mapToLong(Long::longValue)
                        .sum()
                - stats.acquires(AcquireOutcome.REJECTED);
    }

    private static void metersEndpointAndHealthShowThePools(RunningApplication application) throws Exception {
        MeterRegistry registry = application.context().getBean(MeterRegistry.class);
        for (String name : new String[] {"server", "server-heap", "application"}) {
            assertEquals(
                    32 << 20,
                    registry.get("buffers.pool.memory.max")
                            .tag("pool", name)
                            .gauge()
                            .value());
        }
        String meter = application.get("/actuator/metrics/buffers.pool.leases?tag=pool:server");
        assertTrue(meter.contains("\"name\":\"buffers.pool.leases\""), meter);

        List<PooledBuffer> leases = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            leases.add(application.context().getBean(BufferPool.class).acquire(12_345));
        }
        String endpoint = application.get("/actuator/buffers");
        assertTrue(
                endpoint.startsWith("{\"pools\":[{\"name\":\"server\",\"settings\":[\"policy=direct-view"), endpoint);
        assertTrue(endpoint.contains("\"max=32m (property source "), endpoint);
        assertTrue(endpoint.matches(".*\\{\"leases\":3,\"capacity\":[0-9]+,\"size\":12345,.*"), endpoint);
        assertTrue(endpoint.contains("ServerContract.metersEndpointAndHealthShowThePools"), endpoint);
        assertTrue(endpoint.contains("{\"name\":\"server-heap\""), endpoint);
        assertTrue(endpoint.contains("{\"name\":\"application\""), endpoint);
        leases.forEach(PooledBuffer::release);
        String dump = application.get("/actuator/buffers/dump");
        assertTrue(dump.contains("server") && dump.contains("server-heap") && !dump.startsWith("{"), dump);
        assertEquals(404, application.status("/actuator/buffers/other"));
        String trimmed = application.post("/actuator/buffers/trim");
        assertTrue(trimmed.startsWith("{\"server\":"), trimmed);
        String tracked = application.post("/actuator/buffers/leaks/sample:128");
        assertEquals(
                "{\"server\":\"sample:128\",\"server-heap\":\"sample:128\",\"application\":\"sample:128\"}", tracked);
        assertEquals(
                "sample:128",
                application.context().getBean(BufferPool.class).leaks().toString());
        for (String[] wrong : new String[][] {
            {"leaks", "unknown operation: operation=leaks; accepted: trim, leaks/<value>"},
            {"leaks/smple:128", "bad value: leaks=smple:128; accepted: count, all, sample:<n>, or older:<duration>"},
            {"max/64m", "cannot be changed: setting=max; accepted: leaks"},
            {"other", "unknown operation: operation=other; accepted: trim, leaks/<value>"}
        }) {
            String refused = application.post("/actuator/buffers/" + wrong[0]);
            assertTrue(refused.contains("\"status\":400"), refused);
            assertTrue(refused.contains("\"error\":\"" + wrong[1]), refused);
        }

        String health = application.get("/actuator/health");
        assertTrue(
                health.startsWith("{\"components\":{\"buffers\":{\"details\":{\"server\":{\"maxBytes\":33554432")
                        || health.contains(
                                "\"buffers\":{\"status\":\"UP\",\"details\":{\"server\":{\"maxBytes\":33554432"),
                health);
    }
}
