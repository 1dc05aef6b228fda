// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.jetty.JettyBufferPool;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.jspecify.annotations.Nullable;

/** Jetty for clients that wait. */
final class WaitingJetty {
    private WaitingJetty() {}

    static Embedded start(Way way, boolean ours, @Nullable Tls tls, Waiters waiters) {
        QueuedThreadPool threads = new QueuedThreadPool();
        if (way == Way.UPLOAD_BLOCKING) {
            var factory = VirtualThreads.factory();
            Executor executor = task -> factory.newThread(task).start();
            threads.setVirtualThreadsExecutor(executor);
        }
        JettyBufferPool pool = ours ? JettyBufferPool.create() : null;
        Server server = new Server(threads, null, pool);
        ServerConnector connector =
                new ServerConnector(server, factories(way, tls).toArray(ConnectionFactory[]::new));
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setIdleTimeout(Embedded.IDLE_SECONDS * 1_000L);
        if (way == Way.DOWNLOAD) {
            connector.setAcceptedSendBufferSize(Waiters.SEND_BUFFER);
        }
        server.addConnector(connector);
        ServletHolder servlet = new ServletHolder(new WaitingServlet(waiters, way == Way.UPLOAD_BLOCKING));
        servlet.setAsyncSupported(true);
        ServletContextHandler servlets = new ServletContextHandler();
        servlets.addServlet(servlet, "/");
        WebSocketUpgradeHandler sockets = WebSocketUpgradeHandler.from(server, container -> {
            container.setIdleTimeout(Duration.ofSeconds(Embedded.IDLE_SECONDS));
            container.addMapping(Waiters.SOCKET, (request, response, callback) -> new Echo());
        });
        sockets.setHandler(servlets);
        server.setHandler(sockets);
        LifeCycle.start(server);
        List<BufferPool> pools = pool == null ? List.of() : List.of(pool.pool(), pool.heapPool());
        return new Embedded(connector.getLocalPort(), pools, () -> {
            LifeCycle.stop(server);
            if (pool != null) {
                pool.close();
            }
        });
    }

    private static List<ConnectionFactory> factories(Way way, @Nullable Tls tls) {
        HttpConfiguration configuration = new HttpConfiguration();
        HttpConnectionFactory http = new HttpConnectionFactory(configuration);
        List<ConnectionFactory> factories = new ArrayList<>();
        if (tls != null) {
            SslContextFactory.Server context = new SslContextFactory.Server();
            context.setSslContext(tls.context());
            if (way.isHttp2()) {
                ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
                alpn.setDefaultProtocol(http.getProtocol());
                factories.add(new SslConnectionFactory(context, alpn.getProtocol()));
                factories.add(alpn);
                factories.add(patient(new HTTP2ServerConnectionFactory(configuration)));
            } else {
                factories.add(new SslConnectionFactory(context, http.getProtocol()));
            }
            factories.add(http);
        } else {
            factories.add(http);
            if (way.isHttp2()) {
                factories.add(patient(new HTTP2CServerConnectionFactory(configuration)));
            }
        }
        return factories;
    }

    private static ConnectionFactory patient(AbstractHTTP2ServerConnectionFactory http2) {
        http2.setStreamIdleTimeout(Embedded.IDLE_SECONDS * 1_000L);
        return http2;
    }

    /** Sends each text back. */
    public static final class Echo implements Session.Listener.AutoDemanding {
        private @Nullable Session session;

        @Override
        public void onWebSocketOpen(Session opened) {
            session = opened;
        }

        @Override
        public void onWebSocketText(String message) {
            if (session != null) {
                session.sendText(message, Callback.NOOP);
            }
        }
    }
}
