// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolStats;
import dev.buffers.adapters.Certificate;
import dev.buffers.adapters.HttpsServer;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.util.stream.IntStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;

/** The set-up as the manual shows it, and where the buffers of each part come from. */
class UndertowSetUpTest {
    private static final int TLS_RECORD = 16_896;

    @Test
    void theServerUsesThePool() throws Exception {
        HttpHandler handler = exchange -> exchange.getResponseSender().send("hello");
        UndertowBufferPool pool = UndertowBufferPool.create();
        Undertow server = Undertow.builder()
                .setByteBufferPool(pool)
                .addHttpListener(0, "localhost")
                .setHandler(handler)
                .build();
        server.start();
        try {
            InetSocketAddress address =
                    (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
            assertHello(
                    URI.create("http://localhost:" + address.getPort()).toURL().openConnection());
            assertEquals(1, sizes(pool).count());
            assertTrue(sizes(pool).allMatch(size -> size == 16 * 1024)); // 20 bytes more than asked for
        } finally {
            server.stop();
            pool.close();
        }
    }

    @Test
    void tlsRecordsComeFromPool() throws Exception {
        HttpHandler handler = exchange -> exchange.getResponseSender().send("hello");
        SSLContext context = Certificate.context();
        InetSocketAddress address = new InetSocketAddress("localhost", 0);
        UndertowBufferPool pool = UndertowBufferPool.create();
        try (HttpsServer server = new HttpsServer(pool, address, context, handler)) {
            HttpsURLConnection connection = (HttpsURLConnection)
                    URI.create("https://localhost:" + server.address().getPort())
                            .toURL()
                            .openConnection();
            connection.setSSLSocketFactory(context.getSocketFactory());
            assertHello(connection);
            assertArrayEquals(new int[] {16 * 1024, TLS_RECORD}, sizes(pool).toArray()); // a record wastes nothing
        }
        pool.close();
    }

    @Test
    void aListenerNeedsAServerThatRuns() throws Exception {
        try (UndertowBufferPool pool = UndertowBufferPool.create()) {
            Undertow server = Undertow.builder().setByteBufferPool(pool).build();
            InetSocketAddress address = new InetSocketAddress("localhost", 0);
            assertThrows(
                    IllegalStateException.class,
                    () -> pool.addHttpsListener(
                            server, address, SSLContext.getDefault(), exchange -> {}, OptionMap.EMPTY));
        }
    }

    private static IntStream sizes(UndertowBufferPool pool) {
        return pool.pool().stats().sizeClasses().stream()
                .mapToInt(PoolStats.SizeClass::size)
                .sorted();
    }

    private static void assertHello(URLConnection connection) throws Exception {
        try (InputStream in = connection.getInputStream()) {
            assertEquals("hello", new String(in.readAllBytes(), US_ASCII));
        }
    }
}
