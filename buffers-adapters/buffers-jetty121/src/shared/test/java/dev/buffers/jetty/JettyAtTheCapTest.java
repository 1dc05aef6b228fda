// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Jetty does when an acquire throws for want of room, and that nothing is left of it. */
class JettyAtTheCapTest {
    private static final int[] SIZES = {65_536, 32_768, 16_384, 8192, 4096, 1024, 128};

    private final List<RetainableByteBuffer> held = new ArrayList<>();
    private JettyBufferPool pool;
    private Server server;
    private ServerConnector connector;

    @BeforeEach
    void start() throws Exception {
        System.setProperty("buffers.jetty.max", "256k");
        System.setProperty("buffers.jetty-heap.max", "256k");
        System.setProperty("buffers.at-limit", "fail");
        pool = JettyBufferPool.create();
        server = new Server(null, null, pool);
        connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                switch (Request.getPathInContext(request)) {
                    case "/acquires":
                        pool.acquire(1 << 20, true).release();
                        break;
                    case "/leaves-no-heap":
                        holdAll(false);
                        throw new IllegalStateException("for the error page");
                    case "/leaves-no-direct":
                        holdAll(true);
                        break;
                    default:
                }
                response.write(true, ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)), callback);
                return true;
            }
        });
        server.start();
    }

    private void holdAll(boolean direct) {
        for (int size : SIZES) {
            for (boolean room = true; room; ) {
                try {
                    held.add(pool.acquire(size, direct));
                } catch (PoolExhaustedException full) {
                    room = false;
                }
            }
        }
    }

    @AfterEach
    void laterRequestsAreServedAndNothingIsLeft() throws Exception {
        held.forEach(RetainableByteBuffer::release);
        assertTrue(get("/").startsWith("HTTP/1.1 200 "));
        server.stop();
        for (BufferPool one : List.of(pool.pool(), pool.heapPool())) {
            PoolStats stats = one.stats();
            assertEquals(0, stats.leases() + stats.leaks(), stats::toString);
        }
        pool.close();
        System.clearProperty("buffers.at-limit");
        System.clearProperty("buffers.jetty.max");
        System.clearProperty("buffers.jetty-heap.max");
    }

    @Test
    void refusalInHandlerIsError500() throws Exception {
        String answer = get("/acquires");
        assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
        assertTrue(answer.contains("pool has no room: pool=jetty, size=1048576"), answer);
    }

    @Test
    void refusalForErrorPageIsError500WithoutPage() throws Exception {
        String answer = get("/leaves-no-heap");
        assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
        assertTrue(answer.contains("Content-Length: 0\r\n"), answer);
    }

    @Test
    void refusalForResponseHeadersEndsConnection() throws Exception {
        assertEquals("", get("/leaves-no-direct"));
    }

    @Test
    void refusalForRequestEndsConnection() throws Exception {
        holdAll(true);
        long before = pool.pool().stats().acquires(AcquireOutcome.REJECTED);
        assertEquals("", get("/"));
        assertEquals(before + 1, pool.pool().stats().acquires(AcquireOutcome.REJECTED));
    }

    private String get(String path) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
            socket.setSoTimeout(30_000);
            String request = "GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
