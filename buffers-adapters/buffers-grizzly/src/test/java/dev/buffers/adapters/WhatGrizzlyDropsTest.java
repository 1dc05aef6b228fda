// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import dev.buffers.grizzly.ReleasingWebSocketAddOn;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http.HttpServerFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.filecache.FileCache;
import org.glassfish.grizzly.websockets.WebSocketAddOn;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests cost Grizzly 4.0.2 a buffer each, and that the add-ons make them cost none. */
@Tag("full")
class WhatGrizzlyDropsTest {
    private static final int TIMES = 5;
    private static final int PIECE = 20;
    private static final int PAUSE_MILLIS = 20;
    private static final int SILENCE_MILLIS = 300;
    private static final int PATIENCE_MILLIS = 300_000;

    @TempDir
    Path folder;

    private Consumer<FileCache> cache = files -> {};

    /** Of GET too, which Grizzly refuses by default. */
    private boolean withBodies;

    private interface Requests {
        void send(Client client) throws Exception;
    }

    private long lost(boolean addOns, Requests requests) throws Exception {
        Files.write(folder.resolve("file.bin"), Payload.FILE);
        Files.write(folder.resolve("text.txt"), Payload.TEXT);
        try (BufferPool pool = BufferPool.builder("grizzly").policy("heap").build()) {
            SSLContext tls = Certificate.context();
            GrizzlyServer server = new GrizzlyServer(
                    folder, tls, GrizzlyMemoryManager.of(pool, pool), addOns ? this::releasing : this::asItIs);
            Client client = new Client(server, tls);
            for (int i = 0; i < TIMES; i++) {
                requests.send(client);
            }
            server.stop();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (pool.stats().leases() > 0) {
                assertTrue(System.nanoTime() - end < 0, () -> pool.stats().toString());
                System.gc();
                Thread.sleep(10);
            }
            return pool.stats().leaks();
        }
    }

    private void releasing(NetworkListener listener) {
        cache.accept(listener.getFileCache());
        if (withBodies) {
            listener.registerAddOn(
                    (same, chain) -> ((HttpServerFilter) chain.get(chain.indexOfType(HttpServerFilter.class)))
                            .setAllowPayloadForUndefinedHttpMethods(true));
        }
        listener.registerAddOn(new ReleasingWebSocketAddOn());
        listener.registerAddOn(new ReleasingAddOn());
    }

    private void asItIs(NetworkListener listener) {
        cache.accept(listener.getFileCache());
        listener.registerAddOn(new WebSocketAddOn());
    }

    @Test
    void uploadsStreamsAndEchoesLoseNoBuffer() throws Exception {
        Requests requests = client -> {
            client.upload(Protocol.HTTP);
            client.stream(Protocol.HTTP);
            client.echo(Protocol.HTTP);
        };
        assertEquals(0, lost(false, requests));
    }

