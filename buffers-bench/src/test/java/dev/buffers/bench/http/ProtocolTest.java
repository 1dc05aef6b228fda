// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.http.RawClient.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server answers to what, and when it closes. */
@Tag("full")
class ProtocolTest {
    private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";

    @TempDir
    private static Path folder;

    private TestServer server;

    @BeforeAll
    static void fill() throws IOException {
        TestServer.fill(folder);
    }

    @BeforeEach
    void start() throws IOException {
        server = server(Duration.ofMinutes(10)); // a client that the machine holds up is not silent
    }

    private static TestServer server(Duration idleTimeout) throws IOException {
        return TestServer.start(
                folder,
                "direct-view",
                4 << 20,
                options -> options.withMaxRequests(5).withIdleTimeout(idleTimeout));
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.assertCalm();
        server.close();
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /200.bin" + HOST + "\r\nHEAD /100000.bin" + HOST + "\r\nGET /missing" + HOST
                    + "\r\nGET /100000.bin" + HOST + "\r\nGET /1.bin" + HOST + "\r\n");
            assertArrayEquals(content(200), client.reply().body());
            assertEquals("100000", client.replyWithoutBody().header("Content-Length"));
            assertEquals(404, client.reply().status());
            assertArrayEquals(content(100_000), client.reply().body());
            assertArrayEquals(content(1), client.reply().body());
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void aConnectionEndsWithItsLastRequest() throws IOException {
        try (RawClient client = server.connect()) {
            for (int i = 1; i < 5; i++) {
                assertFalse(client.get("/200.bin").reply().closes());
            }
            assertTrue(client.get("/200.bin").reply().closes());
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void requestsBeyondTheLastDoNotCostTheLastAnswer() throws IOException {
        try (RawClient client = server.connect()) {
            client.send(("GET /1048576.bin" + HOST + "\r\n").repeat(50));
            for (int i = 0; i < 5; i++) {
                assertArrayEquals(content(1 << 20), client.reply().body());
            }
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void headIsAnsweredWithoutABody() throws IOException {
        try (RawClient client = server.connect()) {
            Reply head = client.send("HEAD /8193.bin" + HOST + "\r\n").replyWithoutBody();
            assertEquals(200, head.status());
            assertEquals("8193", head.header("Content-Length"));
            assertEquals(
                    404,
                    client.send("HEAD /missing" + HOST + "\r\n")
                            .replyWithoutBody()
                            .status());
            assertEquals(200, client.get("/1.bin").reply().status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-9", "bytes=900-", "lines=1-2"})
    void aRangeIsIgnored(String range) throws IOException {
        try (RawClient client = server.connect()) {
            Reply reply = client.send("GET /200.bin" + HOST + "Range: " + range + "\r\n\r\n")
                    .reply();
            assertEquals(200, reply.status());
            assertEquals("none", reply.header("Accept-Ranges"));
            assertArrayEquals(content(200), reply.body());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /missing HTTP/1.1, 404, false",
        "GET /../x HTTP/1.1, 404, false",
        "GET /%zz HTTP/1.1, 400, false",
        "DELETE /200.bin HTTP/1.1, 405, false",
        "get /200.bin HTTP/1.1, 405, false",
        "GET /200.bin HTTP/3.0, 505, true",
        "GET /200.bin, 400, true"
    })
    void errorsHaveTheirStatus(String line, int status, boolean closes) throws IOException {
        try (RawClient client = server.connect()) {
            Reply reply = client.send(line + "\r\nHost: a\r\n\r\n").reply();
            assertEquals(status, reply.status());
            assertEquals(closes, reply.closes());
            assertEquals(status == 405 ? "GET, HEAD" : "", reply.header("Allow"));
        }
    }

    @Test
    void targetAndHeadersBeyondLimitAreRefused() throws IOException {
        try (RawClient client = server.connect()) {
            assertEquals(414, client.get("/" + "x".repeat(9000)).reply().status());
            assertTrue(client.isAtEnd());
        }
        try (RawClient client = server.connect()) {
            assertEquals(
                    431,
                    client.send("GET /" + HOST + "X: " + "x".repeat(100_000) + "\r\n\r\n")
                            .reply()
                            .status());
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void bodiesAreSkippedOrRefusedButNeverTakenForRequests() throws IOException {
        String smuggled = "GET /1.bin" + HOST + "\r\n";
        try (RawClient client = server.connect()) {
            client.send("POST /200.bin" + HOST + "Content-Length: " + smuggled.length() + "\r\n\r\n" + smuggled);
            assertEquals(405, client.reply().status());
            client.send("GET /200.bin" + HOST + "Content-Length: 20000\r\n\r\n");
            assertArrayEquals(content(200), client.reply().body());
            client.send("x".repeat(20_000)).get("/8192.bin");
            assertArrayEquals(content(8192), client.reply().body());
        }
        try (RawClient client = server.connect()) {
            client.send("GET /200.bin" + HOST + "Content-Length: 1000000000\r\n\r\n" + smuggled);
            assertEquals(413, client.reply().status());
            assertTrue(client.isAtEnd());
        }
        try (RawClient client = server.connect()) {
            client.send("GET /200.bin" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled);
            assertEquals(501, client.reply().status());
            assertTrue(client.isAtEnd());
        }
        try (RawClient client = server.connect()) {
            client.send("PUT /200.bin" + HOST + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertTrue(client.reply().closes());
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void oldClientsAreServedToo() throws IOException {
        try (RawClient client = server.connect()) {
            Reply first = client.send("GET /200.bin HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
                    .reply();
            assertEquals("keep-alive", first.header("Connection"));
            assertTrue(client.send("GET /200.bin HTTP/1.0\r\n\r\n").reply().closes());
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void aSilentConnectionIsClosed() throws IOException {
        try (TestServer impatient = server(Duration.ofSeconds(2))) {
            try (RawClient silent = impatient.connect();
                    RawClient served = impatient.connect();
                    RawClient halfway = impatient.connect()) {
                served.get("/200.bin").reply();
                halfway.send("GET /200.bin HTTP/1.1\r\nHo");
                assertTrue(silent.isAtEnd());
                assertTrue(served.isAtEnd());
                assertTrue(halfway.isAtEnd());
            }
        }
    }

    private static byte[] content(int size) throws IOException {
        return Files.readAllBytes(folder.resolve(size + ".bin"));
    }
}
