// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.adapters.Certificate;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page on Tomcat says of setting it up. */
class TomcatSetUpTest {
    @TempDir
    Path folder;

    private final Tomcat tomcat = new Tomcat();

    @AfterEach
    void stop() throws LifecycleException {
        if (tomcat.getServer().getState() != LifecycleState.DESTROYED) {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private Connector connector(Connector connector) {
        tomcat.setBaseDir(folder.toString());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        tomcat.addContext("", null);
        return connector;
    }

    @Test
    void classNameCreatesPoolsWithPortAndClosesThem() throws Exception {
        Connector connector = connector(new Connector(PooledHttp11NioProtocol.class.getName()));
        PooledHttp11NioProtocol protocol = (PooledHttp11NioProtocol) connector.getProtocolHandler();
        assertNull(protocol.pool());
        tomcat.start();
        BufferPool pool = assertNotNull(protocol.pool());
        BufferPool heapPool = assertNotNull(protocol.heapPool());
        assertEquals("tomcat", pool.name());
        assertEquals("tomcat-heap", heapPool.name());
        assertEquals(Exhaustion.unpooled(), pool.settings().atLimit());
        assertEquals(Exhaustion.unpooled(), heapPool.settings().atLimit());
        try (InputStream in = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/none")
                .toURL()
                .openStream()) {
            throw new AssertionError(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (java.io.FileNotFoundException e) {
            assertTrue(pool.stats().sizeClasses().stream().anyMatch(size -> size.size() == 8192));
        }
        tomcat.stop();
        tomcat.destroy();
        assertNull(protocol.pool());
        assertThrows(IllegalStateException.class, () -> pool.acquire(1));
        assertThrows(IllegalStateException.class, () -> heapPool.acquire(1));
    }

    private static BufferPool assertNotNull(BufferPool pool) {
        org.junit.jupiter.api.Assertions.assertNotNull(pool);
        return pool;
    }

    @Test
    void oneHeapPoolServesBoth() throws Exception {
        System.setProperty("buffers.tomcat.policy", "heap");
        try {
            Connector connector = connector(new Connector(PooledHttp11NioProtocol.class.getName()));
            tomcat.start();
            PooledHttp11NioProtocol protocol = (PooledHttp11NioProtocol) connector.getProtocolHandler();
            assertSame(protocol.pool(), protocol.heapPool());
            assertThrows(IllegalStateException.class, () -> protocol.setPools(protocol.pool(), protocol.pool()));
        } finally {
            System.clearProperty("buffers.tomcat.policy");
        }
    }

    @Test
    void callersPoolsStayOpen() throws Exception {
        try (BufferPool pool = BufferPool.builder("mine").policy("heap").build()) {
            connector(new Connector(new PooledHttp11NioProtocol(pool, pool)));
            tomcat.start();
            tomcat.stop();
            tomcat.destroy();
            pool.acquire(1).release();
        }
    }

    @Test
    void directMemoryForTlsIsRefused() {
        try (BufferPool pool = BufferPool.builder("direct").policy("direct").build()) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> new PooledHttp11NioProtocol(pool, pool));
            assertEquals("the pool of TLS must use the heap: heapPool=direct, policy=direct", e.getMessage());
        }
    }

    /** With TLS its writes need leases, and the poller, which all connections share, would wait for them. */
    @ParameterizedTest
    @ValueSource(strings = {"", "fail", "unpooled", "wait:1s"})
    void pollerNeverWaitsForRecordOfFile(String atLimit) throws Exception {
        if (!atLimit.isEmpty()) {
            System.setProperty("buffers.at-limit", atLimit);
        }
        try {
            PooledHttp11NioProtocol protocol = new PooledHttp11NioProtocol();
            Connector connector = connector(new Connector(protocol));
            connector.setProperty("SSLEnabled", "true");
            connector.addSslHostConfig(new TestTls(Certificate.context()).host("_default_"));
            connector.setThrowOnFailure(true);
            connector.init();
            assertEquals(!atLimit.startsWith("wait"), protocol.getUseSendfile());
            connector.destroy();
        } finally {
            System.clearProperty("buffers.at-limit");
        }
    }

    @Test
    void openSslIsRefusedAtStart() throws Exception {
        Connector connector = connector(new Connector(new PooledHttp11NioProtocol()));
        connector.setProperty("SSLEnabled", "true");
        connector.setProperty("sslImplementationName", "org.apache.tomcat.util.net.openssl.OpenSSLImplementation");
        connector.addSslHostConfig(new TestTls(Certificate.context()).host("_default_"));
        connector.setThrowOnFailure(true);
        LifecycleException e = assertThrows(LifecycleException.class, connector::init);
        assertTrue(e.getCause().getMessage().startsWith("OpenSSL is not supported on pooled buffers"), e::toString);
        connector.destroy();
        assertThrows(
                IllegalArgumentException.class,
                () -> BufferPool.builder("tomcat").max(-1));
        BufferPool.create("tomcat").close();
    }
}
