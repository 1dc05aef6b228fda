// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.http.RawClient.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests made to get a file that is not the site's, to hide one request in another, or to write into the answer, over a socket. */
class HostileRequestsTest {
    private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";
    private static final String MARK = "injected";

    @TempDir
    private static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() throws IOException {
        Path real = folder.toRealPath();
        Path site = Files.createDirectories(real.resolve("site/sub")).getParent();
        Path secret = Files.writeString(real.resolve("secret.txt"), "secret");
        Files.writeString(site.resolve("index.html"), "the root");
        Files.writeString(site.resolve("sub/index.html"), "sub");
        Files.createSymbolicLink(site.resolve("outside"), real);
        Files.createSymbolicLink(site.resolve("outside.txt"), secret);
        Files.createSymbolicLink(site.resolve("sub/up"), Path.of("../.."));
        server = TestServer.start(
                site, "direct-view", 4 << 20, o -> o.withWorkers(1).withIdleTimeout(Duration.ofMinutes(10)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void nothingIsOut() throws InterruptedException {
        server.assertCalm();
    }

    static Stream<String> paths() {
        return Stream.of(
                // dots, encoded and not, also those that would stay inside
                "/../secret.txt",
                "/%2e%2e/secret.txt",
                "/.%2E/secret.txt",
                "/%2e%2e%2fsecret.txt",
                "/sub/%2e%2e/%2e%2e/secret.txt",
                "/sub/../index.html",
                "/..;/secret.txt",
                "/..;x=y/secret.txt",
                "/%u002e%u002e/secret.txt",
                "/%ef%bc%8e%ef%bc%8e/secret.txt",
                // decoded twice
                "/%252e%252e/secret.txt",
                "/%25%32%65%25%32%65/secret.txt",
                "/index.html%2500",
                // longer than UTF-8 allows, or none
                "/%c0%ae%c0%ae/secret.txt",
                "/%e0%80%ae%e0%80%ae/secret.txt",
                "/%f0%80%80%ae%f0%80%80%ae/secret.txt",
                "/..%c0%afsecret.txt",
                "/%ed%a0%80",
                "/%f5%80%80%80",
                "/%ff",
                "/%",
                "/%2",
                // backslashes
                "/..\\secret.txt",
                "/..%5csecret.txt",
                "/sub\\index.html",
                "/%5c%5clocalhost%5cshare",
                // NUL and other controls
                "/index.html%00",
                "/index.html%00.txt",
                "/%00/../secret.txt",
                "/index.html%0a",
                "/index.html%7f",
                "/index.html%c2%85",
                // absolute
                "//etc/passwd",
                "///etc/passwd",
                "/%2fetc/passwd",
                "/etc/passwd",
                "file:///etc/passwd",
                "http://a/../secret.txt",
                "http://a//etc/passwd",
                "http:///index.html",
                "http://?/index.html",
                // what another system would take for something else
                "/C:/Windows/win.ini",
                "/c:%5cwindows",
                "/CON",
                "/index.html::$DATA",
                "/index.html.",
                "/index.html%20",
                "/INDEX~1.HTM",
                // links out of the folder
                "/outside/secret.txt",
                "/outside.txt",
                "/sub/up/secret.txt",
                // very long ones
                "/" + "a".repeat(8000),
                "/a".repeat(4000),
                "/" + "%61".repeat(2600),
                "/sub/" + "./".repeat(3900) + "index.html",
                "/" + "sub/../".repeat(1000) + "../secret.txt",
                "/outside/site".repeat(500) + "/index.html");
    }

    @ParameterizedTest
    @MethodSource("paths")
    void noPathLeadsOutOfSite(String path) throws IOException {
        try (RawClient client = server.connect()) {
            Reply reply = client.get(path).reply();
            assertTrue(reply.status() == 404 || reply.status() == 400, reply::head);
            assertEquals(reply.head().substring(9).lines().findFirst().orElseThrow() + "\n", text(reply));
            assertEquals("the root", text(client.get("/index.html").reply()), "the next request");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1\r\nContent-Length: 30\r\n",
                "Content-Length: 30\r\nContent-Length: 30\r\n",
                "Content-Length: 30, 30\r\n",
                "Content-Length: +30\r\n",
                "Content-Length: -0\r\n",
                "Content-Length: 3 0\r\n",
                "Content-Length: 0x1e\r\n",
                "Content-Length: 30;\r\n",
                "Content-Length: \r\n",
                "Content-Length: 18446744073709551646\r\n",
                "Content-Length : 30\r\n",
                "Content-Length\t: 30\r\n",
                " Content-Length: 30\r\n",
                "Content-Length: 30\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 30\r\n",
                "transfer-encoding: identity\r\nContent-Length: 30\r\n",
                "Transfer-Encoding: chunked\r\n",
                "TRANSFER-ENCODING: \t chunked \r\n",
                "Transfer-Encoding: x, chunked\r\n",
                "Transfer-Encoding:\r\n",
                "Transfer-Encoding : chunked\r\n",
                "Transfer-Encoding:\u000bchunked\r\n",
                "X: a\r\n Transfer-Encoding: chunked\r\n",
                "X: a\nTransfer-Encoding: chunked\r\n",
                "X: a\rTransfer-Encoding: chunked\r\n",
                "X: a\u0000b\r\n",
                "X\u00e9: a\r\n",
                "Host: b\r\n",
                "host: a\r\n"
            })
    void noRequestHidesInAnother(String fields) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /index.html" + HOST + fields + "\r\n0\r\n\r\nGET /sub/index.html" + HOST + "\r\n");
            Reply reply = client.reply();
            assertTrue(reply.status() == 400 || reply.status() == 501, reply::head);
            assertTrue(reply.closes());
            assertEquals(0, client.drain(), "bytes after the refusal");
        }
    }

    @Test
    void bodyIsNotParsedAsRequest() throws IOException {
        String hidden = "GET /sub/index.html" + HOST + "\r\n";
        try (RawClient client = server.connect()) {
            client.send("GET /index.html" + HOST + "Content-Length: 0000" + hidden.length() + "\r\n\r\n" + hidden)
                    .get("/missing");
            assertEquals("the root", text(client.reply()));
            assertEquals(404, client.reply().status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /x%0d%0aX-Mark:%20injected HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /injected<script> HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /?injected HTTP/1.1\r\nHost: injected\r\nCookie: injected\r\n\r\n",
                "INJECTED /injected HTTP/1.1\r\nHost: injected\r\n\r\n",
                "GET / HTTP/1.injected\r\n\r\n",
                "GET /injected\r\nX-Mark: injected\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: injected\r\ninjected\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=injected\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: injected\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: injected\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: injected\u0001\r\n\r\n"
            })
    void noAnswerRepeatsRequest(String request) throws IOException {
        try (RawClient client = server.connect()) {
            Reply reply = client.send(request).reply();
            assertFalse((reply.head() + text(reply)).toLowerCase(Locale.ROOT).contains(MARK), reply::head);
        }
    }

    /** JetLeak (CVE-2015-2080): the error message showed what an earlier client's request had left in the buffer. */
    @Test
    void noErrorTellsOfEarlierClients() throws IOException {
        for (int i = 0; i < 50; i++) {
            try (RawClient earlier = server.connect()) {
                earlier.send("GET /" + MARK.repeat(20) + HOST + "Cookie: " + MARK.repeat(500) + "\r\n\r\n");
                assertEquals(404, earlier.reply().status());
            }
            try (RawClient later = server.connect()) {
                Reply reply = later.send("GET /index.html" + HOST + "Referer: \u0000\r\n\r\n")
                        .reply();
                assertEquals(400, reply.status());
                assertFalse((reply.head() + text(reply)).contains(MARK));
                assertEquals(0, later.drain());
            }
        }
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.ISO_8859_1);
    }
}
