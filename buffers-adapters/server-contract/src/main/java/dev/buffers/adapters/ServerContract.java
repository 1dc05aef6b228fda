// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real server on our pool, and every kind of request that any framework knows, in the clear and with TLS: each byte is right, and no
 * lease is left or lost. Features of only some frameworks are in interfaces that the framework's test also implements: {@link
 * Http2Contract}, {@link WebSocketContract}, {@link GzipRequestContract}.
 *
 * <p>The server serves the files of the folder under {@code /files/}, compressed for clients that accept it, and each {@link Reply} at its
 * path.
 */
@Tag("contract")
public abstract class ServerContract {
    private static final int FEW = 20;
    private static final int MANY = 100;
    private static final int PATIENCE_SECONDS = 300;

    @TempDir
    Path folder;

    private ServerUnderTest server;
    private Client client;

    /**
     * Starts the framework's server on loopback, at ports that the system chooses.
     *
     * @param folder what to serve under {@code /files/}
     * @param tls the server's certificate
     */
    protected abstract ServerUnderTest start(Path folder, SSLContext tls) throws Exception;

    /** What handlers run on, where that is not the framework's own threads: for a test that runs all this on virtual threads. */
    protected Optional<ExecutorService> virtualThreads() {
        return Optional.empty();
    }

    /** For the interfaces beside this class. */
    public final Client client() {
        return client;
    }

    /** The server, for tests of the framework's own. */
    protected final ServerUnderTest server() {
        return server;
    }

    @BeforeEach
    void startServer() throws Exception {
        Files.write(folder.resolve("file.bin"), Payload.FILE);
        Files.write(folder.resolve("text.txt"), Payload.TEXT);
        SSLContext tls = Certificate.context();
        server = start(folder, tls);
        client = new Client(server, tls);
    }

    /**
     * While the server runs and its connections are idle, no lease is out; stopping it loses none. A lost lease counts as out until the
     * collector finds it.
     */
    @AfterEach
    void noLeaseIsLeft() throws Exception {
        try (ServerUnderTest ended = server) {
            eventually("leases are back", () -> leases() == leasesForgotten());
            ended.stop();
            eventually("leases are back after the end", () -> leases() == 0);
            eventually("losses are known", () -> leaks() == ended.forgotten().size());
            for (BufferPool pool : ended.pools()) {
                PoolStats stats = pool.stats();
                assertEquals(0, stats.releases(ReleaseOutcome.INVALID), stats::toString);
                assertEquals(0, stats.acquires(AcquireOutcome.REJECTED), stats::toString);
            }
            assertTrue(acquires(ended.pools().get(0)) > 0, "the pool was used");
        }
    }

    private long leaks() {
        return server.pools().stream().mapToLong(pool -> pool.stats().leaks()).sum();
    }

    private long leases() {
        return server.pools().stream().mapToLong(pool -> pool.stats().leases()).sum();
    }

    private long leasesForgotten() {
        return server.pools().stream()
                .flatMap(pool -> pool.openLeases().stream())
                .filter(server::forgets)
                .count();
    }

