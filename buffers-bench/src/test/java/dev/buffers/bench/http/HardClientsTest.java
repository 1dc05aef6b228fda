// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** Clients that dawdle, and clients that vanish, under each policy: afterwards nothing is leased. */
@Tag("full")
class HardClientsTest {
    static final String[] POLICIES = TestServer.POLICIES;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void fill() throws IOException {
        TestServer.fill(folder);
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void aClientThatReadsAByteAtATimeGetsEverything(String policy) throws Exception {
        try (TestServer server = TestServer.start(folder, policy)) {
            try (RawClient client = RawClient.slow(server.port())) {
                client.send("HEAD /1048576.bin HTTP/1.1\r\nHost: a\r\n\r\n").replyWithoutBody();
                client.get("/100000.bin").get("/1048576.bin").get("/1.bin");
                assertArrayEquals(content(100_000), slowly(client, 100_000));
                assertArrayEquals(content(1 << 20), client.reply().body());
                assertArrayEquals(content(1), client.reply().body());
            }
            server.assertCalm();
        }
    }

    private static byte[] slowly(RawClient client, int size) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) client.read());
        }
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
            body[i] = (byte) client.read();
        }
        return body;
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void aRequestThatComesByteByByteIsAnswered(String policy) throws Exception {
        try (TestServer server = TestServer.start(folder, policy)) {
            try (RawClient client = server.connect()) {
                for (char c : "GET /8193.bin HTTP/1.1\r\nHost: a\r\n\r\n".toCharArray()) {
                    client.send(String.valueOf(c));
                    Thread.sleep(1);
                }
                assertArrayEquals(content(8193), client.reply().body());
            }
            server.assertCalm();
        }
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void clientsThatVanishLeaveNothingBehind(String policy) throws Exception {
        try (TestServer server =
                TestServer.start(folder, policy, 4 << 20, o -> o.withIdleTimeout(Duration.ofSeconds(5)))) {
            for (int i = 0; i < 20; i++) {
                List<RawClient> clients = new ArrayList<>();
                for (int j = 0; j < 4; j++) {
                    clients.add(RawClient.slow(server.port()));
                }
                clients.get(0).get("/1048576.bin").read(); // in the middle of a response
                clients.get(1).send("GET /1048576.bin HTTP/1.1\r\nHo"); // in the middle of a request
                clients.get(2).get("/1048576.bin").get("/1048576.bin").read(); // with another request waiting
                clients.get(3).get("/200.bin"); // without a look at the answer
                for (RawClient client : clients) {
                    if (i % 2 == 0) {
                        client.reset();
                    } else {
                        client.close();
                    }
                }
            }
            server.assertCalm();
        }
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void aClientThatStopsReadingIsDroppedAfterAWhile(String policy) throws Exception {
        try (TestServer server =
                TestServer.start(folder, policy, 4 << 20, o -> o.withIdleTimeout(Duration.ofSeconds(2)))) {
            try (RawClient client = RawClient.slow(server.port())) {
                for (int i = 0; i < 20; i++) {
                    client.get("/1048576.bin");
                }
                client.read();
                server.assertCalm();
            }
        }
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void aServerThatClosesTakesEverythingBack(String policy) throws Exception {
        TestServer server = TestServer.start(folder, policy);
        try (server;
                RawClient sending = RawClient.slow(server.port());
                RawClient asking = server.connect()) {
            sending.get("/1048576.bin").get("/1048576.bin").read();
            asking.send("GET /104");
            while (server.leased() == 0) {
                Thread.sleep(1);
            }
        }
        assertEquals(0, server.server().connections());
        assertTrue(server.leased() == 0);
    }

    private static byte[] content(int size) throws IOException {
        return Files.readAllBytes(folder.resolve(size + ".bin"));
    }
}
