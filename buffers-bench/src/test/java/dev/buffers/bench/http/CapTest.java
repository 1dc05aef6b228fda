// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.load.LoadPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A pool far too small for its clients: they wait, but all are served, and no byte is wrong. */
@Tag("full")
class CapTest {
    static final String[] POLICIES = TestServer.POLICIES;

    private static final int EIGHT_BUFFERS = 64 << 10;
    private static final int CLIENTS = 60;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void fill() throws IOException {
        TestServer.fill(folder);
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void manyConnectionsShareEightBuffers(String policy) throws Exception {
        try (TestServer server = TestServer.start(folder, policy, EIGHT_BUFFERS, o -> o)) {
            LoadPlan plan = LoadPlan.closed(200, Duration.ofSeconds(20)).withMaxResponses(2000);
            assertEquals(
                    2000,
                    new HttpLoad(Documents.of(folder)).run(plan, server.port()).responses());
            server.assertCalm();
        }
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void clientsThatPipelineAndReadLateAreAllServed(String policy) throws Exception {
        try (TestServer server = TestServer.start(folder, policy, EIGHT_BUFFERS, o -> o)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(server.connect());
            }
            for (RawClient client : clients) {
                client.get("/100000.bin").get("/8193.bin").get("/0.bin").get("/1.bin");
            }
            for (RawClient client : clients) {
                assertArrayEquals(content(100_000), client.reply().body());
                assertArrayEquals(content(8193), client.reply().body());
                assertArrayEquals(content(0), client.reply().body());
                assertArrayEquals(content(1), client.reply().body());
                client.close();
            }
            server.assertCalm();
        }
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void clientsVanishingWhileTheyWaitDelayNoOtherClient(String policy) throws Exception {
        try (TestServer server = TestServer.start(folder, policy, EIGHT_BUFFERS, o -> o)) {
            List<RawClient> hogs = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                RawClient hog = RawClient.slow(server.port());
                for (int j = 0; j < 8; j++) {
                    hog.get("/1048576.bin");
                }
                hogs.add(hog);
            }
            while (server.leased() < EIGHT_BUFFERS / 2) {
                Thread.sleep(1);
            }
            try (RawClient patient = server.connect()) {
                patient.get("/100000.bin");
                for (RawClient hog : hogs) {
                    hog.reset();
                }
                assertArrayEquals(content(100_000), patient.reply().body());
            }
            server.assertCalm();
        }
    }

    private static byte[] content(int size) throws IOException {
        return Files.readAllBytes(folder.resolve(size + ".bin"));
    }
}
