// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.Bench;
import dev.buffers.bench.jvm.VirtualThreads;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More clients than a server has file descriptors. It serves those that it has accepted, rests in the meantime, and accepts again once
 * descriptors are free. Nothing was asked of it before, so that whatever the failure needs is needed then for the first time.
 */
@Tag("full")
class FewDescriptorsTest {
    private static final String ECHO = "dev.buffers.bench.sockets.Echo";
    private static final String FULL = "Too many open files";
    private static final String FILE = "GET /small.bin HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String STATUS = "HTTP/1.1 200";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"selectors", "virtual threads"})
    void theBenchServer(String kind) throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.write(site.resolve("small.bin"), new byte[200]);
        List<String> command = new ArrayList<>(
                List.of(Bench.class.getName(), "serve", "--control", "--workers", "2", "--root", site.toString()));
        if (kind.startsWith("virtual")) {
            command.add("--virtual");
        }
        outlives(List.of(), command, FILE, STATUS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "async", "async-future", "virtual"})
    void anEchoServer(String lane) throws Exception {
        outlives(List.of(), List.of(ECHO, lane, "channel"), "hello", "hello");
    }

    @Test
    @Tag("javac")
    void theTutorialsServer() throws Exception {
        Path code = Path.of("..", "docs", "tutorial", "src", "main", "java", "example");
        List<String> arguments =
                new ArrayList<>(List.of("-d", folder.resolve("tutorial").toString()));
        try (Stream<Path> files = Files.list(code)) {
            files.map(Path::toString).forEach(arguments::add);
        }
        arguments.addAll(List.of("-proc:none", "-cp", System.getProperty("java.class.path")));
        int errors = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0]));
        assertEquals(0, errors);
        List<String> classes = List.of(folder.resolve("tutorial").toString());
        outlives(classes, List.of("example.Server", "0"), "GET /stats HTTP/1.1\r\n\r\n", STATUS);
    }

    private void outlives(List<String> classes, List<String> command, String request, String answer) throws Exception {
        boolean virtual = command.contains("virtual") || command.contains("--virtual");
        if (!FewDescriptors.ARE_SHOWN || virtual && VirtualThreads.obstacle().isPresent()) {
            return;
        }
        try (FewDescriptors server = new FewDescriptors(folder, classes, command);
                Socket first = server.connect()) {
            List<Socket> crowd = server.crowd();
            server.await("an accept fails", () -> server.said().contains(FULL));
            server.awaitRest();
            String known = FewDescriptors.ask(first, request, answer.length());
            assertEquals(answer, known, () -> "one that was accepted is not served\n" + server.said());
            for (Socket one : crowd) {
                one.close();
            }
            try (Socket late = server.connect()) {
                assertEquals(answer, FewDescriptors.ask(late, request, answer.length()), server::said);
            }
            server.await("all are let go", () -> server.open() < FewDescriptors.LIMIT / 2);
            assertTrue(server.said().split(FULL).length < 20, server::said);
        }
    }
}
