// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections of HTTP/2 with Grizzly 4.0.2. Grizzly alone loses the buffer with the preface of each. With the add-on no lease is out while
 * a connection is idle, and each comes back without a collection when a connection ends, also in the middle of a frame.
 */
class GrizzlyHttp2Test {
    private static final int TIMES = 20;
    private static final int STREAMS = 10;

    /** Enough to use up {@link #CAP} once, if each connection costs 16 KiB. A pool asks for a collection every 1.5 seconds at most. */
    private static final int LOSSES = 80;

    /** The same for 128 bytes. */
    private static final int STRESS_LOSSES = 10_000;

    private static final int CAP = 1 << 20;
    private static final int PATIENCE_MILLIS = 300_000;
    private static final int SILENCE_MILLIS = 2_000;

    private static final int DATA = 0;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int END = -1; // of the connection
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final byte[] HALF_A_FRAME = {0, 64, 0, 0, 0, 0, 0, 0, 1, 'x'};

    @TempDir
    Path folder;

    private final SSLContext tls;

    GrizzlyHttp2Test() throws Exception {
        this.tls = Certificate.context();
    }

    private interface Body {
        void run(GrizzlyServer server, BufferPool reads, BufferPool others) throws Exception;
    }

    /** Sockets are read into the first pool. From the second comes all else: answers, and what TLS has decrypted. */
    private void serve(boolean addOn, Body body) throws Exception {
        try (BufferPool reads = builder("direct").build();
                BufferPool others = builder("heap").build()) {
            serve(addOn, reads, others, body);
        }
    }

    private void serve(boolean addOn, BufferPool reads, BufferPool others, Body body) throws Exception {
        GrizzlyServer server = new GrizzlyServer(folder, tls, GrizzlyMemoryManager.of(reads, others), listener -> {
            listener.getTransport().setReadBufferSize(16 << 10);
            listener.registerAddOn(new Http2AddOn());
            if (addOn) {
                listener.registerAddOn(new ReleasingAddOn());
            }
        });
        try {
            body.run(server, reads, others);
        } finally {
            server.stop();
        }
    }

    private static BufferPool.Builder builder(String policy) {
        return BufferPool.builder(policy).policy(policy).leaks(LeakTracking.all());
    }

