// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that hold every buffer that the pool may have, and do not mean to give one back: the idle timeout ends them, whatever they
 * send in the meantime, and then who waits is served.
 */
@Tag("full")
class StarvedServerTest {
    private static final int EIGHT_BUFFERS = 64 << 10;
    private static final int HOSTILE = 24;
    private static final Duration IDLE = Duration.ofMillis(1500);

    @TempDir
    private static Path folder;

    @BeforeAll
    static void fill() throws IOException {
        TestServer.fill(folder);
    }

    /** Slow loris: a header line that never ends, a byte at a time, so that the connection is never quite idle. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct-view"})
    void headersThatNeverEnd(String policy) throws Exception {
        BufferPool pool =
                BufferPool.builder("starved").policy(policy).max(EIGHT_BUFFERS).build();
        try (TestServer server = TestServer.start(folder, new PooledBuffers(pool), o -> o.withIdleTimeout(IDLE))) {
            List<RawClient> hostile = new ArrayList<>();
            for (int i = 0; i < HOSTILE; i++) {
                hostile.add(server.connect().send("GET /1.bin HTTP/1.1\r\nHost: a\r\nX: "));
            }
            Thread trickle = new Thread(() -> trickle(hostile), "trickle");
            trickle.start();
            try {
                awaitNothingLeft(pool);
                assertArrayEquals(content(100_000), patiently(server, "/100000.bin"));
                for (RawClient client : hostile) {
                    assertEnded(client);
                }
                server.assertCalm();
            } finally {
                trickle.interrupt();
                trickle.join();
                closeAll(hostile);
            }
        }
    }

    private static void trickle(List<RawClient> clients) {
        try {
            while (true) {
                for (RawClient client : clients) {
                    try {
                        client.send("x");
                    } catch (IOException e) {
                        // the server has ended it
                    }
                }
                Thread.sleep(50);
            }
        } catch (InterruptedException e) {
            // enough
        }
    }

    /** They ask for much and read nothing, and then they are gone without a word: no end, no reset. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct-view"})
    void readersThatVanishInTheMiddleOfAnAnswer(String policy) throws Exception {
        BufferPool pool =
                BufferPool.builder("starved").policy(policy).max(EIGHT_BUFFERS).build();
        try (TestServer server = TestServer.start(folder, new PooledBuffers(pool), o -> o.withIdleTimeout(IDLE))) {
            List<RawClient> hostile = new ArrayList<>();
            try {
                for (int i = 0; i < HOSTILE; i++) {
                    RawClient client = RawClient.slow(server.port());
                    hostile.add(client);
                    for (int j = 0; j < 8; j++) {
                        client.get("/1048576.bin");
                    }
                }
                awaitNothingLeft(pool);
                assertArrayEquals(content(100_000), patiently(server, "/100000.bin"));
                server.assertCalm();
            } finally {
                closeAll(hostile);
            }
        }
    }

    /** Until an acquire is refused. */
    private static void awaitNothingLeft(BufferPool pool) throws InterruptedException {
        long deadline = deadline();
        for (PooledBuffer lease = pool.tryAcquire(BufferSource.BUFFER_SIZE);
                lease != null;
                lease = pool.tryAcquire(BufferSource.BUFFER_SIZE)) {
            lease.release();
            assertTrue(System.nanoTime() - deadline < 0, () -> "buffers are left: " + pool.stats());
            Thread.sleep(1);
        }
    }

    /** What an honest client gets; one that waited for too long was sent away as idle, and comes again. */
    private static byte[] patiently(TestServer server, String target) throws IOException {
        long deadline = deadline();
        while (true) {
            try (RawClient client = server.connect()) {
                return client.get(target).reply().body();
            } catch (EOFException | SocketException e) {
                assertTrue(System.nanoTime() - deadline < 0, () -> "never served: " + e);
            }
        }
    }

    private static void assertEnded(RawClient client) throws IOException {
        try {
            assertTrue(client.isAtEnd(), "answered");
        } catch (SocketException e) {
            // reset, since it had sent more
        }
    }

    private static void closeAll(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    }

    private static byte[] content(int size) throws IOException {
        return Files.readAllBytes(folder.resolve(size + ".bin"));
    }
}
