// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real server on pools that are too small for its clients, which are slow on purpose. The server goes on accepting, no client gets a
 * wrong byte, and each client holds its share at most. When the clients have gone, everything is as before, without intervention. Only
 * buffers that a framework has dropped come back with a collection.
 *
 * <p>The server serves the files of the folder under {@code /files/}, and each {@link Reply} at its path.
 */
@Tag("full")
public abstract class OverloadContract {
    private static final int LARGE = 16 << 20;
    private static final int MANY = 24;
    private static final int FEW = 3;
    private static final int REQUESTS = 4;
    private static final int CAP = 256 << 10;
    private static final int PATIENCE_SECONDS = 300;
    private static final int SILENCE_MILLIS = 5_000;
    private static final int HUNG_UP = -1;
    private static final int SILENT = -2;

    /** The bytes that a connection may hold in addition, before its request is counted. */
    private static final int HANDSHAKE = 17 << 10;

    private static final List<Protocol> BOTH = List.of(Protocol.HTTP, Protocol.HTTPS);

    /** How a client keeps a server waiting. */
    protected enum Slow {
        /** Half of a request's head. */
        HEAD,
        /** Half of a request's body. */
        BODY,
        /** Asks for a large file and does not read it. */
        FILE,
        /** Asks for the answer of a blocking handler and does not read it. */
        STREAM
    }

    @TempDir
    Path folder;

    private final List<Connection> slow = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // each test begins with begin()
    private ServerUnderTest server;

    @SuppressWarnings("NullAway.Init") // as above
    private Client client;

    /**
     * Starts the framework's server.
     *
     * @param pools the settings of each of its pools
     * @param requests how many it may work at; beyond that it may keep one in a queue, and answers 503 to the others. No limit when 0
     */
    protected abstract ServerUnderTest start(
            Path folder, SSLContext tls, UnaryOperator<BufferPool.Builder> pools, int requests) throws Exception;

    /** The most bytes that one client may hold, as the documentation says. */
    protected abstract int share();

    /** How clients may come. */
    protected List<Protocol> protocols() {
        return BOTH;
    }

    /** How clients may come that it gets over within a minute with nothing set but a cap. */
    protected List<Protocol> withoutHelp() {
        return BOTH;
    }

    /** Whether it also acquires memory that it can do without, and so may be refused where each request is served. */
    protected boolean triesToSaveMemory() {
        return false;
    }

    @BeforeEach
    void files() throws IOException {
        Files.write(folder.resolve("file.bin"), Payload.FILE);
        Files.write(folder.resolve("large.bin"), new byte[LARGE]);
    }

    private void begin(UnaryOperator<BufferPool.Builder> pools, int requests) throws Exception {
        SSLContext tls = Certificate.context();
        server = start(folder, tls, pools, requests);
        client = new Client(server, tls);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        try (ServerUnderTest ended = server) {
            leave();
            ended.stop();
            eventually("leases are back", true, () -> leased() == 0);
            for (BufferPool pool : ended.pools()) {
                PoolStats stats = pool.stats();
                assertEquals(0, stats.releases(ReleaseOutcome.INVALID), stats::toString);
            }
        }
    }

    /** Ends all slow clients. */
    private void leave() {
        for (Connection one : slow) {
            try {
                one.vanish();
            } catch (IOException e) {
                // The server was quicker.
            }
        }
        slow.clear();
    }

    private long leased() {
        return server.pools().stream()
                .mapToLong(pool -> pool.stats().leasedBytes())
                .sum();
    }

    private long acquires(AcquireOutcome outcome) {
        return server.pools().stream()
                .mapToLong(pool -> pool.stats().acquires(outcome))
                .sum();
    }

