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
    private static final int CONNECTIONS = 8;

    /** So many that one connection at least has more requests than a server answers on it by default: 100 on Tomcat, 256 on Grizzly. */
    private static final int RESPONSES = CONNECTIONS * 300;

    /** A busy machine makes fewer in that time. */
    private static final Duration MOST = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow", "grizzly", "nio"})
    void everyAnswerOverTlsIsRight(String framework, @TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("small.txt"), "some text");
        Files.write(folder.resolve("large.bin"), new byte[100_000]);
        Tls tls = Tls.create();
        try (Embedded server = FrameworkProgram.start(framework, Contents.read(folder), Work.STREAMS, true, tls)) {
            HttpLoad load = new HttpLoad(Documents.of(folder), framework, Tls.client());
            LoadPlan plan = LoadPlan.closed(CONNECTIONS, MOST).withMaxResponses(RESPONSES);
            LoadResult result = load.run(plan, server.port()); // it checks each byte
            assertTrue(result.responses() > CONNECTIONS, () -> framework + ": responses=" + result.responses());
            assertEquals(CONNECTIONS, result.connects(), framework);
            long reserved = server.pools().stream()
                    .map(BufferPool::stats)
                    .mapToLong(PoolStats::reservedBytes)
                    .sum();
            assertTrue(reserved > 0, () -> framework + ": reserved=" + reserved);
        }
    }
}
