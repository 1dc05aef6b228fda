// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.http.FreshBuffers;
import dev.buffers.bench.http.HttpServer;
import dev.buffers.bench.http.ServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads of each shape on the real server, and on one that stalls. */
@Tag("full")
class HttpLoadTest {
    private static final Duration SHORT = Duration.ofMillis(400);

    @TempDir
    private Path folder;

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(folder.resolve("a b.txt"), "some text");
        Files.write(Files.createDirectory(folder.resolve("sub")).resolve("x.bin"), new byte[100_000]);
        Files.createFile(folder.resolve("empty"));
    }

    @Test
    void closedAndOpenLoopsAreAnswered() throws Exception {
        HttpLoad generator = new HttpLoad(Documents.of(folder));
        try (HttpServer server =
                new HttpServer(ServerOptions.of(folder).withMaxRequests(7), new FreshBuffers(ByteBuffer::allocate))) {
            LoadResult closed = generator.run(LoadPlan.closed(20, SHORT), server.port());
            assertTrue(closed.responses() > 0);
            assertEquals(closed.responses(), closed.latencies().getTotalCount());
            assertTrue(closed.connects() >= closed.responses() / 7, "one connection for every seven requests");

            LoadResult counted =
                    generator.run(LoadPlan.closed(30, SHORT).timingConnects().withMaxResponses(100), server.port());
            assertEquals(100, counted.responses());

            LoadResult open = generator.run(LoadPlan.open(10, SHORT, 500), server.port());
            assertEquals(open.responses(), open.latencies().getTotalCount());
            assertEquals(200, open.responses(), 100, "the schedule says how many");
        }
    }

    @Test
    void changedFileIsNoticed() throws Exception {
        HttpLoad generator = new HttpLoad(Documents.of(folder));
        Files.writeString(folder.resolve("a b.txt"), "some TEXT");
        try (HttpServer server = new HttpServer(ServerOptions.of(folder), new FreshBuffers(ByteBuffer::allocate))) {
            IOException problem =
                    assertThrows(IOException.class, () -> generator.run(LoadPlan.closed(4, SHORT), server.port()));
            assertTrue(problem.getMessage().contains("wrong checksum: /a%20b.txt"), problem.getMessage());
        }
    }

    /** A server that answers at once, but for one long pause: all requests that were due in the pause must show it. */
    @Test
    void stallIsChargedToEveryRequestDueDuringStall() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        Files.writeString(one.resolve("x"), "x");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answerWithOnePause(listener));
            server.start();
            LoadResult result = new HttpLoad(Documents.of(one))
                    .run(LoadPlan.open(1, Duration.ofMillis(1500), 400), listener.getLocalPort());
            long late = result.latencies().getCountBetweenValues(50_000_000, Long.MAX_VALUE);
            assertTrue(late > 80, "some 180 of them were due in the first 450 of 500 ms: " + late);
            server.join();
        }
    }

    private static void answerWithOnePause(ServerSocket listener) {
        byte[] answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".getBytes(StandardCharsets.ISO_8859_1);
        byte[] request = new byte[1000];
        try (Socket socket = listener.accept()) {
            InputStream in = socket.getInputStream();
            for (int i = 0; in.read(request) > 0; i++) {
                if (i == 100) {
                    Thread.sleep(500);
                }
                socket.getOutputStream().write(answer);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void documentsAreDrawnByTheirWeight() throws IOException {
        Documents documents = Documents.of(folder);
        assertEquals(3, documents.all().size());
        int[] drawn = documents.draw(10_000, 1);
        int[] again = documents.draw(10_000, 1);
        assertTrue(Arrays.equals(drawn, again));
        long large = Arrays.stream(drawn)
                .filter(i -> documents.all().get(i).size() == 100_000)
                .count();
        double weight = Math.sqrt(200.0 / 100_000);
        assertEquals(10_000 * weight / (2 + weight), large, 80);
        assertThrows(IOException.class, () -> Documents.of(Files.createDirectory(folder.resolve("nothing"))));
    }
}
