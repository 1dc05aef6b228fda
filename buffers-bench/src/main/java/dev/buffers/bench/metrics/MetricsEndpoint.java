// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.metrics;

import com.sun.net.httpserver.HttpExchange;
import dev.buffers.BufferPool;
import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;

/**
 * The endpoint for a Prometheus server: a pool's meters, and those of the JVM's memory and collections, at {@code /metrics} on a separate
 * loopback port, until the endpoint is closed. Any threads.
 */
public final class MetricsEndpoint implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final HTTPServer server;

    private MetricsEndpoint(MetricsPort port, Optional<BufferPool> pool) throws IOException {
        pool.ifPresent(shown -> BufferPoolMetrics.monitor(registry, shown));
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        try {
            server = HTTPServer.builder()
                    .inetAddress(InetAddress.getLoopbackAddress())
                    .port(port.number())
                    .registry(registry.getPrometheusRegistry())
                    .registerHealthHandler(false)
                    .defaultHandler(MetricsEndpoint::nothing)
                    .buildAndStart();
        } catch (IOException e) {
            collections.close();
            throw new IOException(
                    "cannot listen on the port of " + port.option() + ": " + e.getMessage()
                            + "; 0, or no number, is any free one",
                    e);
        }
    }

    /**
     * Begins to answer.
     *
     * @param pool whose meters are shown beside the JVM's; the registry keeps it until this is closed
     */
    public static MetricsEndpoint start(MetricsPort port, Optional<BufferPool> pool) throws IOException {
        return new MetricsEndpoint(port, pool);
    }

    private static void nothing(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(404, -1);
        }
    }

    /** Where it is. */
    public String url() {
        return "http://localhost:" + server.getPort() + "/metrics";
    }

    /** Stops to answer and lets go of the pool, which it does not close. */
    @Override
    public void close() {
        server.close();
        collections.close();
        registry.close();
    }
}
