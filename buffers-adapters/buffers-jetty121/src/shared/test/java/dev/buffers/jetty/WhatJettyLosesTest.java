// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Buffers that Jetty never releases, from any pool: its own tracking pool names them, ours counts them lost and takes their memory out
 * of use. A version of Jetty that fixes one of these makes its test fail: then our documentation of the loss has to go.
 */
class WhatJettyLosesTest {
    private static final byte[] MUCH = new byte[50_000];
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int CONTINUATION = 9;

    @Test
    void streamClosedEarlyByClientLosesBuffer() throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        eventually(() -> {
            closeStreamsEarly(theirs);
            return !theirs.getLeaks().isEmpty();
        });
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            eventually(() -> {
                closeStreamsEarly(ours);
                System.gc();
                return ours.pool().stats().leaks() > 0;
            });
            isCountedLost(ours);
        }
    }

    @Test
    void webSocketMessageCutOffLosesBuffer() throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        cutMessagesOff(theirs);
        eventually(() -> !theirs.getLeaks().isEmpty());
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            cutMessagesOff(ours);
            isCountedLost(ours);
        }
    }

    /** Any client can do this, once for each connection: with the frames of a block that has no last frame, or with half a frame. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unfinishedHttp2HeaderBlockLosesBuffer(boolean wholeFrames) throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        beginHeaders(theirs, wholeFrames);
        String leaks = theirs.dumpLeaks();
        assertTrue(leaks.contains("org.eclipse.jetty.http2.parser.HeaderBlock"), leaks);
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            beginHeaders(ours, wholeFrames);
            isCountedLost(ours);
        }
    }

    /** Any client can do this, once for each connection. */
    @Test
    void webSocketControlFrameCutOffLosesBuffer() throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        cutPingOff(theirs);
        eventually(() -> theirs.dumpLeaks().contains("org.eclipse.jetty.websocket.core.internal.Parser"));
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            cutPingOff(ours);
            isCountedLost(ours.heapPool());
            assertEquals(0, ours.pool().stats().leases());
        }
    }

    static void isCountedLost(JettyBufferPool pool) throws Exception {
        isCountedLost(pool.pool());
        assertEquals(0, pool.heapPool().stats().leases());
    }

    private static void isCountedLost(BufferPool pool) throws Exception {
        eventually(() -> {
            System.gc();
            return pool.stats().leases() == 0;
        });
        PoolStats stats = pool.stats();
        assertTrue(stats.leaks() > 0, stats::toString);
    }

    /** With the pool for the client alone: the server's is not in question. Whether Jetty loses a buffer is a matter of time. */
    private static void closeStreamsEarly(ByteBufferPool pool) throws Exception {
        Server server = new Server();
        URI uri = start(server, new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                try (OutputStream out = Response.asBufferedOutputStream(request, response)) {
                    for (int i = 0; i < 50; i++) {
                        out.write(MUCH);
                        out.flush();
                    }
                }
                callback.succeeded();
                return true;
            }
        });
        HttpClient client = new HttpClient();
        client.setByteBufferPool(pool);
        client.start();
        for (int i = 0; i < 5; i++) {
            InputStreamResponseListener listener = new InputStreamResponseListener();
            client.newRequest(uri).send(listener);
            try (InputStream in = listener.getInputStream()) {
                assertEquals(0, in.read());
            }
        }
        client.stop();
        server.stop();
    }

    private static void cutMessagesOff(ByteBufferPool pool) throws Exception {
        Server server = new Server(null, null, pool);
        Whole whole = new Whole();
        URI uri = start(
                server,
                WebSocketUpgradeHandler.from(
                        server, container -> container.addMapping("/", (request, response, callback) -> whole)));
        WebSocket socket = java.net.http.HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(uri.toString().replaceFirst("http", "ws")), new WebSocket.Listener() {})
                .get(300, TimeUnit.SECONDS);
        socket.sendBinary(ByteBuffer.wrap(MUCH), false).get(300, TimeUnit.SECONDS);
        socket.abort();
        eventually(() -> whole.closed);
        server.stop();
    }

    private static void cutPingOff(ByteBufferPool pool) throws Exception {
        Server server = new Server(null, null, pool);
        Whole whole = new Whole();
        URI uri = start(
                server,
                WebSocketUpgradeHandler.from(
                        server, container -> container.addMapping("/", (request, response, callback) -> whole)));
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(new byte[] {(byte) 0x89, (byte) (0x80 | 20), 0, 0, 0, 0, 1, 2, 3}); // 3 of 20 bytes
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes(); // the server has seen all of it once it closes
        }
        eventually(() -> whole.closed);
        server.stop();
    }

    private static void beginHeaders(ByteBufferPool pool, boolean wholeFrames) throws Exception {
        Server server = new Server(null, null, pool);
        ServerConnector connector =
                new ServerConnector(server, new HTTP2CServerConnectionFactory(new HttpConfiguration()));
        URI uri = start(server, connector, new Handler.Wrapper());
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.write(frame(SETTINGS, 0, 0));
            if (wholeFrames) {
                out.write(frame(HEADERS, 1, 20));
                out.write(frame(CONTINUATION, 1, 20));
            } else {
                out.write(frame(HEADERS, 1, 20), 0, 15);
            }
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes(); // the server has seen all of it once it closes
        }
        server.stop();
    }

    /** Without flags, so that there is more to come. */
    private static byte[] frame(int type, int stream, int length) {
        return ByteBuffer.allocate(9 + length)
                .put((byte) 0)
                .putShort((short) length)
                .put((byte) type)
                .put((byte) 0)
                .putInt(stream)
                .array();
    }

    /** Has Jetty put binary messages together. */
    public static final class Whole implements Session.Listener.AutoDemanding {
        volatile boolean closed;

        @Override
        public void onWebSocketBinary(ByteBuffer payload, org.eclipse.jetty.websocket.api.Callback callback) {
            callback.succeed();
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"}) // what stands in its place is not in 12.0
        public void onWebSocketClose(int status, String reason) {
            closed = true;
        }
    }

    static URI start(Server server, Handler handler) throws Exception {
        return start(server, new ServerConnector(server), handler);
    }

    private static URI start(Server server, ServerConnector connector, Handler handler) throws Exception {
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
        return URI.create("http://" + connector.getHost() + ":" + connector.getLocalPort() + "/");
    }

    static void eventually(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (!condition.call()) {
            assertTrue(System.nanoTime() - end < 0);
            Thread.sleep(5);
        }
    }
}
