// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.LoadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A load over TLS on each framework's server, on this library's pool. */
@Tag("full")
class SecureLoadTest {
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow", "grizzly"})
    void everyAnswerOverTlsIsRight(String framework, @TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("small.txt"), "some text");
        Files.write(folder.resolve("large.bin"), new byte[100_000]);
        Tls tls = Tls.create();
        try (Embedded server = FrameworkProgram.start(framework, Contents.read(folder), Work.STREAMS, true, tls)) {
            HttpLoad load = new HttpLoad(Documents.of(folder), framework, Tls.client());
            LoadResult result = load.run(LoadPlan.closed(8, SHORT), server.port()); // it checks each byte
            if (result.responses() <= 8) { // a busy machine makes no more handshakes in that time
                result = load.run(LoadPlan.closed(8, LONG), server.port());
            }
            long responses = result.responses();
            assertTrue(responses > 8, () -> framework + ": responses=" + responses);
            assertEquals(8, result.connects());
            long reserved = server.pools().stream()
                    .map(BufferPool::stats)
                    .mapToLong(PoolStats::reservedBytes)
                    .sum();
            assertTrue(reserved > 0, () -> framework + ": reserved=" + reserved);
        }
    }
}
