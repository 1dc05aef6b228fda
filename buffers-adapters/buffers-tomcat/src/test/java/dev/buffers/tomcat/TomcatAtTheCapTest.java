// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.adapters.Certificate;
import dev.buffers.adapters.Client;
import dev.buffers.adapters.Protocol;
import dev.buffers.adapters.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred clients ask, and none reads, where the pool has memory for the answers to ten. */
@Tag("full")
class TomcatAtTheCapTest {
    private static final int CLIENTS = 200;
    private static final int TEN = 10;

    @TempDir
    Path folder;

    private SSLContext tls;
    private TomcatServer server;
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        tls = Certificate.context();
        byte[] file = new byte[300_000];
        Files.write(folder.resolve("file.bin"), file);
        server = new TomcatServer(
                        folder,
                        tls,
                        settings -> settings.max(TEN * 2 * 16_896L).regionSize(16_896 * 4),
                        Optional.empty())
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        try (TomcatServer ended = server) {
            ended.stop();
            for (BufferPool pool : ended.pools()) {
                assertEquals(0, pool.stats().leases(), pool::dump);
            }
        }
    }

    @Test
    void plainConnectionsAboveCapAreClosedAndServerGoesOn() throws Exception {
        twoHundredAsk(false, server.pools().get(1));
    }

    @Test
    void tlsConnectionsAboveCapAreClosedAndServerGoesOn() throws Exception {
        twoHundredAsk(true, server.pools().get(0));
    }

    private void twoHundredAsk(boolean secure, BufferPool pool) throws Exception {
        int refused = 0;
        for (int i = 0; i < CLIENTS; i++) {
            try {
                ask(secure);
            } catch (IOException e) {
                refused++; // in its handshake
            }
        }
        eventually("the cap is met", () -> pool.stats().acquires(AcquireOutcome.REJECTED) > 0);
        assertTrue(pool.stats().reservedBytes() <= pool.stats().maxBytes(), pool::dump);
        assertTrue(refused < CLIENTS - TEN / 2, "refused: " + refused);
        int closed = 0;
        for (Socket socket : sockets) {
            closed += endsEarly(socket) ? 1 : 0;
        }
        assertTrue(refused + closed > 0, "none was closed");
        for (Socket socket : sockets) {
            socket.close();
        }
        eventually("leases are back", () -> pool.stats().leases() == 0);
        Client client = new Client(server, tls);
        for (int i = 0; i < TEN; i++) { // the acceptor accepts, the poller polls
            assertEquals(
                    200,
                    client.sendFile(secure ? Protocol.HTTPS : Protocol.HTTP)
                            .get(300, TimeUnit.SECONDS)
                            .statusCode());
        }
    }

    private void ask(boolean secure) throws IOException {
        URI uri = secure ? server.https() : server.http();
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(10_000);
        socket.connect(new java.net.InetSocketAddress(uri.getHost(), uri.getPort()));
        Socket over = socket;
        if (secure) {
            over = tls.getSocketFactory().createSocket(socket, uri.getHost(), uri.getPort(), true);
            sockets.set(sockets.size() - 1, over);
        }
        over.getOutputStream()
                .write(("GET " + Reply.STREAM.path() + " HTTP/1.1\r\nHost: h\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether the server has closed it, before it has sent everything. One that is alive is left alone after some bytes. */
    private static boolean endsEarly(Socket socket) {
        try {
            socket.setSoTimeout(20);
            InputStream in = socket.getInputStream();
            byte[] some = new byte[1000];
            for (int i = 0; i < 5; i++) {
                if (in.read(some) < 0) {
                    return true;
                }
            }
            return false;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, what);
            Thread.sleep(5);
        }
    }
}
