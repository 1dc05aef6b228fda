// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.adapters.Certificate;
import dev.buffers.undertow.WatchedPool.Gate;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.protocol.framed.AbstractFramedStreamSinkChannel;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedBinaryMessage;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xnio.IoUtils;

/**
 * Faults of Undertow 2.4.4 and 2.3.27 that show on Undertow's pool, without our code. {@link UndertowServer} allows for them, {@link Echo}
 * works round them and {@link UndertowBufferPool} describes them. When one of these tests fails after an upgrade, Undertow has fixed
 * that fault, and all three can drop it.
 */
class UndertowsOwnPoolTest {
    /** Protocol, path, the client's address and name, the server's name and port, no TLS, no headers. */
    private static final byte[] AJP_GET = ("\u0012\u0034\0\u0023" + "\2\2" + "\0\u0008HTTP/1.1\0" + "\0\1/\0"
                    + "\0\1c\0" + "\0\1c\0" + "\0\1s\0" + "\0\u0050" + "\0" + "\0\0" + "\u00ff")
            .getBytes(StandardCharsets.ISO_8859_1);

    private final WatchedPool pool = new WatchedPool();
    private final CountDownLatch ended = new CountDownLatch(1);
    private Undertow server;

    @AfterEach
    void stop() {
        server.stop();
        pool.close();
    }

    @Test
    void halfWebSocketMessageIsForgotten() throws Exception {
        start(Undertow.builder().addHttpListener(0, "localhost").setHandler(Handlers.websocket((exchange, channel) -> {
            channel.addCloseTask(closed -> ended.countDown());
            channel.getReceiveSetter().set(new AbstractReceiveListener() {});
            channel.resumeReceives();
        })));
        HttpClient client = HttpClient.newHttpClient();
        WebSocket socket = client.newWebSocketBuilder()
                .buildAsync(uri("ws", ""), new WebSocket.Listener() {})
                .get(300, TimeUnit.SECONDS);
        socket.sendBinary(ByteBuffer.allocate(100_000), false).get(300, TimeUnit.SECONDS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (pool.open(BufferedBinaryMessage.class) == 0) { // a reset removes bytes that have not been read
            assertTrue(System.nanoTime() - end < 0, "the message does not come");
            Thread.sleep(1);
        }
        socket.abort();
        Gate.await(ended);
        server.stop();
        assertTrue(pool.open(BufferedBinaryMessage.class) > 0);
    }

    /** The header is queued when the exchange ends, and the queue is never notified that the connection has been closed. */
    @Test
    void ajpHeaderIsForgottenWhenHandlerClosesConnection() throws Exception {
        System.setProperty("io.undertow.ajp.REQUIRE_AJP_SECRET", "false"); // which AjpOpenListener reads once
        start(Undertow.builder().addAjpListener(0, "localhost").setHandler(exchange -> {
            IoUtils.safeClose(exchange.getConnection());
            exchange.endExchange();
            ended.countDown();
        }));
        try (Socket socket = new Socket("localhost", port())) {
            socket.getOutputStream().write(AJP_GET);
            Gate.await(ended);
        }
        server.stop();
        assertEquals(1, pool.open("io.undertow.server.protocol.ajp.AjpServerResponseConduit"));
    }

    @Test
    void bufferAllocatedJustAfterStreamResetIsForgotten() throws Exception {
        resetAt("getWriteBuffer");
        assertEquals(1, pool.open(AbstractFramedStreamSinkChannel.class));
    }

    @Test
    void handlerWritesIntoBufferClosedByReset() throws Exception {
        ByteBuffer closed = resetAt("write").seen();
        assertEquals(0, pool.open(AbstractFramedStreamSinkChannel.class));
        assertTrue(closed.position() > 0, closed::toString);
    }

    /** A handler writes, and waits at the gate on its way, until the client has reset the stream and the server has seen it. */
    private Gate resetAt(String method) throws Exception {
        SSLContext context = Certificate.context();
        CountDownLatch first = new CountDownLatch(1);
        start(Undertow.builder()
                .addHttpsListener(0, "localhost", context)
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                .setHandler(Handlers.path()
                        .addExactPath(
                                "/short",
                                exchange -> exchange.getResponseSender().send("."))
                        .addExactPath("/long", new BlockingHandler(exchange -> {
                            OutputStream out = exchange.getOutputStream();
                            out.write('.');
                            out.flush();
                            Gate.await(first);
                            try {
                                out.write(new byte[100_000]);
                            } finally {
                                ended.countDown();
                            }
                        }))));
        HttpClient client = HttpClient.newBuilder().sslContext(context).build();
        Gate gate;
        try (InputStream in = send(client, "/long").body()) {
            assertEquals('.', in.read());
            gate = pool.close(method);
            first.countDown();
            gate.awaitReached();
        }
        send(client, "/short").body().close(); // on the same connection: when it is answered the reset has been seen
        gate.open();
        Gate.await(ended);
        server.stop();
        return gate;
    }

    private HttpResponse<InputStream> send(HttpClient client, String path) throws Exception {
        HttpResponse<InputStream> response =
                client.send(HttpRequest.newBuilder(uri("https", path)).build(), BodyHandlers.ofInputStream());
        assertEquals(HttpClient.Version.HTTP_2, response.version());
        return response;
    }

    private void start(Undertow.Builder builder) {
        server = builder.setByteBufferPool(pool).build();
        server.start();
    }

    private URI uri(String scheme, String path) {
        return URI.create(scheme + "://localhost:" + port() + path);
    }

    private int port() {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }
}