    /** How many acquires were served. */
    protected static long acquires(BufferPool pool) {
        return pool.stats().acquiresByOutcome().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Collects while it waits, but not at once: leases that come back in good order need no collector. */
    private void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long waited = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            assertTrue(waited < PATIENCE_SECONDS, () -> "did not happen: " + what + pools());
            if (waited >= 1) {
                System.gc();
            }
            Thread.sleep(5);
        }
    }

    private String pools() {
        StringBuilder text = new StringBuilder("; forgotten: " + server.forgotten());
        for (BufferPool pool : server.pools()) {
            text.append("\n").append(pool.stats());
            pool.openLeases().forEach(lease -> text.append("\n").append(lease));
        }
        return text.toString();
    }

    /** How often it takes each kind of request until a pool has served {@link #FEW} acquires: often for a server with few acquires. */
    protected int rounds() {
        return 1;
    }

    @Test
    void everyPoolIsUsed() throws Exception {
        for (int i = 0; i < rounds(); i++) {
            for (Protocol protocol : plain()) {
                client.file(protocol);
                client.gzip(protocol);
                client.upload(protocol);
                client.stream(protocol);
                if (this instanceof GzipRequestContract) {
                    client.uploadGzip(protocol);
                }
            }
        }
        for (BufferPool pool : server.pools()) {
            assertTrue(acquires(pool) > FEW, () -> pool.name() + ": " + pool.stats());
            assertTrue(pool.stats().acquires(AcquireOutcome.THREAD) > 0, () -> pool.name() + ": " + pool.stats());
        }
    }

    @Test
    void handlersRunWhereTheyShould() throws Exception {
        for (Protocol protocol : plain()) {
            String thread = client.thread(protocol);
            assertEquals(virtualThreads().isPresent(), thread.startsWith("VirtualThread["), thread);
        }
    }

    @Test
    void files() throws Exception {
        for (Protocol protocol : plain()) {
            client.file(protocol);
            HttpResponse<byte[]> missing =
                    client.http().send(client.request(protocol, "/files/none").build(), BodyHandlers.ofByteArray());
            assertEquals(404, missing.statusCode());
        }
    }

    @Test
    void gzip() throws Exception {
        for (Protocol protocol : plain()) {
            client.gzip(protocol);
        }
    }

    @Test
    void uploads() throws Exception {
        for (Protocol protocol : plain()) {
            client.upload(protocol);
            client.uploadChunked(protocol);
            client.echo(protocol);
        }
    }

    @Test
    void chunkedAnswers() throws Exception {
        for (Protocol protocol : plain()) {
            client.stream(protocol);
        }
    }

    @Test
    void oneConnectionKeptAlive() throws Exception {
        for (Protocol protocol : plain()) {
            try (Connection connection = client.connect(protocol)) {
                for (int i = 0; i < FEW; i++) {
                    connection.write(Connection.get("/files/file.bin"));
                    assertArrayEquals(Payload.FILE, connection.readAnswer());
                    byte[] body = Arrays.copyOf(Payload.FILE, 1000 * i);
                    connection.write(Connection.post(body.length));
                    connection.write(body);
                    assertArrayEquals(digest(body), connection.readAnswer());
                }
            }
        }
    }

    @Test
    void pipelined() throws Exception {
        byte[] body = Arrays.copyOf(Payload.FILE, 20_000);
        for (Protocol protocol : plain()) {
            try (Connection connection = client.connect(protocol)) {
                for (int i = 0; i < FEW; i++) {
                    connection.write(Connection.get("/files/text.txt")
                            + Connection.get("/files/file.bin")
                            + Connection.post(body.length));
                    connection.write(body);
                    connection.write(Connection.get("/files/file.bin"));
                    assertArrayEquals(Payload.TEXT, connection.readAnswer());
                    assertArrayEquals(Payload.FILE, connection.readAnswer());
                    assertArrayEquals(digest(body), connection.readAnswer());
                    assertArrayEquals(Payload.FILE, connection.readAnswer());
                }
            }
        }
    }

    @Test
    void aRequestInDribs() throws Exception {
        byte[] body = Arrays.copyOf(Payload.FILE, 300);
        for (Protocol protocol : plain()) {
            try (Connection connection = client.connect(protocol)) {
                for (char c : Connection.post(body.length).toCharArray()) {
                    connection.write(String.valueOf(c));
                }
                for (byte b : body) {
                    connection.write(new byte[] {b});
                }
                assertArrayEquals(digest(body), connection.readAnswer());
            }
        }
    }

    @Tag("full")
    @Test
    void aReaderThatIsSlow() throws Exception {
        for (Protocol protocol : plain()) {
            try (Connection connection = client.connect(protocol)) {
                connection.write(Connection.get(Reply.STREAM.path()));
                Thread.sleep(200);
                assertArrayEquals(Payload.LARGE, connection.readAnswer());
            }
        }
    }

    @Test
    void manyAtOnce() throws Exception {
        List<CompletableFuture<HttpResponse<byte[]>>> responses = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            responses.add(client.sendFile(plain().get(i % 2)));
        }
        for (int i = 0; i < MANY; i++) {
            assertArrayEquals(
                    Payload.FILE,
                    client.check(plain().get(i % 2), responses.get(i)).body());
        }
    }

    @Tag("full")
    @Test
    void clientsThatVanishInTheirRequest() throws Exception {
        for (Protocol protocol : plain()) {
            for (int i = 0; i < FEW; i++) {
                boolean politely = i % 2 == 0;
                client.abandon(protocol, "GET /files/file.bin HTT", politely);
                client.abandon(protocol, Connection.post(1_000_000) + "abc", politely);
                client.abandon(protocol, Connection.postChunked() + "5\r\nab", politely);
            }
            client.cancelUpload(protocol, 5);
            client.file(protocol);
        }
    }

    @Tag("full")
    @Test
    void clientsThatVanishInTheirAnswer() throws Exception {
        for (Protocol protocol : plain()) {
            for (int i = 0; i < FEW; i++) {
                client.vanish(protocol, "/files/file.bin");
                client.vanish(protocol, Reply.STREAM.path());
            }
            client.cancel(protocol);
            client.file(protocol);
        }
    }

    /** All of it at once: the profile {@code frameworks}, {@code -Dframeworks.seconds=} for how long. */
    @Test
    @Tag("frameworks")
    void mixedLoad() throws Exception {
        List<Protocol> protocols = this instanceof Http2Contract ? List.of(Protocol.values()) : plain();
        List<Protocol> compressed =
                this instanceof Http2Contract streams && streams.compressesStreams() ? protocols : plain();
        new MixedLoad(client, protocols, compressed)
                .run(Duration.ofSeconds(Integer.getInteger("frameworks.seconds", 60)));
    }

    /** What every server speaks. */
    private static List<Protocol> plain() {
        return List.of(Protocol.HTTP, Protocol.HTTPS);
    }

    private static byte[] digest(byte[] body) {
        return HexFormat.of().formatHex(Payload.digest(body)).getBytes(StandardCharsets.US_ASCII);
    }
}