    private void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        eventually(what, false, condition);
    }

    private void eventually(String what, boolean collecting, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long waited = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            assertTrue(waited < PATIENCE_SECONDS, () -> "did not happen: " + what + "\n" + pools());
            if (collecting && waited >= 1) {
                System.gc(); // for what the framework has dropped
            }
            Thread.sleep(5);
        }
    }

    private String pools() {
        StringBuilder text = new StringBuilder();
        server.pools()
                .forEach(pool ->
                        text.append(pool.stats()).append(pool.openLeases()).append('\n'));
        return text.toString();
    }

    private void keepWaiting(Protocol protocol, Slow how) throws IOException {
        Connection connection = client.connect(protocol);
        slow.add(connection);
        if (protocol == Protocol.HTTP2) {
            connection.write(frames(how, 1));
            return;
        }
        switch (how) {
            case HEAD -> connection.write("GET /files/file.bin HTT");
            case BODY -> connection.write(Connection.post(1_000_000) + "abc");
            case FILE -> connection.write(Connection.get("/files/large.bin"));
            case STREAM -> connection.write(Connection.get(Reply.STREAM.path()));
        }
    }

    private static byte[] frames(Slow how, int stream) {
        return switch (how) {
            case HEAD -> Http2Frames.halfHead(stream, "/files/file.bin");
            case BODY -> Http2Frames.post(stream, Reply.DIGEST.path());
            case FILE -> Http2Frames.get(stream, "/files/large.bin");
            case STREAM -> Http2Frames.get(stream, Reply.STREAM.path());
        };
    }

    /** The most that is leased within 200 milliseconds. */
    private long mostLeased() throws InterruptedException {
        long most = 0;
        for (int i = 0; i < 20; i++) {
            Thread.sleep(10);
            most = Math.max(most, leased());
        }
        return most;
    }

    /** Whatever the client does not do. */
    @Test
    void oneSlowClientHoldsItsShareAtMost() throws Exception {
        begin(pools -> pools.max(64 << 20), 0);
        client.file(Protocol.HTTPS);
        Map<String, Long> held = new TreeMap<>();
        for (Protocol protocol : protocols()) {
            for (Slow how : Slow.values()) {
                for (int i = 0; i < 100 && leased() > 0; i++) { // what the last one held
                    Thread.sleep(10);
                }
                long before = leased();
                keepWaiting(protocol, how);
                long most = Long.MAX_VALUE;
                for (int i = 0; i < 25 && most > share(); i++) { // its handshake may go on
                    most = mostLeased() - before;
                }
                held.put(protocol + " " + how, most);
                leave();
            }
        }
        long most = Collections.max(held.values());
        assertTrue(most <= share(), held::toString);
        assertTrue(most > share() / 4, () -> "the documentation says too much: " + held);
    }

    /** The documented settings: a limit of requests, and {@code at-limit=unpooled} for requests that come all the same. */
    @Test
    void requestsBeyondLimitAreAnswered503() throws Exception {
        beyondLimit(Duration.ZERO);
    }

    /** The same over and over: the profile {@code frameworks}, {@code -Dframeworks.seconds=} for how long. */
    @Test
    @Tag("frameworks")
    void requestsBeyondLimitAreAnswered503OverAndOver() throws Exception {
        beyondLimit(Duration.ofSeconds(Integer.getInteger("frameworks.seconds", 60)));
    }

    private void beyondLimit(Duration duration) throws Exception {
        begin(pools -> pools.max(CAP).atLimit(Exhaustion.unpooled()), REQUESTS);
        long end = System.nanoTime() + duration.toNanos();
        Slow[] kinds = {Slow.BODY, Slow.FILE, Slow.HEAD}; // a stream may fit into the sockets' buffers, and end
        do {
            for (Protocol protocol : protocols()) {
                for (int i = 0; i < MANY; i++) {
                    keepWaiting(protocol, kinds[i % kinds.length]);
                }
                beyondLimit(protocol);
            }
            if (protocols().contains(Protocol.HTTP2)) {
                Connection one = client.connect(Protocol.HTTP2);
                slow.add(one);
                try {
                    for (int i = 0; i < MANY; i++) {
                        one.write(frames(i % 2 == 0 ? Slow.BODY : Slow.FILE, 2 * i + 1));
                    }
                } catch (IOException e) {
                    // The server has hung up on it.
                }
                beyondLimit(Protocol.HTTP2);
            }
        } while (System.nanoTime() - end < 0);
        assertTrue(triesToSaveMemory() || acquires(AcquireOutcome.REJECTED) == 0, this::pools);
    }

    private void beyondLimit(Protocol protocol) throws InterruptedException {
        eventually(
                "it has enough to do",
                () -> (status(protocol) == 503 || !another(protocol)) && answersOnly503(protocol));
        assertTrue(leased() <= (REQUESTS + 1) * share() + MANY * HANDSHAKE, this::pools);
        leave();
        eventually("there is room again", () -> served(protocol));
    }

    /** One may have another answer while a request of a client that has gone comes to its end. */
    private boolean answersOnly503(Protocol protocol) {
        return IntStream.range(0, FEW).allMatch(i -> status(protocol, PATIENCE_SECONDS * 1000) == 503);
    }

    /**
     * With nothing set but a cap, and {@code max-size} to a quarter of it, as the page of settings says: the cap is never exceeded, no
     * client gets a wrong byte, and the overload does not last. A connection may be left without an answer.
     */
    @Test
    @Tag("frameworks")
    void serverGoesOnAtCap() throws Exception {
        begin(pools -> pools.max(CAP).maxSize(CAP / 4), 0);
        for (Protocol protocol : withoutHelp()) {
            long before = acquires(AcquireOutcome.REJECTED);
            for (int i = 0; acquires(AcquireOutcome.REJECTED) == before && i < 8 * MANY; i++) {
                try {
                    keepWaiting(protocol, Slow.values()[i % Slow.values().length]);
                } catch (IOException e) {
                    // The server has hung up on this one: there was no room for its TLS.
                }
            }
            eventually("the cap is met", () -> acquires(AcquireOutcome.REJECTED) > before);
            for (int i = 0; i < FEW; i++) {
                int status = status(protocol);
                assertTrue(List.of(SILENT, HUNG_UP, 200, 500, 503).contains(status), () -> "status=" + status);
            }
            leave();
            eventually("there is room again", true, () -> served(protocol));
        }
        for (BufferPool pool : server.pools()) {
            PoolStats stats = pool.stats();
            assertTrue(stats.reservedBytes() <= stats.maxBytes(), stats::toString);
        }
    }

    /** One more slow client, in the place of one that the server has refused. Always true. */
    private boolean another(Protocol protocol) {
        try {
            keepWaiting(protocol, Slow.BODY);
        } catch (IOException e) {
            // The server has hung up on it.
        }
        return true;
    }

    /** Whether every one of some files came, each byte of which is checked. */
    private boolean served(Protocol protocol) {
        try {
            for (int i = 0; i < FEW; i++) {
                HttpResponse<byte[]> response = client.sendFile(protocol).get(SILENCE_MILLIS, TimeUnit.MILLISECONDS);
                if (response.statusCode() != 200) {
                    return false;
                }
                assertArrayEquals(Payload.FILE, response.body());
            }
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false; // refused once more
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int status(Protocol protocol) {
        return status(protocol, SILENCE_MILLIS);
    }

    /** Of a handler's small answer (Grizzly has a cache of files before its handlers), or one of those above. */
    private int status(Protocol protocol, int millis) {
        if (protocol == Protocol.HTTP2) {
            return statusOverHttp2(millis);
        }
        try (Connection connection = client.connect(protocol, millis)) {
            connection.write(Connection.get(Reply.THREAD.path()));
            return connection.readStatus();
        } catch (SocketTimeoutException e) {
            return SILENT;
        } catch (IOException e) {
            return HUNG_UP;
        }
    }

    private int statusOverHttp2(int millis) {
        try {
            return client.status(Protocol.HTTP2, millis);
        } catch (TimeoutException e) {
            return SILENT;
        } catch (ExecutionException e) {
            return HUNG_UP;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
