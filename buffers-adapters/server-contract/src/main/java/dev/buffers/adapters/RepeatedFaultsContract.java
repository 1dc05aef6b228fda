// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One faulty or hostile request over and over, on pools of one megabyte: every plain request beside it is answered. Where the framework
 * loses no buffer, all of them are back without a collection; where it loses one each time, the pool recovers by itself.
 *
 * <p>The server answers each {@link Reply} at its path, decompresses requests, and has a web socket at {@code /ws}.
 */
@Tag("full")
@SuppressWarnings({"StringConcatToTextBlock", "ImmutableEnumChecker"}) // the requests contain the line ends of HTTP
public abstract class RepeatedFaultsContract {
    /** Enough to use up each pool, if each fault costs 8 KiB. */
    private static final int TIMES = 200;

    private static final int STRESS_TIMES = 10_000;
    private static final int CAP = 1 << 20;
    private static final int PATIENCE_MILLIS = 300_000;
    private static final int SILENCE_MILLIS = 100;
    private static final byte[] GZIP_HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0};

    /** What a client does wrong, or does and then leaves. */
    protected enum Fault {
        TRAILER(chunked("5\r\nabcde\r\n0\r\nX-Sum: 1\r\n\r\n"), Then.READS),
        TRAILER_CUT_OFF(chunked("5\r\nabcde\r\n0\r\nX-Su"), Then.VANISHES),
        TRAILER_TOO_LARGE(chunked("5\r\nabcde\r\n0\r\nX-Sum: " + "1".repeat(70_000) + "\r\n\r\n"), Then.READS),
        CHUNK_EXTENSION(chunked("5;name=value\r\nabcde\r\n0\r\n\r\n"), Then.READS),
        CHUNK_SIZE_BAD(chunked("xyz\r\nabcde\r\n0\r\n\r\n"), Then.READS),
        CHUNK_END_BAD(chunked("5\r\nabcdeXX\r\n0\r\n\r\n"), Then.READS),
        GZIP_METHOD_BAD(gzip(new byte[] {0x1f, (byte) 0x8b, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}), Then.READS),
        GZIP_DATA_BAD(gzip(join(GZIP_HEAD, "\377\377\377\377\377\377\377\377")), Then.READS),
        GZIP_CUT_OFF(gzip(join(GZIP_HEAD, "\113\114")), Then.READS),
        GZIP_HEAD_CUT_OFF(gzip(new byte[] {0x1f, (byte) 0x8b, 8}), Then.READS),
        GZIP_EMPTY(gzip(new byte[0]), Then.READS),
        HEAD_TOO_LARGE(text("GET /thread HTTP/1.1\r\nHost: h\r\nX-Large: " + "x".repeat(70_000)), Then.READS),
        HEAD_BAD(text("G\u00e4T /thread HTTP/7\r\nHost h\r\n\r\n"), Then.READS),
        LENGTH_BAD(text("POST /digest HTTP/1.1\r\nHost: h\r\nContent-Length: -5\r\n\r\nabcde"), Then.READS),
        BODY_CUT_OFF(text("POST /digest HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\nabcde"), Then.VANISHES),
        EXPECTATION(
                text("POST /digest HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"),
                Then.RESETS),
        UPGRADE_CUT_OFF(text(upgrade().substring(0, 40)), Then.VANISHES),
        UPGRADE_BAD(
                text("GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nabc"),
                Then.RESETS),
        UPGRADE_WITH_BYTES(text(upgrade() + "x".repeat(100)), Then.RESETS),
        UPGRADE_WITH_PING(join(text(upgrade()), "\211\205\0\0\0\0hello"), Then.RESETS),
        UPGRADE_WITH_HALF_A_FRAME(join(text(upgrade()), "\202\375\0\0"), Then.RESETS),
        UPGRADE_TO_HTTP2(
                text("GET /thread HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                        + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
                Then.RESETS);

        private final byte[] bytes;
        private final Then then;

        Fault(byte[] bytes, Then then) {
            this.bytes = bytes;
            this.then = then;
        }

        private enum Then {
            /** Reads the answer up to the end of the connection. */
            READS,
            /** Reads the first byte of an answer, or the end, and resets the connection. */
            RESETS,
            /** Resets the connection at once. */
            VANISHES
        }

        private static byte[] text(String text) {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }

        private static byte[] join(byte[] first, String second) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(first);
            both.writeBytes(text(second));
            return both.toByteArray();
        }

        private static byte[] chunked(String body) {
            return text(closing(Connection.postChunked()) + body);
        }

        private static String closing(String head) {
            return head.replace("Host: h\r\n", "Host: h\r\nConnection: close\r\n");
        }

        private static byte[] gzip(byte[] body) {
            String head =
                    "POST /digest HTTP/1.1\r\nHost: h\r\nContent-Encoding: gzip\r\nContent-Length: " + body.length;
            return join(text(closing(head) + "\r\n\r\n"), new String(body, StandardCharsets.ISO_8859_1));
        }

        private static String upgrade() {
            return "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        }
    }

    @TempDir
    Path folder;

    /**
     * Starts the framework's server.
     *
     * @param pools the settings of each of its pools
     */
    protected abstract ServerUnderTest start(Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools)
            throws Exception;

    /** At which of them the framework loses a buffer, which no adapter can give back. */
    protected abstract Set<Fault> losing();

    @ParameterizedTest
    @EnumSource
    void plainRequestsAreAnsweredBesideFaults(Fault fault) throws Exception {
        repeat(fault, TIMES);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("stress")
    void plainRequestsAreAnsweredBesideTenThousandFaults(Fault fault) throws Exception {
        repeat(fault, STRESS_TIMES);
    }

    private void repeat(Fault fault, int times) throws Exception {
        SSLContext tls = Certificate.context();
        try (ServerUnderTest server = start(folder, tls, pools -> pools.max(CAP))) {
            URI http = server.http();
            for (int i = 0; i < times; i++) {
                send(fault, http, tls);
                if (i % 10 == 0) {
                    answered(http, tls);
                }
            }
            answered(http, tls);
            if (losing().contains(fault)) {
                eventually(server, true, times / 10); // its threads may still hold the last ones
                assertTrue(leaks(server) > times / 10, () -> "loses nothing now: " + stats(server));
            } else {
                eventually(server, false, 0);
                assertEquals(0, leaks(server), () -> stats(server));
            }
        }
    }

    private static void send(Fault fault, URI http, SSLContext tls) {
        try (Connection connection = Connection.open(Protocol.HTTP, http, tls.getSocketFactory(), SILENCE_MILLIS)) {
            connection.write(fault.bytes);
            switch (fault.then) {
                case READS -> readToEnd(connection);
                case RESETS -> {
                    connection.read();
                    connection.vanish();
                }
                case VANISHES -> connection.vanish();
            }
        } catch (IOException e) {
            // The server has hung up, or is silent.
        }
    }

    private static void readToEnd(Connection connection) throws IOException {
        while (connection.read() >= 0) {
            // The answer does not matter.
        }
    }

    /** With patience: a pool that has to ask for a collection refuses until that has been. */
    private static void answered(URI http, SSLContext tls) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (status(http, tls) != 200) {
            assertTrue(System.nanoTime() - end < 0, "a plain request is not answered");
            Thread.sleep(20);
        }
    }

    private static int status(URI http, SSLContext tls) {
        try (Connection connection = Connection.open(Protocol.HTTP, http, tls.getSocketFactory(), 5_000)) {
            connection.write(Connection.get(Reply.THREAD.path()));
            return connection.readStatus();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void eventually(ServerUnderTest server, boolean collecting, int most) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (server.pools().stream().anyMatch(pool -> pool.stats().leases() > most)) {
            assertTrue(System.nanoTime() - end < 0, () -> "leases are out: " + stats(server));
            if (collecting) {
                System.gc();
            }
            Thread.sleep(10);
        }
    }

    private static long leaks(ServerUnderTest server) {
        return server.pools().stream().mapToLong(pool -> pool.stats().leaks()).sum();
    }

    private static String stats(ServerUnderTest server) {
        StringBuilder text = new StringBuilder();
        for (BufferPool pool : server.pools()) {
            PoolStats stats = pool.stats();
            text.append(pool.name())
                    .append(": ")
                    .append(stats)
                    .append(pool.openLeases())
                    .append('\n');
        }
        return text.toString();
    }
}
