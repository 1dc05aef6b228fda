// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server against clients that others wrote; the profile {@code external} runs this. */
@Tag("external")
class ExternalToolsTest {
    private static final Map<String, String> PACKAGES = Map.of("curl", "curl", "ab", "apache2-utils", "wrk", "wrk");
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    private Path folder;

    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        TestServer.fill(folder);
        server = TestServer.start(folder, "direct-view", 64 << 20, options -> options);
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.assertCalm();
        server.close();
    }

    @Test
    void curlGetsFilesAsTheyAre() throws Exception {
        for (int size : TestServer.SIZES) {
            Path got = folder.resolve("got");
            run("curl", "-sSf", "-o", got.toString(), url(size));
            assertArrayEquals(Files.readAllBytes(folder.resolve(size + ".bin")), Files.readAllBytes(got));
        }
        String head = run("curl", "-sSI", url(8192));
        assertTrue(head.contains("Content-Length: 8192"), head);
        String escape = run(
                "curl",
                "-sS",
                "--path-as-is",
                "-o",
                "/dev/null",
                "-w",
                "%{http_code}",
                url(1) + "/../../../etc/passwd");
        assertEquals("404", escape);
        String many = run("curl", "-sS", "-Z", "-o", "/dev/null", "-w", "%{http_code} ", url(1) + "?[1-300]");
        assertEquals(300, many.split("200").length - 1, many);
        String posted = run("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-d", "x=y", url(1));
        assertEquals("405", posted);
    }

    @Test
    void abKeepsItsConnections() throws Exception {
        String report = run("ab", "-q", "-k", "-n", "20000", "-c", "50", url(8193));
        assertTrue(report.contains("Complete requests:      20000"), report);
        assertTrue(report.contains("Failed requests:        0"), report);
        assertTrue(!report.contains("Non-2xx"), report);
        assertTrue(report.matches("(?s).*Keep-Alive requests: +19[89]\\d\\d\\n.*"), report);
    }

    @Test
    void abOpensAConnectionForEachRequest() throws Exception {
        String report = run("ab", "-q", "-n", "3000", "-c", "50", url(200));
        assertTrue(report.contains("Complete requests:      3000"), report);
        assertTrue(report.contains("Failed requests:        0"), report);
    }

    @Test
    void wrkFindsNoErrors() throws Exception {
        String report = run("wrk", "-t2", "-c200", "-d5s", url(16384));
        assertTrue(report.contains("Requests/sec"), report);
        assertTrue(!report.contains("Non-2xx") && !report.contains("Socket errors"), report);
    }

    private String url(int size) {
        return "http://127.0.0.1:" + server.port() + "/" + size + ".bin";
    }

    /** Runs a tool and returns what it said; says clearly when it is missing. */
    private static String run(String... command) throws IOException, InterruptedException {
        String tool = command[0];
        if (Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .noneMatch(folder -> Files.isExecutable(Path.of(folder, tool)))) {
            fail(tool + " is missing on this machine; on Debian: apt-get install " + PACKAGES.get(tool));
        }
        Path said = Files.createTempFile("tool", ".txt");
        Process process = new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail(tool + " does not end");
        }
        String text = Files.readString(said, StandardCharsets.ISO_8859_1);
        Files.delete(said);
        assertEquals(0, process.exitValue(), text);
        return text;
    }
}
