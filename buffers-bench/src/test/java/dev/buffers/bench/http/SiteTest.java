// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.http.Request.Method;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to a file of the folder, and none to any other. */
class SiteTest {
    private static final String OK = "200 OK";
    private static final String MISSING = "404 Not Found";
    private static final String MALFORMED = "400 Bad Request";

    @TempDir
    private Path folder;

    private Path served;
    private Site site;

    @BeforeEach
    void makeSite() throws IOException {
        Path real = folder.toRealPath();
        served = Files.createDirectories(real.resolve("site/sub")).getParent();
        Files.writeString(real.resolve("secret.txt"), "secret");
        Files.writeString(Files.createDirectories(real.resolve("site-2")).resolve("secret.txt"), "secret");
        Files.writeString(served.resolve("index.html"), "root");
        Files.writeString(served.resolve("sub/index.html"), "sub");
        Files.writeString(served.resolve("a b.txt"), "a b");
        Files.writeString(served.resolve("100%.txt"), "percent");
        Files.writeString(served.resolve("a%20b.txt"), "encoded");
        Files.writeString(served.resolve("a?b.txt"), "asked");
        Files.writeString(served.resolve("..."), "dots");
        Files.createSymbolicLink(served.resolve("inside"), served.resolve("sub"));
        Files.createSymbolicLink(served.resolve("outside"), real);
        Files.createSymbolicLink(served.resolve("outside.txt"), real.resolve("secret.txt"));
        Files.createSymbolicLink(served.resolve("sibling"), real.resolve("site-2"));
        Files.createSymbolicLink(served.resolve("loop"), served.resolve("loop"));
        site = new Site(served);
    }

    @AfterEach
    void close() {
        site.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/, root",
        "/index.html, root",
        "/index.html?x=/../y, root",
        "/sub/, sub",
        "/sub/index.html, sub",
        "/%73ub/index.html, sub",
        "/a%20b.txt, a b",
        "/100%25.txt, percent",
        "/a%2520b.txt, encoded",
        "/a%3fb.txt, asked",
        "/index.html?a|b%zz, root",
        "/..., dots",
        "http://localhost:80/index.html, root",
        "http://localhost, root",
        "http://localhost?x, root",
        "HTTP://localhost/sub/, sub"
    })
    void aTargetLeadsToItsFile(String target, String content) throws IOException {
        assertAnswer(OK, content, target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret.txt",
                "/sub/../../secret.txt",
                "/sub/../index.html",
                "/./index.html",
                "/%2e%2e/secret.txt",
                "/%2E./secret.txt",
                "/..%2fsecret.txt",
                "/%252e%252e/secret.txt",
                "/..%5csecret.txt",
                "//etc/passwd",
                "//site/index.html",
                "/sub//index.html",
                "/%c0%ae%c0%ae/secret.txt",
                "/outside/secret.txt",
                "/outside.txt",
                "/sibling/secret.txt",
                "/inside/index.html",
                "/loop",
                "/sub",
                "/missing",
                "/a?b.txt",
                "/index.html/",
                "/index.html/x",
                "/index.html%0a",
                "/index.html%00",
                "http://localhost/../secret.txt",
                "index.html",
                "*",
                "ftp://x/",
                "http:///index.html",
                "http:x",
                "mailto:x"
            })
    void thereIsNothingElse(String target) throws IOException {
        assertAnswer(MISSING, MISSING + "\n", target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%",
                "/100%.txt",
                "/%2",
                "/%zz",
                "/%+1",
                "/..\\secret.txt",
                "/sub\\index.html",
                "/a{b",
                "http://"
            })
    void malformedTargetIsRefused(String target) throws IOException {
        assertAnswer(MALFORMED, MALFORMED + "\n", target);
    }

    /** The files and their sizes are those of the beginning. */
    @Test
    void theFolderIsReadOnce() throws IOException {
        Files.writeString(served.resolve("late.txt"), "late");
        assertAnswer(MISSING, MISSING + "\n", "/late.txt");
        Files.writeString(served.resolve("sub/index.html"), "changed");
        assertAnswer(OK, "cha", "/sub/");
        Files.delete(served.resolve("index.html"));
        assertAnswer(OK, "root", "/");
    }

    @Test
    void aFileThatHasBecomeShorterFails() throws IOException {
        Response response = site.answer(get("/sub/"), false);
        Files.writeString(served.resolve("sub/index.html"), "s");
        String why = assertThrows(IOException.class, () -> response.fill(ByteBuffer.allocate(1000)))
                .getMessage();
        assertEquals("the file has become shorter: position=1", why);
    }

    @Test
    void aClosedSiteHoldsNoFile() {
        Response response = site.answer(get("/"), false);
        site.close();
        assertThrows(ClosedChannelException.class, () -> response.fill(ByteBuffer.allocate(1000)));
    }

    @Test
    void aRootThatIsNoFolderIsNamed() {
        Path file = served.resolve("index.html");
        String why = assertThrows(IOException.class, () -> new Site(file)).getMessage();
        assertTrue(why.contains("root=" + file), why);
        assertThrows(IOException.class, () -> new Site(served.resolve("missing")));
    }

    private void assertAnswer(String status, String body, String target) throws IOException {
        Response response = site.answer(get(target), false);
        ByteBuffer out = ByteBuffer.allocate(1000);
        response.fill(out);
        assertTrue(response.isFilled());
        String[] sent =
                StandardCharsets.ISO_8859_1.decode(out.flip()).toString().split("\r\n\r\n", 2);
        assertEquals("HTTP/1.1 " + status, sent[0].lines().findFirst().orElseThrow());
        assertEquals(body, sent[1]);
    }

    private static Request get(String target) {
        return new Request(Method.GET, target, true, 0, false);
    }
}
