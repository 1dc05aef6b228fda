// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.harness.LoadContestant.Numbers;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.metrics.Scrape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers in separate JVMs: the same program under each policy, by {@code -Dbuffers.policy} alone. */
@Tag("full")
class ServerProcessTest {
    private static final String RESERVED = "buffers_pool_memory_reserved_bytes";

    @TempDir
    private Path folder;

    @BeforeEach
    void fill() throws IOException {
        Files.write(folder.resolve("small.bin"), new byte[200]);
        Files.write(folder.resolve("large.bin"), new byte[300_000]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct-view", "unpooled", "fresh-direct"})
    void theSameProgramServesUnderEachPolicy(String buffers) throws Exception {
        boolean rival = buffers.startsWith("fresh");
        ProcessHandle handle;
        try (ServerProcess server = start(
                rival ? buffers : "pool",
                rival ? List.of() : List.of("-Dbuffers.policy=" + buffers),
                List.of("--metrics=0"))) {
            handle = ProcessHandle.of(server.jvm().pid()).orElseThrow();
            LoadPlan plan = LoadPlan.closed(20, Duration.ofSeconds(20)).withMaxResponses(500);
            assertEquals(
                    500,
                    new HttpLoad(Documents.of(folder)).run(plan, server.port()).responses());
            Numbers numbers = numbers(server);
            while (numbers.connections() > 0 || numbers.leasedBytes() > 0) {
                Thread.sleep(5);
                numbers = numbers(server);
            }
            assertEquals(0, numbers.failures());
            String ours = "policy=\"" + buffers + "\"";
            Scrape scrape = Scrape.of(server.metrics().orElseThrow());
            assertEquals(!rival, scrape.has("buffers_pool_acquires_total", ours));
            if (!rival) {
                assertTrue(scrape.sum("buffers_pool_acquires_total", ours) >= 500);
                boolean keeps = !buffers.equals("unpooled");
                while (!keeps && scrape.sum(RESERVED, ours) > 0) { // credited a moment after the lease has ended
                    Thread.sleep(5);
                    scrape = Scrape.of(server.metrics().orElseThrow());
                }
                assertEquals(keeps, scrape.sum(RESERVED, ours) > 0);
            }
        }
        handle.onExit().get(60, TimeUnit.SECONDS);
        assertFalse(handle.isAlive());
    }

    private static Numbers numbers(ServerProcess server) throws IOException, InterruptedException {
        return new ObjectMapper().readValue(server.jvm().ask(), Numbers.class);
    }

    @Test
    void aServerThatCannotStartIsAnError() {
        IOException problem =
                assertThrows(IOException.class, () -> start("pool", List.of("-Dbuffers.policy=nonsense"), List.of()));
        assertTrue(problem.getMessage().contains("its process ended"), problem.getMessage());
    }

    @Test
    void runningServerShowsItsPool() throws Exception {
        String url;
        try (ServerProcess server = start("pool", List.of("-Dbuffers.policy=heap-view"), List.of("--metrics=0"))) {
            url = server.metrics().orElseThrow();
            LoadPlan plan = LoadPlan.closed(20, Duration.ofSeconds(20)).withMaxResponses(500);
            new HttpLoad(Documents.of(folder)).run(plan, server.port());
            Scrape scrape = Scrape.of(url);
            String ours = "policy=\"heap-view\"";
            while (scrape.sum("buffers_pool_acquires_total", ours) < 500
                    || scrape.sum("buffers_pool_leases_buffers", ours) > 0) {
                Thread.sleep(10);
                scrape = Scrape.of(url);
            }
        }
        assertThrows(IOException.class, () -> Scrape.of(url));
    }

    private ServerProcess start(String source, List<String> arguments, List<String> more)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--source", source));
        options.addAll(more);
        return ServerProcess.start(source, arguments, folder, options);
    }
}
