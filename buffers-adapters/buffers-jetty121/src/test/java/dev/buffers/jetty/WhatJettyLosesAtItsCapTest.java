// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.adapters.Certificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link WhatJettyLosesTest}, with a pool that throws because it is full: why HTTP/2 asks for {@code at-limit=unpooled}. */
@Tag("full")
class WhatJettyLosesAtItsCapTest {
    private static final byte[] MUCH = new byte[50_000];

    private SSLContext tls;

    @BeforeEach
    void certify() throws Exception {
        tls = Certificate.context();
    }

    /** As at any failure of the layer below: here TLS finds no room. Whether Jetty loses a buffer is a matter of time. */
    @Test
    void theAnswerOverHttp2ThatCouldNotBeWritten() throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        WhatJettyLosesTest.eventually(() -> {
            failToWrite(theirs);
            return !theirs.getLeaks().isEmpty();
        });
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            WhatJettyLosesTest.eventually(() -> {
                failToWrite(ours);
                System.gc();
                return ours.pool().stats().leaks() > 0;
            });
            WhatJettyLosesTest.isCountedLost(ours);
        }
    }

    private void failToWrite(ByteBufferPool pool) throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        Server server = new Server(null, null, new Full(pool, false, full::get));
        Handler writes = new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                full.set(true);
                response.write(true, ByteBuffer.wrap(MUCH), callback);
                return true;
            }
        };
        URI uri = start(server, writes);
        assertThrows(IOException.class, () -> client().send(get(uri), BodyHandlers.discarding()));
        server.stop();
    }

    /** It is not even closed when it has been idle for too long: the client waits forever. */
    @Test
    void theHttp2ConnectionWhoseRequestFindsNoRoom() throws Exception {
        Server server = new Server(null, null, new Full(new ArrayByteBufferPool(), true, () -> true));
        URI uri = start(server, new Handler.Wrapper());
        ServerConnector connector = (ServerConnector) server.getConnectors()[0];
        connector.setIdleTimeout(200);
        CompletableFuture<?> answer = client().sendAsync(get(uri), BodyHandlers.discarding());
        WhatJettyLosesTest.eventually(() -> !connector.getConnectedEndPoints().isEmpty());
        Thread.sleep(2000); // for what does not come
        assertEquals(1, connector.getConnectedEndPoints().size());
        assertFalse(answer.isDone());
        server.stop();
    }

    private URI start(Server server, Handler handler) throws Exception {
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setSslContext(tls);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        ServerConnector connector = new ServerConnector(
                server,
                new SslConnectionFactory(ssl, alpn.getProtocol()),
                alpn,
                new HTTP2ServerConnectionFactory(new HttpConfiguration()));
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
        return URI.create("https://" + connector.getHost() + ":" + connector.getLocalPort() + "/");
    }

    private static HttpRequest get(URI uri) {
        return HttpRequest.newBuilder(uri).build();
    }

    private HttpClient client() {
        return HttpClient.newBuilder().sslContext(tls).build();
    }

    /** A pool that throws when asked for memory of one kind. */
    private static final class Full extends ByteBufferPool.Wrapper {
        private final boolean direct;
        private final BooleanSupplier full;

        Full(ByteBufferPool pool, boolean direct, BooleanSupplier full) {
            super(pool);
            this.direct = direct;
            this.full = full;
        }

        @Override
        public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
            if (direct == this.direct && full.getAsBoolean()) {
                throw new IllegalStateException("full");
            }
            return super.acquire(size, direct);
        }
    }
}
