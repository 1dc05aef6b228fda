// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.MemoryProbe;
import org.glassfish.grizzly.memory.PooledMemoryManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that leave in the middle of a request, and handlers that do not read to its end: with the add-on each lease comes back while the
 * server runs, and without a collection.
 */
@Tag("full")
class AbortedRequestsTest {
    private static final int TIMES = 150;
    private static final int TIMES_IN_PIECES = 20;
    private static final int PIECE = 20;
    private static final int PAUSE_MILLIS = 20;

    /** What a client says before it leaves; {@code waits} for the first byte of an answer. */
    private enum Part {
        UPLOAD("POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(20_000), false),
        UPLOAD_OF_NOTHING("POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n", false),
        CHUNKED("POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nab", false),
        CHUNKED_IN_A_LENGTH(
                "POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n12", false),
        HALF_A_HEADER("GET /read HTTP/1.1\r\nHost: h\r\nConte", false),
        IDLE("GET /read HTTP/1.1\r\nHost: h\r\n\r\n", true),
        HALF_A_SECOND_HEADER("GET /read HTTP/1.1\r\nHost: h\r\n\r\nGET /read HT", true),
        NO_HEADER("G\u00e4T /read HTTP/1.1\r\nHost: h\r\nContent-Length: abc\r\n\r\n", true),
        UNREAD("POST /ignore HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(20_000), true),
        UNREAD_CHUNKED(
                "POST /ignore HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nab", true),
        BAD_CHUNK("POST /ignore HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", true);

        final byte[] bytes;
        final boolean waits;

        Part(String text, boolean waits) {
            this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            this.waits = waits;
        }

        void send(int port, boolean politely) throws Exception {
            send(port, politely, 1);
        }

        /** With the head in this many packets. */
        void send(int port, boolean politely, int packets) throws Exception {
            try (Socket socket = connect(port)) {
                int at = 0;
                for (int i = 1; i < packets; i++) {
                    socket.getOutputStream().write(bytes, at, PIECE);
                    at += PIECE;
                    Thread.sleep(PAUSE_MILLIS);
                }
                socket.getOutputStream().write(bytes, at, bytes.length - at);
                if (waits) {
                    assertTrue(socket.getInputStream().read() >= 0);
                }
                if (!politely) {
                    socket.setSoLinger(true, 0);
                }
            }
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(30_000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private interface Body {
        void run(int port) throws Exception;
    }

    private static void serve(MemoryManager<?> memory, Body body) throws Exception {
        HttpServer server = new HttpServer();
        NetworkListener listener = new NetworkListener("http", "127.0.0.1", 0);
        listener.getTransport().setMemoryManager(memory);
        listener.registerAddOn(new ReleasingAddOn());
        server.addListener(listener);
        server.getServerConfiguration()
                .addHttpHandler(
                        new HttpHandler() {
                            @Override
                            public void service(Request request, Response response) throws Exception {
                                response.getOutputStream()
                                        .write(request.getInputStream().readAllBytes());
                            }
                        },
                        "/read");
        server.getServerConfiguration()
                .addHttpHandler(
                        new HttpHandler() {
                            @Override
                            public void service(Request request, Response response) throws Exception {
                                response.getOutputStream().write('x');
                            }
                        },
                        "/ignore");
        server.getServerConfiguration()
                .addHttpHandler(
                        new HttpHandler() {
                            @Override
                            public void service(Request request, Response response) throws Exception {
                                request.getInputStream().readAllBytes();
                                response.getWriter().write(request.getTrailers().toString());
                            }
                        },
                        "/trailers");
        server.start();
        try {
            body.run(listener.getPort());
        } finally {
            server.shutdownNow();
        }
    }

    private static void allComeBack(BufferPool pool) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (pool.stats().leases() > 0) {
            assertTrue(System.nanoTime() - end < 0, () -> pool.stats().toString());
            Thread.sleep(5);
        }
        assertEquals(0, pool.stats().leaks());
    }

    @ParameterizedTest
    @CsvSource({
        "UPLOAD, true",
        "UPLOAD, false",
        "UPLOAD_OF_NOTHING, true",
        "UPLOAD_OF_NOTHING, false",
        "CHUNKED, true",
        "CHUNKED, false",
        "CHUNKED_IN_A_LENGTH, true",
        "CHUNKED_IN_A_LENGTH, false",
        "HALF_A_HEADER, true",
        "HALF_A_HEADER, false",
        "IDLE, true",
        "IDLE, false",
        "HALF_A_SECOND_HEADER, true",
        "HALF_A_SECOND_HEADER, false",
        "NO_HEADER, true",
        "UNREAD, true",
        "UNREAD, false",
        "UNREAD_CHUNKED, true",
        "UNREAD_CHUNKED, false"
    })
    void leasesComeBackWhileTheServerRuns(Part part, boolean politely) throws Exception {
        leasesComeBack(TIMES, port -> part.send(port, politely));
    }

    @ParameterizedTest
    @CsvSource({
        "UPLOAD, 2",
        "UPLOAD, 3",
        "CHUNKED, 2",
        "CHUNKED, 3",
        "UNREAD, 2",
        "UNREAD, 3",
        "UNREAD_CHUNKED, 2",
        "UNREAD_CHUNKED, 3",
        "BAD_CHUNK, 1",
        "BAD_CHUNK, 2",
        "BAD_CHUNK, 3"
    })
    void leasesOfHeadsInPiecesComeBack(Part part, int packets) throws Exception {
        leasesComeBack(TIMES_IN_PIECES, port -> part.send(port, true, packets));
    }

    private static void leasesComeBack(int times, Body client) throws Exception {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            serve(memory, port -> {
                for (int i = 0; i < times; i++) {
                    client.run(port);
                }
                try (Socket last = connect(port)) { // all before it have been accepted
                    last.getOutputStream().write(Part.IDLE.bytes);
                    assertTrue(last.getInputStream().read() >= 0);
                }
                allComeBack(memory.heapPool());
                allComeBack(memory.pool());
            });
        }
    }

    /** Their text is copied: the buffer in which they came has gone by then. */
    @ParameterizedTest
    @CsvSource({"1000", "30"})
    void trailersAreReadAndTheirLeasesComeBack(int piece) throws Exception {
        String request = "POST /trailers HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\nabcde\r\n0\r\nX-Sum: 1,2\r\nX-Other: something\r\n\r\n";
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            serve(memory, port -> {
                try (Socket socket = connect(port)) {
                    for (int i = 0; i < TIMES; i++) {
                        for (int at = 0; at < request.length(); at += piece) {
                            String part = request.substring(at, Math.min(at + piece, request.length()));
                            socket.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
                        }
                        String answer = readToEndOf(socket, "}");
                        assertTrue(answer.contains("=1,2") && answer.contains("=something"), answer);
                    }
                    allComeBack(memory.heapPool());
                    allComeBack(memory.pool());
                }
            });
        }
    }

    private static String readToEndOf(Socket socket, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int b = socket.getInputStream().read();
            if (b < 0) {
                throw new EOFException(text.toString());
            }
            text.append((char) b);
        }
        return text.toString();
    }

