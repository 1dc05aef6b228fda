// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import dev.buffers.adapters.Certificate;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tomcat's other ways to read and write: listeners, threads of the application, a system's send, HTTP/2 in the clear, names of hosts. */
class TomcatIoTest {
    private static final byte[] BODY = new byte[1_000_000];

    static {
        new Random(1).nextBytes(BODY);
    }

    @TempDir
    Path folder;

    private SSLContext tls;
    private TomcatServer server;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        tls = Certificate.context();
        Files.write(folder.resolve("file.bin"), BODY);
        server = new TomcatServer(folder, tls, settings -> settings, Optional.empty());
        server.add("/listeners", new Listeners());
        server.add("/threads", new Threads());
        server.add("/little", new Little());
        server.start();
        client = HttpClient.newBuilder().sslContext(tls).build();
    }

    @AfterEach
    void stop() throws Exception {
        try (TomcatServer ended = server) {
            ended.stop();
            for (BufferPool pool : ended.pools()) {
                assertEquals(0, pool.stats().leases(), pool::dump);
                assertEquals(0, pool.stats().releases(ReleaseOutcome.INVALID));
            }
        }
    }

    private byte[] get(URI uri, HttpClient.Version version) throws Exception {
        return check(
                client.send(HttpRequest.newBuilder(uri).version(version).build(), BodyHandlers.ofByteArray()), version);
    }

    private byte[] post(URI uri, HttpClient.Version version) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .version(version)
                .POST(BodyPublishers.ofByteArray(BODY))
                .build();
        return check(client.send(request, BodyHandlers.ofByteArray()), version);
    }

    private static byte[] check(HttpResponse<byte[]> response, HttpClient.Version version) {
        assertEquals(200, response.statusCode());
        assertEquals(version, response.version());
        return response.body();
    }

    @Test
    void listenersEchoEveryByte() throws Exception {
        assertArrayEquals(BODY, post(server.http().resolve("/listeners"), HttpClient.Version.HTTP_1_1));
        assertArrayEquals(BODY, post(server.https().resolve("/listeners"), HttpClient.Version.HTTP_1_1));
        assertArrayEquals(BODY, post(server.https().resolve("/listeners"), HttpClient.Version.HTTP_2));
    }

    @Tag("full")
    @Test
    void applicationThreadsWriteEveryByte() throws Exception {
        assertArrayEquals(BODY, get(server.http().resolve("/threads"), HttpClient.Version.HTTP_1_1));
        assertArrayEquals(BODY, get(server.https().resolve("/threads"), HttpClient.Version.HTTP_1_1));
        assertArrayEquals(BODY, get(server.https().resolve("/threads"), HttpClient.Version.HTTP_2));
    }

    @Test
    void singleBytesArriveInOrder() throws Exception {
        byte[] some = Arrays.copyOf(BODY, 1000);
        assertArrayEquals(some, get(server.http().resolve("/little"), HttpClient.Version.HTTP_1_1));
        assertArrayEquals(some, get(server.https().resolve("/little"), HttpClient.Version.HTTP_1_1));
        assertArrayEquals(some, get(server.https().resolve("/little"), HttpClient.Version.HTTP_2));
    }

    @Test
    void filesAreSentBySystemAndOverTls() throws Exception {
        assertArrayEquals(BODY, get(server.http().resolve("/files/file.bin"), HttpClient.Version.HTTP_1_1));
        assertArrayEquals(BODY, get(server.https().resolve("/files/file.bin"), HttpClient.Version.HTTP_1_1));
    }

    @Test
    void http2InTheClear() throws Exception {
        assertArrayEquals(BODY, get(server.http().resolve("/threads"), HttpClient.Version.HTTP_2)); // upgrades
        assertArrayEquals(BODY, post(server.http().resolve("/listeners"), HttpClient.Version.HTTP_2));
    }

    @Test
    void tlsOfEachHostIsItsOwn() throws Exception {
        for (String name : new String[] {"localhost", "none.invalid"}) {
            int named = server.named().engines();
            int unnamed = server.unnamed().engines();
            try (SSLSocket socket = (SSLSocket) tls.getSocketFactory()
                    .createSocket(
                            new java.net.Socket(
                                    server.https().getHost(), server.https().getPort()),
                            name,
                            server.https().getPort(),
                            true)) {
                javax.net.ssl.SSLParameters parameters = socket.getSSLParameters();
                parameters.setServerNames(java.util.List.of(new javax.net.ssl.SNIHostName(name)));
                socket.setSSLParameters(parameters);
                socket.startHandshake();
            }
            boolean known = name.equals("localhost");
            assertEquals(named + (known ? 1 : 0), server.named().engines());
            assertEquals(unnamed + (known ? 0 : 1), server.unnamed().engines());
        }
    }

    @Test
    void idleConnectionsHoldNoLease() throws Exception {
        for (int i = 0; i < 3; i++) {
            get(server.http().resolve("/little"), HttpClient.Version.HTTP_1_1);
            get(server.https().resolve("/little"), HttpClient.Version.HTTP_1_1);
            get(server.https().resolve("/little"), HttpClient.Version.HTTP_2);
        }
        long end =
                System.nanoTime() + 300_000_000_000L; // the client has the last byte before the server's thread leaves
        for (BufferPool pool : server.pools()) {
            while (pool.stats().leases() > 0) {
                assertTrue(System.nanoTime() - end < 0, pool::dump);
                Thread.sleep(5);
            }
        }
    }

    /** Reads all that comes, when it comes; then writes it back, when there is room. */
    private static final class Listeners extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncContext async = request.startAsync();
            ServletInputStream in = request.getInputStream();
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    byte[] some = new byte[3000];
                    while (in.isReady() && !in.isFinished()) {
                        int count = in.read(some);
                        if (count > 0) {
                            body.write(some, 0, count);
                        }
                    }
                }

                @Override
                public void onAllDataRead() throws IOException {
                    ServletOutputStream out = response.getOutputStream();
                    out.setWriteListener(new Writer(async, out, body.toByteArray()));
                }

                @Override
                public void onError(Throwable failure) {
                    async.complete();
                }
            });
        }
    }

    private static final class Writer implements WriteListener {
        private final AsyncContext async;
        private final ServletOutputStream out;
        private final byte[] bytes;
        private int at;

        Writer(AsyncContext async, ServletOutputStream out, byte[] bytes) {
            this.async = async;
            this.out = out;
            this.bytes = bytes;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                if (at == bytes.length) {
                    async.complete();
                    return;
                }
                int count = Math.min(7777, bytes.length - at);
                out.write(bytes, at, count);
                at += count;
            }
        }

        @Override
        public void onError(Throwable failure) {
            async.complete();
        }
    }

    /** Writes from a thread of the application. */
    private static final class Threads extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            new Thread(() -> {
                        try {
                            ServletOutputStream out = response.getOutputStream();
                            for (int at = 0; at < BODY.length; at += 10_000) {
                                out.write(BODY, at, 10_000);
                                out.flush();
                            }
                        } catch (IOException e) {
                            // the client has gone
                        } finally {
                            async.complete();
                        }
                    })
                    .start();
        }
    }

    /** Flushes each byte. */
    private static final class Little extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ServletOutputStream out = response.getOutputStream();
            for (int i = 0; i < 1000; i++) {
                out.write(BODY[i]);
                if (i % 10 == 0) {
                    out.flush();
                }
            }
        }
    }
}
