// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.adapters.Reply;
import dev.buffers.adapters.ServerUnderTest;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.content.CachingHttpContentFactory;
import org.eclipse.jetty.http2.parser.HeaderBlockParser;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.jspecify.annotations.Nullable;

/** Jetty with what the contract asks of a server: HTTP/1.1 and HTTP/2, TLS, files, compression, the replies and a web socket. */
final class JettyServer implements ServerUnderTest {
    private final @Nullable JettyBufferPool pool;
    private final Server server;
    private final ServerConnector http;
    private final ServerConnector https;
    private final ResourceHandler files = new ResourceHandler();

    /** Starts it, with the handler that compresses in this version of Jetty; without a pool on Jetty's own. */
    JettyServer(
            @Nullable JettyBufferPool pool,
            ThreadPool threads,
            Handler.Wrapper compression,
            Path folder,
            SSLContext tls)
            throws Exception {
        this.pool = pool;
        server = new Server(threads, null, pool);
        http = new ServerConnector(server);
        https = secure(tls);
        for (ServerConnector connector : List.of(http, https)) {
            connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
            server.addConnector(connector);
        }
        files.setBaseResource(ResourceFactory.of(server).newResource(folder));
        compression.setHandler(new Handler.Sequence(new ContextHandler(files, "/files"), new Replies()));
        WebSocketUpgradeHandler webSocket = WebSocketUpgradeHandler.from(server, container -> {
            container.setMaxTextMessageSize(1 << 20);
            container.setMaxBinaryMessageSize(1 << 20);
            container.addMapping("/ws", (request, response, callback) -> new Echo());
        });
        webSocket.setHandler(new ReleasingHandler(compression));
        server.setHandler(webSocket);
        server.start();
        cache().setMaxCachedFiles(0);
    }

    private ServerConnector secure(SSLContext tls) {
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setSslContext(tls);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer(false));
        HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        return new ServerConnector(
                server,
                new SslConnectionFactory(ssl, alpn.getProtocol()),
                alpn,
                new HTTP2ServerConnectionFactory(configuration),
                http1);
    }

    /** What keeps the files that were served, in buffers of the pool, until they are evicted: here none, unless a test changes that. */
    CachingHttpContentFactory cache() {
        return (CachingHttpContentFactory) files.getHttpContentFactory();
    }

    @Nullable JettyBufferPool pool() {
        return pool;
    }

    @Override
    public URI http() {
        return URI.create("http://" + http.getHost() + ":" + http.getLocalPort());
    }

    @Override
    public URI https() {
        return URI.create("https://" + https.getHost() + ":" + https.getLocalPort());
    }

    @Override
    public List<BufferPool> pools() {
        return pool == null ? List.of() : List.of(pool.pool(), pool.heapPool());
    }

    /**
     * The beginning of a head over HTTP/2, or of a web socket's control frame, whose client vanishes, as {@link WhatJettyLosesTest} shows.
     * And the buffer for the rest of a request that Jetty reads while the server stops: it has closed that connection already. And the
     * buffer for the rest of a request that has been idle for too long, since an acquire for it was refused: Jetty keeps it.
     */
    @Override
    public boolean forgets(LeakReport lease) {
        return lease.acquisition().stream()
                .flatMap(known -> known.stack().stream())
                .anyMatch(step -> step.getClassName().equals(HeaderBlockParser.class.getName())
                        || step.getClassName().equals("org.eclipse.jetty.websocket.core.internal.Parser")
                        || step.getClassName().equals(ManagedSelector.class.getName() + "$CloseConnections")
                        || step.getMethodName().contains("onIdleTimeout"));
    }

    @Override
    public void stop() throws Exception {
        server.stop();
    }

    private static final class Replies extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, org.eclipse.jetty.util.Callback callback)
                throws Exception {
            for (Reply reply : Reply.values()) {
                if (reply.path().equals(Request.getPathInContext(request))) {
                    try (InputStream in = Request.asInputStream(request)) {
                        OutputStream out = Response.asBufferedOutputStream(request, response);
                        reply.reply(in, out);
                        out.close(); // not if that failed: Jetty 12.0 then loses the buffer in which it gathers
                    }
                    callback.succeeded();
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Sends every message back. It takes binary ones as they come: those that Jetty puts together itself are lost, with the buffers that
     * their parts are in, if the client vanishes before their end.
     */
    public static final class Echo implements Session.Listener.AutoDemanding {
        private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
        private Session session;

        @Override
        public void onWebSocketOpen(Session opened) {
            session = opened;
        }

        @Override
        public void onWebSocketText(String message) {
            session.sendText(message, Callback.NOOP);
        }

        @Override
        public void onWebSocketPartialBinary(ByteBuffer payload, boolean last, Callback callback) {
            parts.writeBytes(BufferUtil.toArray(payload));
            callback.succeed();
            if (last) {
                session.sendBinary(ByteBuffer.wrap(parts.toByteArray()), Callback.NOOP);
                parts.reset();
            }
        }
    }
}
