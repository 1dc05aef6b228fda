// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.adapters.Certificate;
import dev.buffers.adapters.Messages;
import io.undertow.Undertow;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/** Undertow's I/O threads cannot handle a refusal, so they get none. */
@Tag("full")
class UndertowAtTheCapTest {
    @TempDir
    private Path folder;

    /** Undertow counts a refused buffer of a web socket as one in use: after 16 refusals it would never read again. */
    @Test
    void webSocketIsReadAtCapAndAfter() throws Exception {
        UndertowServer server = new UndertowServer(
                folder, Certificate.context(), Optional.empty(), pool -> pool.max(256 << 10), handler -> handler);
        List<PooledBuffer> all = new ArrayList<>();
        Messages messages = new Messages();
        try {
            URI uri = URI.create(server.http().toString().replaceFirst("http", "ws") + "/ws");
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(uri, messages)
                    .get(300, TimeUnit.SECONDS);
            assertEchoes(socket, messages, "before");
            for (BufferPool pool : server.pools()) {
                int size = UndertowBufferPool.DEFAULT_BUFFER_SIZE;
                for (PooledBuffer next = pool.tryAcquire(size); next != null; next = pool.tryAcquire(size)) {
                    all.add(next);
                }
            }
            assertEchoes(socket, messages, "at the cap");
            all.forEach(PooledBuffer::release);
            assertEchoes(socket, messages, "after");
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(300, TimeUnit.SECONDS);
        } finally {
            all.forEach(PooledBuffer::close);
            server.stop();
            server.pools().forEach(BufferPool::close);
        }
    }

    private static void assertEchoes(WebSocket socket, Messages messages, String text) throws Exception {
        socket.sendText(text, true).get(300, TimeUnit.SECONDS);
        assertEquals(text, new String(messages.next(), StandardCharsets.UTF_8));
    }

    /** With one I/O thread, all connections would wait behind a wait for memory. */
    @Test
    void ioThreadDoesNotWaitForMemory() throws Exception {
        int size = UndertowBufferPool.DEFAULT_BUFFER_SIZE;
        try (BufferPool pool = BufferPool.builder("undertow-cap")
                .policy("heap")
                .max(64 << 10)
                .atLimit(Exhaustion.waiting(Duration.ofSeconds(10)))
                .build()) {
            Undertow server = Undertow.builder()
                    .setIoThreads(1)
                    .setByteBufferPool(UndertowBufferPool.of(pool, pool, size))
                    .addHttpListener(0, "127.0.0.1")
                    .setHandler(exchange -> exchange.getResponseSender().send("answer"))
                    .build();
            server.start();
            List<PooledBuffer> all = new ArrayList<>();
            try {
                for (PooledBuffer next = pool.tryAcquire(size); next != null; next = pool.tryAcquire(size)) {
                    all.add(next);
                }
                InetSocketAddress address =
                        (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort()))
                        .timeout(Duration.ofSeconds(5))
                        .build();
                HttpResponse<String> response =
                        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
                assertEquals("answer", response.body());
            } finally {
                all.forEach(PooledBuffer::close);
                server.stop();
            }
        }
    }

    /** No wait could make room for these. */
    @Test
    void ioThreadGetsBufferLargerThanWaitingPool() throws Exception {
        try (BufferPool pool = BufferPool.builder("undertow-cap")
                .policy("heap")
                .max(16 << 10)
                .atLimit(Exhaustion.waiting(Duration.ofSeconds(10)))
                .build()) {
            UndertowBufferPool buffers = UndertowBufferPool.of(pool, pool, 64 << 10);
            XnioWorker worker = Xnio.getInstance()
                    .createWorkerBuilder()
                    .setWorkerIoThreads(1)
                    .build();
            try {
                CompletableFuture<Integer> remaining = new CompletableFuture<>();
                worker.getIoThread().execute(() -> {
                    try (var buffer = buffers.allocate()) {
                        remaining.complete(buffer.getBuffer().remaining());
                    } catch (Throwable e) {
                        remaining.completeExceptionally(e);
                    }
                });
                assertEquals(64 << 10, remaining.get(300, TimeUnit.SECONDS));
            } finally {
                worker.shutdown();
            }
        }
    }

    /** A worker's thread can handle it: Undertow answers 500 or closes the connection. */
    @Test
    void otherThreadsAreRefused() {
        try (BufferPool pool =
                BufferPool.builder("undertow-cap").policy("heap").max(16 << 10).build()) {
            UndertowBufferPool buffers = UndertowBufferPool.of(pool, pool, 16 << 10);
            try (var only = buffers.allocate()) {
                assertThrows(PoolExhaustedException.class, buffers::allocate);
                assertEquals(16 << 10, only.getBuffer().remaining());
            }
        }
    }
}