    private static void allComeBack(BufferPool pool) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (pool.stats().leases() > 0) {
            assertTrue(System.nanoTime() - end < 0, () -> pool.stats() + "" + pool.openLeases());
            Thread.sleep(5);
        }
        assertEquals(0, pool.stats().leaks());
    }

    private HttpClient client() {
        return HttpClient.newBuilder().sslContext(tls).build();
    }

    /** Over HTTP/2, to which the client has to change on each new connection in the clear. */
    private static HttpRequest.Builder request(GrizzlyServer server, boolean secure, Reply reply) {
        URI base = secure ? server.https() : server.http();
        return HttpRequest.newBuilder(base.resolve(reply.path()));
    }

    private static void ok(HttpResponse<byte[]> response, byte[] body) {
        assertEquals(200, response.statusCode());
        assertEquals(HttpClient.Version.HTTP_2, response.version());
        assertTrue(Arrays.equals(body, response.body()), "other bytes");
    }

    /** The connections stay open until the end. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void idleConnectionHoldsNoLease(boolean secure) throws Exception {
        serve(true, (server, reads, others) -> {
            List<HttpClient> clients = new ArrayList<>();
            HttpRequest first = request(server, secure, Reply.ECHO).GET().build(); // an upgrade has no body here
            for (int i = 0; i < TIMES; i++) {
                HttpClient client = client();
                clients.add(client);
                ok(client.send(first, BodyHandlers.ofByteArray()), new byte[0]);
                allComeBack(reads);
                allComeBack(others);
                byte[] body = Arrays.copyOf(Payload.LARGE, 1 << i);
                HttpRequest second = request(server, secure, Reply.ECHO)
                        .POST(BodyPublishers.ofByteArray(body))
                        .build();
                List<CompletableFuture<HttpResponse<byte[]>>> streams = new ArrayList<>();
                for (int j = 0; j < STREAMS; j++) {
                    streams.add(client.sendAsync(second, BodyHandlers.ofByteArray()));
                }
                for (CompletableFuture<HttpResponse<byte[]>> stream : streams) {
                    ok(stream.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS), body);
                }
                allComeBack(reads);
                allComeBack(others);
            }
            for (HttpClient client : clients) {
                ok(client.send(first, BodyHandlers.ofByteArray()), new byte[0]);
            }
            allComeBack(reads);
            allComeBack(others);
        });
    }

    /** What a client writes after its preface, and the frame that it reads last before it leaves. */
    private enum Words {
        PREFACE(SETTINGS, ACK),
        REQUEST(DATA, END_STREAM, Http2Frames.get(1, Reply.THREAD.path())),
        REQUEST_AND_GOAWAY(END, 0, Http2Frames.get(1, Reply.THREAD.path()), Http2Frames.goAway()),
        GOAWAY(END, 0, Http2Frames.goAway()),
        UNREAD_BODY(DATA, END_STREAM, Http2Frames.post(1, Reply.THREAD.path())),
        RESET(PING, ACK, Http2Frames.post(1, Reply.THREAD.path()), Http2Frames.reset(1), Http2Frames.ping()),
        FRAME_CUT_OFF_IN_ITS_HEAD(PING, ACK, Http2Frames.ping(), Arrays.copyOf(Http2Frames.ping(), 5)),
        FRAME_CUT_OFF(PING, ACK, Http2Frames.ping(), Arrays.copyOf(Http2Frames.ping(), 12)),
        DATA_CUT_OFF(DATA, END_STREAM, Http2Frames.post(1, Reply.THREAD.path()), HALF_A_FRAME);

        private final int lastType;
        private final int lastFlag;
        private final byte[] bytes;

        Words(int lastType, int lastFlag, byte[]... frames) {
            this.lastType = lastType;
            this.lastFlag = lastFlag;
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            Arrays.stream(frames).forEach(all::writeBytes);
            this.bytes = all.toByteArray();
        }

        void readLast(Connection connection) throws IOException {
            int type;
            int flags;
            do {
                int length = connection.read() << 16 | connection.read() << 8 | connection.read();
                type = connection.read();
                flags = connection.read();
                for (int i = 0; i < 4 + length; i++) {
                    connection.read();
                }
            } while (type != END && (type != lastType || (flags & lastFlag) == 0));
            if (type != lastType) {
                throw new EOFException("before the last frame: words=" + this);
            }
        }
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void leasesComeBackWhenClientLeaves(Words words) throws Exception {
        serve(true, (server, reads, others) -> {
            for (boolean politely : new boolean[] {true, false}) {
                for (int i = 0; i < TIMES; i++) {
                    say(server.http(), words, 1000, politely);
                }
                allComeBack(reads);
            }
        });
    }

    /** All cuts that a network could make between the preface and the end, and none of the frames is lost. */
    @Tag("full")
    @Test
    void framesInPiecesAreReadAndTheirLeasesComeBack() throws Exception {
        Words words = Words.REQUEST_AND_GOAWAY;
        serve(true, (server, reads, others) -> {
            for (int piece = 1; piece <= words.bytes.length; piece++) {
                say(server.http(), words, piece, true);
            }
            allComeBack(reads);
        });
    }

    private void say(URI http, Words words, int piece, boolean politely) throws IOException {
        try (Connection connection = open(http)) {
            connection.write(Http2Frames.preface());
            byte[] bytes = words.bytes;
            for (int at = 0; at < bytes.length; at += piece) {
                connection.write(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece)));
            }
            words.readLast(connection);
            if (!politely) {
                connection.vanish();
            }
        }
    }

    private Connection open(URI http) throws IOException {
        return Connection.open(Protocol.HTTP, http, tls.getSocketFactory(), SILENCE_MILLIS);
    }

    /**
     * {@code Http2ServerFilter.handleRead} splits the preface from the frames, and drops it. The server's threads may still hold the last
     * ones until it stops.
     */
    @Test
    void grizzlyAloneLosesOneLeaseOfEachConnection() throws Exception {
        try (BufferPool reads = builder("direct").build();
                BufferPool others = builder("heap").build()) {
            serve(false, reads, others, (server, from, rest) -> {
                for (int i = 0; i < TIMES; i++) {
                    say(server.http(), Words.REQUEST, 1000, true);
                }
            });
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
            while (reads.stats().leases() > 0) {
                assertTrue(System.nanoTime() - end < 0, () -> reads.stats() + "" + reads.openLeases());
                System.gc();
                Thread.sleep(10);
            }
            assertEquals(TIMES, reads.stats().leaks(), () -> reads.stats().toString());
        }
    }

    @Test
    @Tag("full")
    void plainRequestsAreAnsweredBesideLosses() throws Exception {
        try (BufferPool reads = builder("direct").max(CAP).build();
                BufferPool others = builder("heap").build()) {
            answerBesideLosses(LOSSES, reads, others);
        }
    }

    @Test
    @Tag("stress")
    void plainRequestsAreAnsweredBesideTenThousandLosses() throws Exception {
        try (BufferPool all = builder("heap").max(CAP).build()) {
            answerBesideLosses(STRESS_LOSSES, all, all);
        }
    }

    /** Without the add-on, and without a collection but those that the pool asks for. */
    private void answerBesideLosses(int losses, BufferPool reads, BufferPool others) throws Exception {
        serve(false, reads, others, (server, from, rest) -> {
            for (int i = 0; i < losses; i++) {
                try {
                    say(server.http(), Words.PREFACE, 1, true);
                } catch (IOException e) {
                    // No room for this one.
                }
                if (i % 10 == 0) {
                    answered(server.http(), reads);
                }
            }
            answered(server.http(), reads);
            assertTrue(reads.stats().leaks() > losses / 10, () -> "loses nothing now: " + reads.stats());
        });
    }

    /** With patience: a pool that has to ask for a collection refuses until that has been. */
    private void answered(URI http, BufferPool reads) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (status(http) != 200) {
            assertTrue(System.nanoTime() - end < 0, () -> "a plain request is not answered: " + reads.stats());
            Thread.sleep(20);
        }
    }

    private int status(URI http) {
        try (Connection connection = open(http)) {
            connection.write(Connection.get(Reply.THREAD.path()));
            return connection.readStatus();
        } catch (IOException e) {
            return -1;
        }
    }
}
