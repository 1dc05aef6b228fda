// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolStats;
import java.io.EOFException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS of the server on selectors. */
class EmbeddedNioTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(300);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordsThatComeTogetherAreAnsweredToTheEnd(boolean ours, @TempDir Path folder) throws Exception {
        byte[] large = new byte[Waiters.LONG_DOWNLOAD]; // more than the system takes
        new Random(1).nextBytes(large);
        Files.write(folder.resolve("large"), large);
        Files.write(folder.resolve("small"), Waiters.ANSWER);
        Contents contents = new Contents(folder, Map.of());
        try (Embedded server = EmbeddedNio.start(contents, ours, Tls.create())) {
            try (Wire wire = Wire.connect(server.port(), Tls.client().getSocketFactory(), "http/1.1")) {
                wire.request("GET", Waiters.LARGE, "");
                wire.request("GET", Waiters.SMALL, "");
                wire.request("GET", Waiters.LARGE, "Connection: close\r\n");
                for (byte[] content : new byte[][] {large, Waiters.ANSWER, large}) {
                    assertArrayEquals(content, wire.read(Wire.length(wire.readHead(200))));
                }
                assertThrows(EOFException.class, wire::read);
            }
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (server.sum(PoolStats::leases) > 0) {
                assertTrue(System.nanoTime() - end < 0, () -> server.pools().toString());
                Thread.onSpinWait();
            }
        }
    }
}
