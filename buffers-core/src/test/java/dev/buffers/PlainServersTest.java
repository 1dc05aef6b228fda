// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import dev.buffers.docs.EchoServer;
import dev.buffers.docs.FileHandler;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers without a framework, as docs/nio.md shows them. */
class PlainServersTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final byte[] MESSAGE = new byte[300_000];

    static {
        new Random(7).nextBytes(MESSAGE);
    }

    @TempDir
    Path folder;

    @BeforeEach
    void room() {
        DirectRoom.make();
    }

    @Test
    void aSelectorLoopServesAndGivesEverythingBack() throws Exception {
        try (BufferPool pool = BufferPool.create("nio");
                ServerSocketChannel listener = ServerSocketChannel.open().bind(ANY)) {
            EchoServer echo = new EchoServer(listener, pool);
            Future<?> server = start(echo::serve);
            for (int client = 0; client < 3; client++) {
                assertArrayEquals(MESSAGE, echoed((InetSocketAddress) listener.getLocalAddress()));
            }
            Eventually.holds("all is given back", () -> pool.stats().leases() == 0);
            try (SocketChannel unread = SocketChannel.open(listener.getLocalAddress())) {
                unread.configureBlocking(false);
                Eventually.holds("the echo has no room", () -> sent(unread) == 0);
                echo.close();
                server.get();
                assertEquals(0, pool.stats().leases(), "of a connection whose bytes are unsent");
            }
            Conservation.check(pool);
        }
    }

    private static int sent(SocketChannel client) {
        try {
            return client.write(ByteBuffer.wrap(MESSAGE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a client gets back that sends the message. */
    static byte[] echoed(InetSocketAddress server) throws Exception {
        try (SocketChannel client = SocketChannel.open(server)) {
            Future<?> sending = start(() -> client.socket().getOutputStream().write(MESSAGE));
            byte[] back = client.socket().getInputStream().readNBytes(MESSAGE.length);
            sending.get();
            return back;
        }
    }

    static Future<?> start(Threads.Action task) {
        FutureTask<?> started = new FutureTask<>(() -> {
            task.run();
            return null;
        });
        Threads.start(started);
        return started;
    }

    static byte[] message() {
        return MESSAGE.clone();
    }

    @Test
    void theJdksHttpServerSendsFilesThroughPooledBuffers() throws Exception {
        Path file = Files.write(folder.resolve("file.bin"), MESSAGE);
        try (BufferPool pool =
                BufferPool.builder("http").policy("heap").max(8 << 20).build()) {
            HttpServer server = HttpServer.create(ANY, 0);
            ExecutorService threads = Executors.newFixedThreadPool(2);
            server.setExecutor(threads);
            server.createContext("/file.bin", new FileHandler(file, pool));
            server.start();
            try {
                URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/file.bin");
                HttpResponse<byte[]> answer = HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
                assertArrayEquals(MESSAGE, answer.body());
            } finally {
                server.stop(0);
                threads.shutdown();
            }
            PoolStats stats = Conservation.check(pool);
            assertEquals(1, stats.acquires(AcquireOutcome.CARVED));
            assertEquals(0, stats.leases());
        }
    }
}
