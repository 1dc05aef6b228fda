package dev.buffers.bench.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.buffers.BufferPool;
import dev.buffers.bench.net.LoopbackServer;
import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What a Prometheus server fetches: a pool's meters, and those of the JVM's memory and collections, as text at {@code /metrics} on a
 * loopback port of its own, until it is closed. Any threads.
 */
public final class MetricsEndpoint implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    /** More than one, so that a client that never ends its request does not stop the others. */
    private static final int THREADS = 4;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final ExecutorService threads =
            Executors.newFixedThreadPool(THREADS, task -> LoopbackServer.daemon(task, "metrics"));
    private final HttpServer server;

    private MetricsEndpoint(HttpServer server) {
        this.server = server;
    }

    /**
     * Begins to answer.
     *
     * @param pool whose meters are shown beside the JVM's; the registry keeps it until this is closed
     */
    public static MetricsEndpoint start(MetricsPort port, Optional<BufferPool> pool) throws IOException {
        MetricsEndpoint endpoint = new MetricsEndpoint(listen(port));
        pool.ifPresent(shown -> BufferPoolMetrics.monitor(endpoint.registry, shown));
        new JvmMemoryMetrics().bindTo(endpoint.registry);
        endpoint.collections.bindTo(endpoint.registry);
        endpoint.server.createContext("/", endpoint::answer);
        endpoint.server.setExecutor(endpoint.threads);
        endpoint.server.start();
        return endpoint;
    }

    private static HttpServer listen(MetricsPort port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.number()), 0);
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on the port of " + port.option() + ": " + e.getMessage()
                            + "; 0, or no number, is any free one",
                    e);
        }
    }

    /** Where it is. */
    public String url() {
        return "http://localhost:" + server.getAddress().getPort() + PATH;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!PATH.equals(exchange.getRequestURI().getPath())) {
                exchange.sendResponseHeaders(404, -1);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                exchange.sendResponseHeaders(405, -1);
            } else {
                byte[] body = registry.scrape().getBytes(UTF_8);
                exchange.getResponseHeaders().set("Content-Type", TEXT);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** Stops to answer and lets go of the pool, which it does not close. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        collections.close();
        registry.close();
    }
}
