// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.adapters.Certificate;
import dev.buffers.adapters.Messages;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that wait: web sockets between two messages, server-sent events, long polls. None holds a lease, and none loses a byte. */
class TomcatWaitingTest {
    private static final int SMALL = 1024;

    @TempDir
    Path folder;

    private final Waiting waiting = new Waiting();
    private SSLContext tls;
    private TomcatServer server;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        tls = Certificate.context();
        server = new TomcatServer(folder, tls, settings -> settings, Optional.empty());
        server.add("/waiting", waiting);
        ((PooledHttp11NioProtocol) server.connector(true).getProtocolHandler()).setResponseBufferSize(SMALL);
        server.start();
        client = HttpClient.newBuilder().sslContext(tls).build();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private URI uri(boolean secure, String path) {
        return (secure ? server.https() : server.http()).resolve(path);
    }

    /** The client may have the last byte before the server's thread has left. */
    private void awaitNoLease() throws InterruptedException {
        long end = System.nanoTime() + 300_000_000_000L;
        for (BufferPool pool : server.pools()) {
            while (pool.stats().leases() > 0) {
                assertTrue(System.nanoTime() - end < 0, pool::dump);
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    @Test
    void webSocketBetweenMessagesHoldsNoLease() throws Exception {
        for (boolean secure : new boolean[] {false, true}) {
            CompletableFuture<byte[]> pong = new CompletableFuture<>();
            Messages messages = new Messages();
            WebSocket socket = client.newWebSocketBuilder()
                    .buildAsync(
                            URI.create(uri(secure, "/ws").toString().replaceFirst("http", "ws")),
                            new Pongs(messages, pong))
                    .get();
            byte[] stamped = new byte[100_000];
            new Random(secure ? 1 : 2).nextBytes(stamped);
            for (int round = 0; round < 3; round++) {
                awaitNoLease();
                socket.sendText("round " + round, true).get();
                assertEquals("round " + round, new String(messages.next(), StandardCharsets.UTF_8));
            }
            socket.sendBinary(ByteBuffer.wrap(stamped, 0, 30_000), false).get();
            socket.sendPing(ByteBuffer.wrap(new byte[] {7})).get();
            assertArrayEquals(new byte[] {7}, pong.get());
            awaitNoLease(); // in the middle of a message
            socket.sendBinary(ByteBuffer.wrap(stamped, 30_000, 70_000), true).get();
            assertArrayEquals(stamped, messages.next());
            awaitNoLease();
            if (secure) {
                socket.abort();
            } else {
                socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get();
            }
        }
        awaitNoLease();
    }

    @Test
    void webSocketWithHalfFrameHoldsNoLease() throws Exception {
        byte[] ping = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};
        byte[] frame = {(byte) 0x82, (byte) 0x84, 0, 0, 0, 0, 1, 2, 3, 4}; // masked with zeros
        for (boolean secure : new boolean[] {false, true}) {
            try (Socket socket = connect(secure)) {
                OutputStream out = socket.getOutputStream();
                DataInputStream in = new DataInputStream(socket.getInputStream());
                out.write(("GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                skipHead(in);
                for (int half = 1; half < frame.length; half++) {
                    byte[] first = Arrays.copyOf(ping, ping.length + half);
                    System.arraycopy(frame, 0, first, ping.length, half);
                    out.write(first);
                    byte[] pong = new byte[2];
                    in.readFully(pong); // so the server has read the half frame
                    assertArrayEquals(new byte[] {(byte) 0x8A, 0}, pong);
                    awaitNoLease();
                    out.write(frame, half, frame.length - half);
                    byte[] echo = new byte[6];
                    in.readFully(echo);
                    assertArrayEquals(new byte[] {(byte) 0x82, 4, 1, 2, 3, 4}, echo);
                }
            }
        }
    }

    @Test
    void responsesThatWaitHoldNoLease() throws Exception {
        check(false, HttpClient.Version.HTTP_1_1);
        check(true, HttpClient.Version.HTTP_1_1);
        check(true, HttpClient.Version.HTTP_2);
    }

    private void check(boolean secure, HttpClient.Version version) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(secure, "/waiting"))
                .version(version)
                .timeout(java.time.Duration.ofSeconds(60))
                .build();
        CompletableFuture<HttpResponse<InputStream>> response = client.sendAsync(request, BodyHandlers.ofInputStream());
        AsyncContext async = assertNotNull(waiting.started.poll(60, TimeUnit.SECONDS));
        awaitNoLease(); // a long poll
        String event = "\uD83D\uDE00".repeat(5000); // in two chars, each pair four bytes
        async.getResponse().getWriter().write(event + "\n");
        async.getResponse().flushBuffer();
        HttpResponse<InputStream> answer = response.get();
        assertEquals(version, answer.version());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < 3; i++) {
                assertEquals(event, lines.readLine());
                awaitNoLease(); // server-sent events
                async.getResponse().getWriter().write(event + "\n");
                async.getResponse().flushBuffer();
            }
            assertEquals(event, lines.readLine());
            async.complete();
            assertEquals(null, lines.readLine());
        }
    }

    private static AsyncContext assertNotNull(AsyncContext async) {
        org.junit.jupiter.api.Assertions.assertNotNull(async);
        return async;
    }

    private Socket connect(boolean secure) throws IOException {
        URI uri = uri(secure, "/");
        return secure
                ? tls.getSocketFactory().createSocket(uri.getHost(), uri.getPort())
                : new Socket(uri.getHost(), uri.getPort());
    }

    private static void skipHead(DataInputStream in) throws IOException {
        for (int last = 0; last != 0x0D0A0D0A; ) { // two ends of line
            last = last << 8 | in.readUnsignedByte();
        }
    }

    /** Starts and leaves it to the test to answer. */
    private static final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            response.setContentType("text/event-stream");
            response.setCharacterEncoding("UTF-8");
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            started.add(async);
        }
    }

    /** Messages, and the first pong. */
    private static final class Pongs implements WebSocket.Listener {
        private final Messages messages;
        private final CompletableFuture<byte[]> pong;

        Pongs(Messages messages, CompletableFuture<byte[]> pong) {
            this.messages = messages;
            this.pong = pong;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            return messages.onText(socket, data, last);
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            return messages.onBinary(socket, data, last);
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer data) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            pong.complete(bytes);
            socket.request(1);
            return null;
        }
    }
}
