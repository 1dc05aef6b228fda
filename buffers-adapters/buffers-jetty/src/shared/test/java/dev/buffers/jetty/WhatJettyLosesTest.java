package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolStats;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.junit.jupiter.api.Test;

/**
 * Buffers that Jetty never releases, whoever's pool they are from: its own tracking pool names them, ours counts them lost and takes
 * their memory out of use. A version of Jetty that mends one of these makes its test fail: then what we say of it has to go.
 */
class WhatJettyLosesTest {
    private static final byte[] MUCH = new byte[50_000];

    @Test
    void theStreamOfAClientThatClosesItEarly() throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        closeStreamsEarly(theirs);
        eventually(() -> !theirs.getLeaks().isEmpty());
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            closeStreamsEarly(ours);
            isCountedLost(ours);
        }
    }

    @Test
    void aMessageOfAWebSocketThatIsCutOff() throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        cutMessagesOff(theirs);
        eventually(() -> !theirs.getLeaks().isEmpty());
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            cutMessagesOff(ours);
            isCountedLost(ours);
        }
    }

    static void isCountedLost(JettyBufferPool pool) throws InterruptedException {
        eventually(() -> {
            System.gc();
            return pool.pool().stats().leases() == 0;
        });
        PoolStats stats = pool.pool().stats();
        assertTrue(stats.leaks() > 0, stats::toString);
        assertEquals(0, pool.heapPool().stats().leases());
    }

    /** With the pool for the client alone: the server's is not in question. */
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
                .get(30, TimeUnit.SECONDS);
        socket.sendBinary(ByteBuffer.wrap(MUCH), false).get(30, TimeUnit.SECONDS);
        socket.abort();
        eventually(() -> whole.closed);
        server.stop();
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
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
        return URI.create("http://" + connector.getHost() + ":" + connector.getLocalPort() + "/");
    }

    static void eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0);
            Thread.sleep(5);
        }
    }
}
