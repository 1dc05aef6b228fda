// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.adapters.Certificate;
import dev.buffers.tomcat.docs.TlsConnector;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.jsse.JSSEImplementation;
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

    /** By its name: OpenSSL itself may not be on this machine. */
    public static final class OpenSslByName extends JSSEImplementation {}

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectorWithOpenSslKeepsBuffersOfTomcat(boolean ownPools) throws Exception {
        try (BufferPool mine = BufferPool.builder("mine").policy("heap").build()) {
            PooledHttp11NioProtocol protocol =
                    ownPools ? new PooledHttp11NioProtocol() : new PooledHttp11NioProtocol(mine, mine);
            Connector connector = connector(new Connector(protocol));
            connector.setProperty("SSLEnabled", "true");
            connector.setProperty("sslImplementationName", OpenSslByName.class.getName());
            connector.addSslHostConfig(new TestTls(Certificate.context()).host("_default_"));
            connector.setThrowOnFailure(true);
            tomcat.start();
            assertFalse(protocol.isPooled());
            for (int i = 0; i < 3; i++) {
                assertEquals(404, statusOverTls(connector)); // each on a new connection
            }
            assertEquals(0, mine.stats().acquires(AcquireOutcome.CARVED));
            assertSame(ownPools ? null : mine, protocol.pool());
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Test
    void connectorForTlsOfPageServesFromHeapPool() throws Exception {
        Path keys = folder.resolve("keys.p12");
        Certificate.write(keys);
        try (BufferPool pool = BufferPool.builder("tomcat").forServer().build();
                BufferPool heapPool = BufferPool.builder("tomcat-heap")
                        .forServer()
                        .policy("heap")
                        .build()) {
            Connector connector = connector(TlsConnector.create(pool, heapPool, keys, Certificate.PASSWORD));
            tomcat.start();
            assertEquals(404, statusOverTls(connector));
            assertTrue(heapPool.stats().acquires(AcquireOutcome.CARVED) > 0);
            assertEquals(0, pool.stats().acquires(AcquireOutcome.CARVED));
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1000"})
    void connectorHasAttributeForBufferOfResponse(String size) throws Exception {
        PooledHttp11NioProtocol protocol = new PooledHttp11NioProtocol();
        Connector connector = connector(new Connector(protocol));
        assertEquals(-1, protocol.getResponseBufferSize());
        if (!size.isEmpty()) {
            assertTrue(connector.setProperty("responseBufferSize", size));
        }
        Context root = (Context) tomcat.getHost().findChildren()[0];
        Tomcat.addServlet(root, "size", new SizeOfBuffer()).addMapping("/size");
        tomcat.start();
        URI uri = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/size");
        try (InputStream in = uri.toURL().openStream()) {
            assertEquals(size.isEmpty() ? "8192" : size, new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void responseWithoutBufferIsRefused() {
        PooledHttp11NioProtocol protocol = new PooledHttp11NioProtocol();
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> protocol.setResponseBufferSize(0));
        assertEquals("responseBufferSize=0; accepted: 1 and more", e.getMessage());
    }

    private static final class SizeOfBuffer extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().print(response.getBufferSize());
        }
    }

    private static int statusOverTls(Connector connector) throws Exception {
        URI uri = URI.create("https://127.0.0.1:" + connector.getLocalPort() + "/none");
        return HttpClient.newBuilder()
                .sslContext(Certificate.context())
                .build()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                .statusCode();
    }
}