    @Test
    void chunkedRequests() throws Exception {
        Requests requests = client -> client.uploadChunked(Protocol.HTTP);
        long lost = lost(false, requests);
        assertTrue(lost >= TIMES, () -> "lost=" + lost);
        assertEquals(0, lost(true, requests));
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP", "HTTPS"})
    void filesFromTheCache(Protocol protocol) throws Exception {
        Requests requests = client -> client.file(protocol);
        long lost = lost(false, requests);
        assertTrue(lost >= TIMES - 1, () -> "lost=" + lost); // all but the first
        assertEquals(0, lost(true, requests));
    }

    /** Of files too large to be kept in memory it keeps that they are there, and sends them bit by bit, or has the system send them. */
    @ParameterizedTest
    @CsvSource({"HTTP, false", "HTTP, true", "HTTPS, false", "HTTPS, true"})
    void largeFilesFromTheCache(Protocol protocol, boolean bySystem) throws Exception {
        cache = files -> {
            files.setMaxEntrySize(100);
            files.setFileSendEnabled(bySystem);
        };
        filesFromTheCache(protocol);
    }

    /** A request of a file in the cache: what follows its head in the same packet, and after its answer. */
    private enum Odd {
        BODY_LATER(1, "Content-Length: 5", "", "abcde"),
        BODY_AT_ONCE(1, "Content-Length: 5", "abcde", ""),
        BODY_IN_HALVES(1, "Content-Length: 5", "ab", "cde"),
        BODY_AND_NEXT_REQUEST(2, "Content-Length: 5", "ab", "cdeGET /files/file.bin HTTP/1.1\r\nHost: h\r\n\r\n"),
        NO_BODY(1, "Content-Length: 5", "", ""),
        CHUNKS_AT_ONCE(1, "Transfer-Encoding: chunked", "5\r\nabcde\r\n0\r\n\r\n", ""),
        CHUNKS_LATER(1, "Transfer-Encoding: chunked", "", "5\r\nabcde\r\n0\r\n\r\n"),
        BAD_CHUNK_AT_ONCE(0, "Transfer-Encoding: chunked", "zz\r\n", ""),
        BAD_CHUNK_LATER(0, "Transfer-Encoding: chunked", "", "zz\r\n"),
        BAD_SECOND_CHUNK(1, "Transfer-Encoding: chunked", "5\r\nabcde\r\n", "zz\r\n"),
        H2C(1, "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk", "", ""),
        UPGRADE_AND_MORE(1, "Connection: Upgrade\r\nUpgrade: foo", "more", ""),
        UPGRADE_AND_MORE_LATER(1, "Connection: Upgrade\r\nUpgrade: foo", "", "more");

        private final int files;
        private final byte[] first;
        private final byte[] later;

        Odd(int files, String fields, String first, String later) {
            this.files = files;
            String head = "GET /files/file.bin HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n\r\n";
            this.first = (head + first).getBytes(StandardCharsets.US_ASCII);
            this.later = later.getBytes(StandardCharsets.US_ASCII);
        }

        /** All that comes until the server has been silent for a while, or ends the connection. */
        String answer(URI http, int packets) throws Exception {
            try (Socket socket = connect(http)) {
                writeInPieces(socket, first, packets);
                StringBuilder text = new StringBuilder();
                read(socket, text, Payload.FILE.length, SILENCE_MILLIS);
                socket.getOutputStream().write(later);
                read(socket, text, Math.max(1, files * Payload.FILE.length), PATIENCE_MILLIS);
                read(socket, text, Integer.MAX_VALUE, SILENCE_MILLIS);
                return text.toString();
            }
        }

        /** So many bytes in all, or fewer if the connection ends or nothing comes for a while. */
        private static void read(Socket socket, StringBuilder text, int most, int millis) throws IOException {
            socket.setSoTimeout(millis);
            byte[] bytes = new byte[1 << 16];
            try {
                while (text.length() < most) {
                    int n = socket.getInputStream().read(bytes);
                    if (n < 0) {
                        return;
                    }
                    text.append(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
                }
            } catch (SocketTimeoutException e) {
                // Nothing more.
            }
        }
    }

    private static Socket connect(URI http) throws IOException {
        Socket socket = new Socket(http.getHost(), http.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void writeInPieces(Socket socket, byte[] bytes, int packets) throws Exception {
        int at = 0;
        for (int i = 1; i < packets; i++) {
            socket.getOutputStream().write(bytes, at, PIECE);
            at += PIECE;
            Thread.sleep(PAUSE_MILLIS);
        }
        socket.getOutputStream().write(bytes, at, bytes.length - at);
    }

    @ParameterizedTest
    @EnumSource
    void oddRequestsOfFilesFromTheCache(Odd request) throws Exception {
        Requests requests = client -> {
            client.file(Protocol.HTTP);
            for (int packets = 1; packets <= 2; packets++) {
                String answer = request.answer(client.uri(Protocol.HTTP, "/"), packets);
                assertEquals(request.files, answer.split("HTTP/1.1 200 ", -1).length - 1);
                assertEquals(request.files, answer.length() / Payload.FILE.length);
            }
        };
        withBodies = true;
        assertEquals(0, lost(true, requests));
    }

    /** As with Grizzly's own handlers: it would take the next request for bytes after the upgrade. */
    @Test
    void connectionEndsAfterUpgradeThatIsNotGranted() throws Exception {
        String request = "GET /files/file.bin HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n";
        Requests requests = client -> {
            client.file(Protocol.HTTP);
            try (Socket socket = connect(client.uri(Protocol.HTTP, "/"))) {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                int length = socket.getInputStream().readAllBytes().length;
                assertTrue(length > Payload.FILE.length && length < 2 * Payload.FILE.length, () -> "length=" + length);
            }
        };
        assertEquals(0, lost(true, requests));
    }

    /** Java's client asks for an upgrade to HTTP/2, which this server ignores. */
    @Test
    void filesFromTheCacheForDefaultClient() throws Exception {
        Requests requests = client -> {
            HttpClient other = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(client.uri(Protocol.HTTP, "/files/file.bin"))
                    .build();
            for (int i = 0; i < TIMES; i++) {
                HttpResponse<byte[]> response = other.send(request, BodyHandlers.ofByteArray());
                assertEquals(200, response.statusCode());
                assertArrayEquals(Payload.FILE, response.body());
            }
        };
        assertEquals(0, lost(true, requests));
    }

    @Test
    void webSocketMessages() throws Exception {
        Requests requests = client -> {
            Messages messages = new Messages();
            URI uri = URI.create(client.uri(Protocol.HTTP, "/ws").toString().replaceFirst("http", "ws"));
            WebSocket socket = client.http()
                    .newWebSocketBuilder()
                    .buildAsync(uri, messages)
                    .get(300, TimeUnit.SECONDS);
            for (int i = 0; i < TIMES; i++) {
                socket.sendBinary(ByteBuffer.wrap(Payload.FILE, 0, 1000), true).get(300, TimeUnit.SECONDS);
                assertEquals(1000, messages.next().length);
            }
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(300, TimeUnit.SECONDS);
            messages.closed();
        };
        long lost = lost(false, requests);
        assertTrue(lost >= TIMES * TIMES, () -> "lost=" + lost);
        long rest = lost(true, requests);
        assertTrue(rest <= 2 * TIMES, () -> "lost=" + rest); // the handshake's, and perhaps the last frame's
    }

    /** The client leaves within a frame. Only the head of the handshake is lost. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void webSocketFrameThatIsCutOff(int packets) throws Exception {
        byte[] handshake =
                ("GET /ws HTTP/1.1\r\nHost: h\r\nOrigin: http://h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        byte[] frame = new byte[4 * PIECE]; // of 200 bytes and its head
        frame[0] = (byte) 0x82;
        frame[1] = (byte) (0x80 | 126);
        frame[3] = (byte) 200;
        Requests requests = client -> {
            try (Socket socket = connect(client.uri(Protocol.HTTP, "/"))) {
                socket.getOutputStream().write(handshake);
                assertTrue(socket.getInputStream().read(new byte[1 << 10]) > 0);
                Thread.sleep(PAUSE_MILLIS);
                writeInPieces(socket, frame, packets);
            }
        };
        long lost = lost(true, requests);
        assertTrue(lost <= TIMES, () -> "lost=" + lost);
    }
}
