// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.adapters.Certificate;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.apache.catalina.connector.RequestFacade;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client gets, and what becomes of the memory, when JSSE fails or is at work while a connection ends. */
class TomcatTlsFaultTest {
    private static final String GET = "GET /one HTTP/1.1\r\nHost: h\r\n\r\n";

    @TempDir
    Path folder;

    private TomcatServer server;
    private BufferPool pool;
    private SSLSocket socket;
    private Socket wire;
    private volatile PooledSocketWrapper wrapper;

    @BeforeEach
    void connect() throws Exception {
        SSLContext tls = Certificate.context();
        server = new TomcatServer(folder, tls, settings -> settings.threadCache(0), Optional.empty());
        server.add("/one", new One());
        server.start();
        pool = server.pools().get(0);
        List<PooledBuffer> leases = new ArrayList<>();
        for (int i = 0; i < 8; i++) { // what the last holder leaves in memory
            PooledBuffer lease = pool.acquire(16_896);
            while (lease.buffer().hasRemaining()) {
                lease.buffer().put((byte) 'S');
            }
            leases.add(lease);
        }
        leases.forEach(PooledBuffer::release);
        wire = new Socket(server.https().getHost(), server.https().getPort());
        wire.setSoTimeout(20_000);
        socket = (SSLSocket)
                tls.getSocketFactory().createSocket(wire, "h", server.https().getPort(), true);
        socket.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\none") < 0) {
            answer.append((char) in.read());
        }
    }

    @AfterEach
    void stop() throws Exception {
        wire.close();
        try (TomcatServer ended = server) {
            ended.stop();
            for (BufferPool each : ended.pools()) {
                assertEquals(0, each.stats().leases(), each::dump);
            }
        }
    }

    @Test
    void failedWrapSendsNothingOfMemory() throws Exception {
        server.unnamed().beforeWrap(() -> {
            throw new SSLException("it fails");
        });
        socket.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
        assertNothingOfMemory(wire.getInputStream());
    }

    @Test
    void closeDuringWrapLeavesMemoryToItsThread() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        server.unnamed().beforeWrap(() -> {
            reached.countDown();
            await(go);
        });
        socket.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
        await(reached);
        CompletableFuture.runAsync(wrapper::close).get(300, TimeUnit.SECONDS); // does not wait for JSSE
        assertTrue(pool.stats().leases() >= 2, pool::dump);
        go.countDown();
        assertNothingOfMemory(wire.getInputStream());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (pool.stats().leases() > 0) {
            assertTrue(System.nanoTime() - end < 0, pool::dump);
            Thread.sleep(5);
        }
    }

    private static void assertNothingOfMemory(InputStream in) {
        StringBuilder bytes = new StringBuilder();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                bytes.append((char) next);
            }
        } catch (IOException e) {
            // a reset
        }
        assertFalse(bytes.indexOf("SSSS") >= 0, () -> "bytes: " + bytes.length());
        assertTrue(bytes.length() < 1000, () -> "bytes: " + bytes.length());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(300, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private final class One extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            wrapper = (PooledSocketWrapper) Wrappers.of((RequestFacade) request);
            response.setContentLength(3);
            response.getOutputStream().print("one");
        }
    }
}
