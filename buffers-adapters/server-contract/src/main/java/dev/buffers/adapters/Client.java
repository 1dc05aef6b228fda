// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;

/** The other end: the JDK's client, and plain sockets for what that is too polite to do. Each request checks every byte of its answer. */
public final class Client {
    private final ServerUnderTest server;
    private final SSLContext tls;
    private final HttpClient http;

    public Client(ServerUnderTest server, SSLContext tls) {
        this.server = server;
        this.tls = tls;
        this.http = newClient();
    }

    /** One more client, with separate connections: a cancelled stream takes window of its HTTP/2 connection, which never comes back. */
    private HttpClient newClient() {
        return HttpClient.newBuilder().sslContext(tls).build();
    }

    HttpClient http() {
        return http;
    }

    /** Fetches the folder's {@code file.bin}. */
    public void file(Protocol protocol) throws Exception {
        assertArrayEquals(
                Payload.FILE,
                send(protocol, request(protocol, "/files/file.bin")).body());
    }

    /** Fetches the folder's {@code text.txt} compressed. */
    void gzip(Protocol protocol) throws Exception {
        HttpResponse<byte[]> response =
                send(protocol, request(protocol, "/files/text.txt").header("Accept-Encoding", "gzip"));
        assertEquals("gzip", response.headers().firstValue("content-encoding").orElse("none"));
        assertTrue(response.body().length < Payload.TEXT.length, () -> "length=" + response.body().length);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertArrayEquals(Payload.TEXT, in.readAllBytes());
        }
    }

    /** Uploads {@link Payload#LARGE} with its length. */
    void upload(Protocol protocol) throws Exception {
        digest(send(protocol, post(protocol, Reply.DIGEST, BodyPublishers.ofByteArray(Payload.LARGE))));
    }

    /** Uploads {@link Payload#LARGE} in chunks or, with HTTP/2, frames, its length unsaid. */
    void uploadChunked(Protocol protocol) throws Exception {
        BodyPublisher unsaid = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(Payload.LARGE));
        digest(send(protocol, post(protocol, Reply.DIGEST, unsaid)));
    }

    /** Uploads {@link Payload#LARGE} compressed. */
    void uploadGzip(Protocol protocol) throws Exception {
        BodyPublisher compressed = BodyPublishers.ofByteArray(Payload.gzip(Payload.LARGE));
        digest(send(protocol, post(protocol, Reply.DIGEST, compressed).header("Content-Encoding", "gzip")));
    }

    private static void digest(HttpResponse<byte[]> response) {
        assertEquals(
                HexFormat.of().formatHex(Payload.digest(Payload.LARGE)),
                new String(response.body(), StandardCharsets.US_ASCII));
    }

    /** Uploads {@link Payload#LARGE} and gets it back. */
    void echo(Protocol protocol) throws Exception {
        HttpResponse<byte[]> response =
                send(protocol, post(protocol, Reply.ECHO, BodyPublishers.ofByteArray(Payload.LARGE)));
        assertArrayEquals(Payload.LARGE, response.body());
    }

    /** Fetches an answer whose length the server does not say. */
    void stream(Protocol protocol) throws Exception {
        HttpResponse<byte[]> response = send(protocol, request(protocol, Reply.STREAM.path()));
        assertTrue(response.headers().firstValue("content-length").isEmpty());
        assertArrayEquals(Payload.LARGE, response.body());
    }

    /** Begins an upload and gives up some milliseconds later. */
    void cancelUpload(Protocol protocol, int millis) throws Exception {
        CompletableFuture<HttpResponse<byte[]>> future = newClient()
                .sendAsync(
                        post(protocol, Reply.DIGEST, BodyPublishers.ofByteArray(Payload.LARGE))
                                .build(),
                        BodyHandlers.ofByteArray());
        try {
            future.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
        }
    }

    /** Begins to fetch an answer and gives up when its first byte is there. */
    void cancel(Protocol protocol) throws Exception {
        HttpResponse<InputStream> response =
                newClient().send(request(protocol, Reply.STREAM.path()).build(), BodyHandlers.ofInputStream());
        try (InputStream in = response.body()) {
            assertTrue(in.read() >= 0);
        }
    }

    /** Which thread a handler runs on. */
    String thread(Protocol protocol) throws Exception {
        return new String(send(protocol, request(protocol, Reply.THREAD.path())).body(), StandardCharsets.UTF_8);
    }

    /** Many at once of {@link #file}. */
    public CompletableFuture<HttpResponse<byte[]>> sendFile(Protocol protocol) {
        return http.sendAsync(request(protocol, "/files/file.bin").build(), BodyHandlers.ofByteArray());
    }

    HttpResponse<byte[]> send(Protocol protocol, HttpRequest.Builder request) throws Exception {
        return check(protocol, http.sendAsync(request.build(), BodyHandlers.ofByteArray()));
    }

    HttpResponse<byte[]> check(Protocol protocol, CompletableFuture<HttpResponse<byte[]>> future) throws Exception {
        HttpResponse<byte[]> response = future.get(300, TimeUnit.SECONDS);
        assertEquals(200, response.statusCode(), () -> response.request().uri().toString());
        assertEquals(protocol.version(), response.version());
        return response;
    }

    HttpRequest.Builder request(Protocol protocol, String path) {
        return HttpRequest.newBuilder(uri(protocol, path)).version(protocol.version());
    }

    private HttpRequest.Builder post(Protocol protocol, Reply reply, BodyPublisher body) {
        return request(protocol, reply.path()).POST(body);
    }

    URI uri(Protocol protocol, String path) {
        return protocol.base(server).resolve(path);
    }

    /** Says a part of a request, then hangs up: politely, or with a reset. */
    void abandon(Protocol protocol, String request, boolean politely) throws IOException {
        try (Connection connection = connect(protocol)) {
            connection.write(request);
            if (!politely) {
                connection.vanish();
            }
        }
    }

    /** Asks, and vanishes when the first byte of the answer is there. */
    void vanish(Protocol protocol, String path) throws IOException {
        try (Connection connection = connect(protocol)) {
            connection.write(Connection.get(path));
            assertEquals('H', connection.read());
            connection.vanish();
        }
    }

    /** A connection with nothing between: HTTP/1.1 as the test spells it. */
    Connection connect(Protocol protocol) throws IOException {
        return connect(protocol, 60_000);
    }

    /** Asks, over a separate connection, which thread a handler runs on: returns the status of the answer. */
    int status(Protocol protocol, int millis) throws ExecutionException, TimeoutException, InterruptedException {
        return newClient()
                .sendAsync(request(protocol, Reply.THREAD.path()).build(), BodyHandlers.ofByteArray())
                .get(millis, TimeUnit.MILLISECONDS)
                .statusCode();
    }

    /** One that waits so many milliseconds for the server at most. */
    Connection connect(Protocol protocol, int patience) throws IOException {
        return Connection.open(protocol, protocol.base(server), tls.getSocketFactory(), patience);
    }
}
