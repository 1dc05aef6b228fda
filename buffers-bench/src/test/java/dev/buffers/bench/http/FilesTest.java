// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The JDK's own client gets every file byte by byte as it is on disk. */
@Tag("full")
class FilesTest {
    static final String[] POLICIES = TestServer.POLICIES;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void fill() throws IOException {
        TestServer.fill(folder);
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void filesArriveAsTheyAreUnderEachPolicy(String policy) throws Exception {
        try (TestServer server = TestServer.start(folder, policy)) {
            getAll(server);
        }
    }

    static Stream<BufferSource> rivals() {
        return Stream.of(new FreshBuffers(ByteBuffer::allocate), new FreshBuffers(ByteBuffer::allocateDirect));
    }

    @ParameterizedTest
    @MethodSource("rivals")
    void filesArriveAsTheyAreFromTheRivals(BufferSource rival) throws Exception {
        try (TestServer server = TestServer.start(folder, rival, UnaryOperator.identity())) {
            getAll(server);
        }
    }

    private static void getAll(TestServer server) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int size : TestServer.SIZES) {
            HttpResponse<byte[]> response =
                    client.send(request(server, "/" + size + ".bin"), HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(200, response.statusCode());
            assertArrayEquals(Files.readAllBytes(folder.resolve(size + ".bin")), response.body(), "size=" + size);
        }
    }

    private static HttpRequest request(TestServer server, String target) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + target))
                .build();
    }

    @Test
    void headersDescribeFile() throws Exception {
        Path page = Files.writeString(folder.resolve("page.html"), "<p>hello");
        Files.setLastModifiedTime(page, FileTime.from(Instant.parse("2020-02-03T04:05:06Z")));
        try (TestServer server = TestServer.start(folder, "direct-view");
                RawClient client = server.connect()) {
            RawClient.Reply reply = client.get("/page.html").reply();
            assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
            assertEquals("Mon, 03 Feb 2020 04:05:06 GMT", reply.header("Last-Modified"));
            assertEquals("none", reply.header("Accept-Ranges"));
            assertTrue(reply.header("Date")
                    .matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT"));
        }
    }

    @Test
    void fileShrinkingDuringSendEndsConnection() throws Exception {
        Path file = Files.write(folder.resolve("shrinking.bin"), new byte[64 << 20]);
        try (TestServer server = TestServer.start(folder, "direct-view")) {
            try (RawClient client = RawClient.slow(server.port())) {
                client.get("/shrinking.bin").read();
                Files.write(file, new byte[10]);
                assertTrue(client.drain() < 64 << 20);
            }
            server.assertCalm();
        }
    }
}
