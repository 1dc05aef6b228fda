// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.load.LoadPlan;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server on virtual threads; without any, that it says so. */
class VirtualHttpServerTest {
    @TempDir
    private Path folder;

    @Test
    void servesKeepsAliveAndTimesOut() throws Exception {
        TestServer.fill(folder);
        ServerOptions options = ServerOptions.of(folder).withMaxRequests(7).withIdleTimeout(Duration.ofMillis(600));
        try (BufferPool pool = BufferPool.builder("test").build()) {
            BufferSource source = new PooledBuffers(pool);
            if (VirtualThreads.obstacle().isPresent()) {
                assertThrows(IllegalStateException.class, () -> new VirtualHttpServer(options, source));
                return;
            }
            try (Server server = new VirtualHttpServer(options, source)) {
                LoadPlan plan = LoadPlan.closed(20, Duration.ofSeconds(20)).withMaxResponses(500);
                var result = new HttpLoad(Documents.of(folder)).run(plan, server.port());
                assertEquals(500, result.responses());
                assertTrue(result.connects() >= 500 / 7, "one connection for every seven requests");
                assertTrue(Footprint.allocatedBytes() > 500 * 100);
                try (RawClient client = new RawClient(server.port())) {
                    assertTrue(client.isAtEnd(), "a silent connection is closed");
                }
                while (server.connections() > 0 || pool.stats().leasedBytes() > 0) {
                    Thread.sleep(1);
                }
                assertEquals(0, server.failures());
            }
        }
    }
}
