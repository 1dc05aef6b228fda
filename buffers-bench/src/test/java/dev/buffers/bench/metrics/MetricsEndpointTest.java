// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.metrics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The meters that an endpoint shows, its address, and its clients. */
class MetricsEndpointTest {
    private static final MetricsPort ANY = new MetricsPort(0);

    @Test
    void aPoolAndItsJvm() throws Exception {
        try (BufferPool pool = BufferPool.builder("shown").policy("heap-view").build();
                MetricsEndpoint endpoint = MetricsEndpoint.start(ANY, Optional.of(pool));
                PooledBuffer lease = pool.acquire(1000)) {
            assertTrue(lease.isOpen());
            Scrape scrape = scrapeAfter(endpoint, "buffers_pool_leases_buffers", 1);
            String[] labels = {"pool=\"shown\"", "policy=\"heap-view\"", "memory=\"heap\""};
            assertEquals(1024, scrape.sum("buffers_pool_memory_leased_bytes", labels));
            assertEquals(1, scrape.sum("buffers_pool_acquires_total", labels));
            assertTrue(scrape.sum("jvm_memory_used_bytes", "area=\"heap\"") > 0);
            assertTrue(scrape.has("jvm_buffer_memory_used_bytes", "id=\"direct\""));
            assertTrue(scrape.has("jvm_gc_memory_allocated_bytes_total"));
        }
    }

    /** A scrape shows a look that may be a little older, or begins with such a one and ends with the next: so the one after it. */
    private static Scrape scrapeAfter(MetricsEndpoint endpoint, String name, long value) throws Exception {
        while (Scrape.of(endpoint.url()).sum(name) != value) {
            Thread.onSpinWait();
        }
        return Scrape.of(endpoint.url());
    }

    @Test
    void aServerWithoutAPoolShowsItsJvm() throws Exception {
        try (MetricsEndpoint endpoint = MetricsEndpoint.start(ANY, Optional.empty())) {
            Scrape scrape = Scrape.of(endpoint.url());
            assertTrue(scrape.has("jvm_memory_used_bytes"));
            assertFalse(scrape.has("buffers_pool_memory_max_bytes"));
        }
    }

    @Test
    void nothingElseIsThere() throws Exception {
        try (MetricsEndpoint endpoint = MetricsEndpoint.start(ANY, Optional.empty())) {
            String root = endpoint.url().replace("/metrics", "");
            for (String path : List.of("", "/", "/metric", "/-/healthy", "/index.html")) {
                assertEquals(404, Scrape.ask(root + path).statusCode(), path);
            }
            assertEquals(200, Scrape.ask(root + "/metrics?name=x").statusCode());
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            MetricsPort port = new MetricsPort(taken.getLocalPort());
            String why = assertThrows(IOException.class, () -> MetricsEndpoint.start(port, Optional.empty()))
                    .getMessage();
            assertTrue(why.contains("--metrics=" + port.number() + ": Address already in use"), why);
            assertTrue(why.contains("any free one"), why);
        }
    }

    @Test
    void onlyTheLoopbackInterfaceListens() throws Exception {
        try (MetricsEndpoint endpoint = MetricsEndpoint.start(ANY, Optional.empty())) {
            int port = URI.create(endpoint.url()).getPort();
            for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
                for (InetAddress address : network.inetAddresses().toList()) {
                    if (!address.isLoopbackAddress()) {
                        assertThrows(IOException.class, () -> new Socket(address, port).close(), address.toString());
                    }
                }
            }
        }
    }

    /** Clients that open a request and never end it. */
    @Test
    void stuckClientsDelayNoOtherClient() throws Exception {
        try (MetricsEndpoint endpoint = MetricsEndpoint.start(ANY, Optional.empty())) {
            InetSocketAddress address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), URI.create(endpoint.url()).getPort());
            List<Socket> stuck = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Socket socket = new Socket();
                socket.connect(address);
                socket.getOutputStream().write("GET /metr".getBytes(ISO_8859_1));
                stuck.add(socket);
            }
            assertTrue(Scrape.of(endpoint.url()).has("jvm_memory_used_bytes"));
            for (Socket socket : stuck) {
                socket.close();
            }
        }
    }

    @Test
    void closeFreesPortAndLeavesPoolOpen() throws Exception {
        try (BufferPool pool = BufferPool.builder("shown").build()) {
            MetricsEndpoint endpoint = MetricsEndpoint.start(ANY, Optional.of(pool));
            Scrape.of(endpoint.url());
            endpoint.close();
            assertThrows(IOException.class, () -> Scrape.of(endpoint.url()));
            pool.acquire(100).release();
            assertEquals(0, pool.stats().leases());
        }
    }
}