    /** Bodies that come after the answer, which Grizzly skips, and the connection is used again. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void leasesOfSkippedBodiesComeBack(boolean chunked) throws Exception {
        String length = chunked ? "Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n" : "Content-Length: 50000\r\n\r\n";
        byte[] head = ("POST /ignore HTTP/1.1\r\nHost: h\r\n" + length).getBytes(StandardCharsets.US_ASCII);
        String body = "b".repeat(50_000);
        byte[] rest = (chunked ? "c350\r\n" + body + "\r\n0\r\n\r\n" : body).getBytes(StandardCharsets.US_ASCII);
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            serve(memory, port -> {
                try (Socket socket = connect(port)) {
                    for (int i = 0; i < TIMES; i++) {
                        OutputStream out = socket.getOutputStream();
                        out.write(head);
                        readToX(socket);
                        for (int at = 0; at < rest.length; at += 10_000) {
                            out.write(rest, at, Math.min(10_000, rest.length - at));
                        }
                    }
                    socket.getOutputStream().write(Part.IDLE.bytes);
                    assertTrue(socket.getInputStream().read() >= 0);
                    allComeBack(memory.heapPool());
                    allComeBack(memory.pool());
                }
            });
        }
    }

    private static void readToX(Socket socket) throws IOException {
        int b;
        do {
            b = socket.getInputStream().read();
            if (b < 0) {
                throw new EOFException();
            }
        } while (b != 'x');
    }

    /** Grizzly's own pool never sees one of them again; it makes others instead. */
    @Test
    void grizzlysPoolLosesEach() throws Exception {
        LongAdder out = new LongAdder();
        PooledMemoryManager memory = new PooledMemoryManager(4096, 3, 2, 1, 0.01f, 0, false);
        memory.getMonitoringConfig().addProbes(new MemoryProbe() {
            @Override
            public void onBufferAllocateEvent(int size) {
                out.increment();
            }

            @Override
            public void onBufferAllocateFromPoolEvent(int size) {
                out.increment();
            }

            @Override
            public void onBufferReleaseToPoolEvent(int size) {
                out.decrement();
            }
        });
        serve(memory, port -> {
            for (int i = 0; i < TIMES; i++) {
                Part.UPLOAD.send(port, true);
            }
        });
        assertTrue(out.sum() > 0, () -> "out=" + out);
    }
}
