// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.jetty.JettyBufferPool;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ConnectionStatistics;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.Test;

/** Jetty on the pools: each connector is replaced by one like it. */
abstract class JettyContract extends ServerContract {
    @Override
    String server() {
        return "Jetty";
    }

    @Override
    RunningApplication start(String... properties) {
        return ThisBoot.jetty(properties);
    }

    @Test
    void settingsOfBootStaySet() throws Exception {
        try (RunningApplication application = start(
                "server.jetty.max-connections=2",
                "server.jetty.connection-idle-timeout=12s",
                "server.jetty.threads.acceptors=1",
                "server.jetty.threads.selectors=2",
                "server.http2.enabled=true")) {
            Server server = ThisBoot.jettyOf(application);
            assertEquals(1, server.getConnectors().length);
            ServerConnector connector = (ServerConnector) server.getConnectors()[0];
            assertInstanceOf(JettyBufferPool.class, connector.getByteBufferPool());
            assertEquals(12_000, connector.getIdleTimeout());
            assertEquals("127.0.0.1", connector.getHost());
            assertEquals(2, connector.getSelectorManager().getSelectorCount());
            assertTrue(
                    connector.getProtocols().contains("h2c"),
                    () -> connector.getProtocols().toString());
            assertSame(server.getThreadPool(), connector.getExecutor());
            NetworkConnectionLimit limit = server.getBean(NetworkConnectionLimit.class);
            assertEquals(2, limit.getMaxNetworkConnectionCount());
            try (Socket socket = new Socket("127.0.0.1", connector.getLocalPort())) {
                while (limit.getNetworkConnectionCount() != 1) {
                    assertTrue(socket.isConnected());
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void overTls() throws Exception {
        KeyStores.Made store = KeyStores.make();
        try (RunningApplication application = start(
                "server.ssl.key-store=" + store.file(),
                "server.ssl.key-store-password=" + KeyStores.PASSWORD,
                "server.ssl.key-alias=" + KeyStores.ALIAS)) {
            assertEquals("hello", application.trusting(store.context()).get("/hello"));
            PoolStats stats = application.pools().pool().stats();
            assertTrue(
                    stats.sizeClasses().stream().anyMatch(each -> each.size() > 16_384 && each.size() < 32_768),
                    () -> "TLS records are in buffers of the pool's: " + stats.sizeClasses());
        }
    }

    @Test
    void allOfAConnectorIsTakenOver() {
        Server server = new Server();
        Executor executor = Runnable::run;
        ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler();
        ConnectionStatistics statistics = new ConnectionStatistics();
        Connection.Listener listener = new Connection.Listener() {};
        ServerConnector old = new ServerConnector(server, executor, scheduler, null, 0, 1, new HttpConnectionFactory());
        old.setName("one");
        old.setHost("127.0.0.1");
        old.setPort(8_443);
        old.setIdleTimeout(Duration.ofSeconds(3).toMillis());
        old.setShutdownIdleTimeout(17);
        old.setAcceptorPriorityDelta(1);
        old.setAcceptQueueSize(99);
        old.setReuseAddress(false);
        old.setReusePort(true);
        old.setAcceptedTcpNoDelay(false);
        old.setAcceptedReceiveBufferSize(4_000);
        old.setAcceptedSendBufferSize(5_000);
        old.addBean(statistics);
        old.addEventListener(listener);
        LocalConnector local = new LocalConnector(server);
        ServerConnector chosen =
                new ServerConnector(server, null, null, new ArrayByteBufferPool(), 1, 1, new HttpConnectionFactory());
        server.setConnectors(new Connector[] {old, local, chosen});
        ArrayByteBufferPool ours = new ArrayByteBufferPool();

        JettyConnectors.put(server, ours);

        assertSame(local, server.getConnectors()[1]);
        assertSame(chosen, server.getConnectors()[2]);
        ServerConnector made = (ServerConnector) server.getConnectors()[0];
        assertFalse(server.contains(old));
        assertSame(ours, made.getByteBufferPool());
        assertSame(executor, made.getExecutor());
        assertSame(scheduler, made.getScheduler());
        assertSame(
                old.getConnectionFactory(ConnectionFactory.class), made.getConnectionFactory(ConnectionFactory.class));
        assertEquals("one", made.getName());
        assertEquals("127.0.0.1", made.getHost());
        assertEquals(8_443, made.getPort());
        assertEquals(3_000, made.getIdleTimeout());
        assertEquals(17, made.getShutdownIdleTimeout());
        assertEquals(1, made.getAcceptorPriorityDelta());
        assertEquals(99, made.getAcceptQueueSize());
        assertFalse(made.getReuseAddress());
        assertTrue(made.isReusePort());
        assertFalse(made.getAcceptedTcpNoDelay());
        assertEquals(4_000, made.getAcceptedReceiveBufferSize());
        assertEquals(5_000, made.getAcceptedSendBufferSize());
        assertEquals(0, made.getAcceptors());
        assertTrue(made.contains(statistics));
        assertTrue(made.getEventListeners().contains(listener));
        assertEquals(
                old.getBeans().size(),
                made.getBeans().size(),
                () -> made.getBeans().toString());
    }

    /** An application that injects the pool starts all the same. */
    @Test
    void serverKeepsItsOwnBuffersByOneProperty() throws Exception {
        try (RunningApplication application = start("buffers.spring.enabled=false")) {
            assertEquals("hello", application.get("/hello"));
            BufferPool pool = application.context().getBean(BufferPool.class);
            assertEquals(0, ServerContract.acquires(pool));
            assertTrue(application.get("/actuator/buffers").startsWith("{\"pools\":[{\"name\":\"server\""));
        }
    }
}
