// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import dev.buffers.BufferPool;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http.CompressionConfig;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.StaticHttpHandler;
import org.glassfish.grizzly.ssl.SSLEngineConfigurator;
import org.glassfish.grizzly.websockets.DataFrame;
import org.glassfish.grizzly.websockets.WebSocket;
import org.glassfish.grizzly.websockets.WebSocketApplication;
import org.glassfish.grizzly.websockets.WebSocketEngine;
import org.jspecify.annotations.Nullable;

/** Grizzly's HTTP server on one memory manager, or on its own, with all that the contract asks for. */
final class GrizzlyServer implements ServerUnderTest {
    private static final String LOOPBACK = "127.0.0.1";

    private final @Nullable GrizzlyMemoryManager memory;
    private final URI http;
    private final URI https;
    private @Nullable HttpServer server = new HttpServer();
    private final Echo echo = new Echo();

    /** With {@code more} done to both listeners; with null on Grizzly's own buffers. */
    GrizzlyServer(Path folder, SSLContext tls, @Nullable GrizzlyMemoryManager memory, Consumer<NetworkListener> more)
            throws IOException {
        this(folder, tls, memory, more, handler -> handler);
    }

    /** The same, with this around each handler. */
    GrizzlyServer(
            Path folder,
            SSLContext tls,
            @Nullable GrizzlyMemoryManager memory,
            Consumer<NetworkListener> more,
            UnaryOperator<HttpHandler> around)
            throws IOException {
        this.memory = memory;
        NetworkListener http = listener("http", more);
        NetworkListener https = listener("https", more);
        https.setSecure(true);
        https.setSSLEngineConfig(new SSLEngineConfigurator(tls, false, false, false));
        server.addListener(http);
        server.addListener(https);
        server.getServerConfiguration()
                .addHttpHandler(around.apply(new StaticHttpHandler(folder.toString())), "/files");
        for (Reply reply : Reply.values()) {
            server.getServerConfiguration().addHttpHandler(around.apply(handler(reply)), reply.path());
        }
        WebSocketEngine.getEngine().register("", "/ws", echo);
        server.start();
        this.http = URI.create("http://" + LOOPBACK + ":" + http.getPort());
        this.https = URI.create("https://" + LOOPBACK + ":" + https.getPort());
    }

    private NetworkListener listener(String name, Consumer<NetworkListener> more) {
        NetworkListener listener = new NetworkListener(name, LOOPBACK, 0);
        if (memory != null) {
            listener.getTransport().setMemoryManager(memory);
        }
        CompressionConfig compression = listener.getCompressionConfig();
        compression.setCompressionMode(CompressionConfig.CompressionMode.ON);
        compression.setCompressionMinSize(1);
        compression.setCompressibleMimeTypes("text/plain");
        compression.setDecompressionEnabled(true);
        more.accept(listener);
        return listener;
    }

    private static HttpHandler handler(Reply reply) {
        return new HttpHandler() {
            @Override
            public void service(Request request, Response response) throws Exception {
                reply.reply(request.getInputStream(), response.getOutputStream());
            }
        };
    }

    /** Also while it runs. */
    void add(HttpHandler handler, String path) {
        Objects.requireNonNull(server, "stopped").getServerConfiguration().addHttpHandler(handler, path);
    }

    @Override
    public URI http() {
        return http;
    }

    @Override
    public URI https() {
        return https;
    }

    @Override
    public List<BufferPool> pools() {
        if (memory == null) {
            return List.of();
        }
        return memory.pool() == memory.heapPool() ? List.of(memory.pool()) : List.of(memory.pool(), memory.heapPool());
    }

    @Override
    public void stop() throws Exception {
        if (server != null) {
            WebSocketEngine.getEngine().unregister(echo);
            server.shutdownNow();
            server = null; // its idle queue keeps connections that have been closed
        }
    }

    /** Sends every message back, whole. */
    private static final class Echo extends WebSocketApplication {
        private final Map<WebSocket, ByteArrayOutputStream> parts = new ConcurrentHashMap<>();

        @Override
        public void onMessage(WebSocket socket, String text) {
            socket.send(text);
        }

        @Override
        public void onMessage(WebSocket socket, byte[] bytes) {
            socket.send(bytes);
        }

        @Override
        public void onFragment(WebSocket socket, String fragment, boolean last) {
            byte[] message = add(socket, fragment.getBytes(StandardCharsets.UTF_8), last);
            if (message != null) {
                socket.send(new String(message, StandardCharsets.UTF_8));
            }
        }

        @Override
        public void onFragment(WebSocket socket, byte[] fragment, boolean last) {
            byte[] message = add(socket, fragment, last);
            if (message != null) {
                socket.send(message);
            }
        }

        private byte @Nullable [] add(WebSocket socket, byte[] fragment, boolean last) {
            ByteArrayOutputStream message = parts.computeIfAbsent(socket, none -> new ByteArrayOutputStream());
            message.writeBytes(fragment);
            return last ? parts.remove(socket).toByteArray() : null;
        }

        @Override
        public void onClose(WebSocket socket, DataFrame frame) {
            parts.remove(socket);
            super.onClose(socket, frame);
        }
    }
}
