// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import dev.buffers.grizzly.ReleasingWebSocketAddOn;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.filecache.FileCache;
import org.glassfish.grizzly.websockets.WebSocketAddOn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which requests cost Grizzly 4.0.2 a buffer each, and that the add-ons make them cost none. */
class WhatGrizzlyDropsTest {
    private static final int TIMES = 5;

    @TempDir
    Path folder;

    private Consumer<FileCache> cache = files -> {};

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
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
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

    @Test
    void webSocketMessages() throws Exception {
        Requests requests = client -> {
            Messages messages = new Messages();
            URI uri = URI.create(client.uri(Protocol.HTTP, "/ws").toString().replaceFirst("http", "ws"));
            WebSocket socket = client.http()
                    .newWebSocketBuilder()
                    .buildAsync(uri, messages)
                    .get(30, TimeUnit.SECONDS);
            for (int i = 0; i < TIMES; i++) {
                socket.sendBinary(ByteBuffer.wrap(Payload.FILE, 0, 1000), true).get(30, TimeUnit.SECONDS);
                assertEquals(1000, messages.next().length);
            }
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(30, TimeUnit.SECONDS);
            messages.closed();
        };
        long lost = lost(false, requests);
        assertTrue(lost >= TIMES * TIMES, () -> "lost=" + lost);
        long rest = lost(true, requests);
        assertTrue(rest <= 2 * TIMES, () -> "lost=" + rest); // the handshake's, and perhaps the last frame's
    }
}
