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
import jakarta.servlet.ServletContext;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.zip.Inflater;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Jetty on the pools: each connector is replaced by one like it. */
abstract class JettyContract extends ServerContract {
    private static final int MESSAGES = 20;

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

    /** The inflater and the deflater take their buffers from the context's pool, not from the connector's. */
    @Tag("full")
    @Test
    void compressedWebSocketMessagesUsePools() throws Exception {
        ServerBufferPools pools;
        try (RunningApplication application = RunningApplication.start(
                        List.of(TestApplication.class, Sockets.class), ThisBoot.SERVERS.get(0));
                CompressedWebSocket socket = new CompressedWebSocket(application.port(), "/socket")) {
            pools = application.pools();
            assertEquals("Hello", socket.sendHello());
            long before = acquires(pools);
            for (int i = 0; i < MESSAGES; i++) {
                assertEquals("Hello", socket.sendHello());
            }
            long acquires = acquires(pools) - before; // the connection itself needs one a message
            assertTrue(acquires > 2 * MESSAGES, () -> "acquires by " + MESSAGES + " messages: " + acquires);
            var own = (ArrayByteBufferPool) ThisBoot.jettyOf(application).getByteBufferPool();
            assertEquals(0, own.getDirectMemory() + own.getHeapMemory());
        }
        for (BufferPool pool : pools.all()) {
            assertEquals(0, pool.stats().leases(), pool::name);
        }
    }

    private static long acquires(ServerBufferPools pools) {
        return pools.all().stream().mapToLong(ServerContract::acquires).sum();
    }

    @Configuration(proxyBeanMethods = false)
    static class Sockets {
        @Bean
        SmartInitializingSingleton sockets(ServletContext context) {
            return () -> {
                try {
                    ((ServerContainer) context.getAttribute(ServerContainer.class.getName())).addEndpoint(Echo.class);
                } catch (DeploymentException e) {
                    throw new IllegalStateException(e);
                }
            };
        }
    }

    @ServerEndpoint("/socket")
    public static class Echo {
        @OnMessage
        public String echo(String message) {
            return message;
        }
    }

    /** The client of the JDK does not compress. */
    private static final class CompressedWebSocket implements AutoCloseable {
        /** "Hello" in a text frame, as RFC 7692 has it, with a mask of zeros. */
        private static final byte[] HELLO = HexFormat.of().parseHex("c18700000000f248cdc9c90700");

        private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

        private final Socket socket;
        private final DataInputStream in;
        private final Inflater inflater = new Inflater(true);

        CompressedWebSocket(int port, String path) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setSoTimeout(30_000);
            in = new DataInputStream(socket.getInputStream());
            String upgrade =
                    "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n";
            socket.getOutputStream().write(upgrade.getBytes(StandardCharsets.US_ASCII));
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            assertTrue(head.indexOf("permessage-deflate") > 0, head::toString);
        }

        String sendHello() throws Exception {
            socket.getOutputStream().write(HELLO);
            assertEquals(0xC1, in.readUnsignedByte());
            byte[] compressed = in.readNBytes(in.readUnsignedByte());
            inflater.setInput(ByteBuffer.allocate(compressed.length + TAIL.length)
                    .put(compressed)
                    .put(TAIL)
                    .flip());
            byte[] text = new byte[100];
            return new String(text, 0, inflater.inflate(text), StandardCharsets.US_ASCII);
        }

        @Override
        public void close() throws IOException {
            inflater.end();
            socket.close();
        }
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
