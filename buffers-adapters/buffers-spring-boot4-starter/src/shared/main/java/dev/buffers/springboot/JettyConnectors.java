// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.security.KeyStore;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Boot makes Jetty's {@code Server} and connectors itself, and neither can be given another pool afterwards: so each connector is
 * replaced by one like it with our pool, before the server starts. What a connection, its TLS and its requests need comes from the
 * connector's pool, and what a web socket needs beyond that from an attribute of its context. The server's own is left to a {@code
 * ResourceHandler} or {@code ConnectHandler} that the application adds.
 */
final class JettyConnectors {
    private static final Log LOG = LogFactory.getLog(JettyConnectors.class);
    /** WebSocketServerComponents.WEBSOCKET_BUFFER_POOL_ATTRIBUTE, of an optional module. */
    private static final String WEB_SOCKET_POOL = "jetty.websocket.bufferPool";

    private JettyConnectors() {}

    static void put(Server server, ByteBufferPool pool) {
        Connector[] connectors = server.getConnectors();
        for (int i = 0; i < connectors.length; i++) {
            if (isReplaceable(connectors[i], server)) {
                connectors[i] = like((ServerConnector) connectors[i], server, pool);
            } else {
                LOG.info("this connector keeps its own buffers, because it is not one of Boot's: " + connectors[i]);
            }
        }
        server.setConnectors(connectors);
        for (NetworkConnectionLimit limit : List.copyOf(server.getBeans(NetworkConnectionLimit.class))) {
            server.removeBean(limit); // it would go on with the connectors that it was made with
            server.addBean(new NetworkConnectionLimit(limit.getMaxNetworkConnectionCount(), connectors));
        }
        for (ContextHandler context : server.getDescendants(ContextHandler.class)) {
            if (context.getAttribute(WEB_SOCKET_POOL) == null) {
                context.setAttribute(WEB_SOCKET_POOL, pool);
            }
        }
    }

    /** False for a connector whose pool the application chose, and for one of an unknown class. */
    private static boolean isReplaceable(Connector connector, Server server) {
        Class<?> type = connector.getClass();
        return connector.getByteBufferPool() == server.getByteBufferPool()
                && (type == ServerConnector.class
                        || connector instanceof ServerConnector
                                && type.getName().startsWith("org.springframework.boot."));
    }

    private static ServerConnector like(ServerConnector old, Server server, ByteBufferPool pool) {
        ServerConnector connector = new PooledConnector(old, server, pool);
        connector.setHost(old.getHost());
        connector.setPort(old.getPort());
        connector.setName(old.getName());
        connector.setDefaultProtocol(old.getDefaultProtocol());
        connector.setIdleTimeout(old.getIdleTimeout());
        connector.setShutdownIdleTimeout(old.getShutdownIdleTimeout());
        connector.setAcceptorPriorityDelta(old.getAcceptorPriorityDelta());
        connector.setAcceptQueueSize(old.getAcceptQueueSize());
        connector.setInheritChannel(old.isInheritChannel());
        connector.setReuseAddress(old.getReuseAddress());
        connector.setReusePort(old.isReusePort());
        connector.setAcceptedTcpNoDelay(old.getAcceptedTcpNoDelay());
        connector.setAcceptedReceiveBufferSize(old.getAcceptedReceiveBufferSize());
        connector.setAcceptedSendBufferSize(old.getAcceptedSendBufferSize());
        old.getBeans().stream()
                .filter(bean -> !isOfEachConnector(bean) && !connector.contains(bean))
                .forEach(bean -> connector.addBean(bean, old.isManaged(bean)));
        old.getEventListeners().stream()
                .filter(listener -> !connector.getEventListeners().contains(listener))
                .forEach(connector::addEventListener);
        return connector;
    }

    /** What the constructor has made for the new one as well. */
    private static boolean isOfEachConnector(Object bean) {
        return bean instanceof ByteBufferPool || bean instanceof SelectorManager;
    }

    /** Checks the key's alias as Boot's own connector for TLS does, which it takes the place of. */
    private static final class PooledConnector extends ServerConnector {
        PooledConnector(ServerConnector old, Server server, ByteBufferPool pool) {
            super(
                    server,
                    old.getExecutor() == server.getThreadPool() ? null : old.getExecutor(),
                    old.getScheduler() == server.getScheduler() ? null : old.getScheduler(),
                    pool,
                    old.getAcceptors(),
                    old.getSelectorManager().getSelectorCount(),
                    old.getConnectionFactories().stream().distinct().toArray(ConnectionFactory[]::new));
        }

        @Override
        protected void doStart() throws Exception {
            super.doStart();
            SslConnectionFactory tls = getConnectionFactory(SslConnectionFactory.class);
            if (tls == null) {
                return;
            }
            SslContextFactory context = tls.getSslContextFactory();
            String alias = context.getCertAlias();
            KeyStore keys = context.getKeyStore();
            if (alias != null && keys != null && !keys.containsAlias(alias)) {
                throw new IllegalStateException("the key store has no such key: alias=" + alias);
            }
        }
    }
}
