// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Connections that wait in every {@link Stamps.Way}, and end anywhere, on a pool whose memory is leased again at once. No byte reaches
 * another connection, no lease is left, and the server answers afterwards. The server's own buffers are the control.
 */
@Tag("full")
public abstract class WaitingStressContract {
    private static final int CLIENTS = 12;
    private static final int PATIENCE_SECONDS = 300;

    @TempDir
    Path folder;

    /** What the server's buffers come from. */
    public enum Buffers {
        /** The server. */
        OWN,
        /** Our pool. */
        POOL,
        /** Our pool, with room for a few of the connections: an acquire is refused in the middle of an answer. */
        SMALL_POOL;

        /** The settings of a pool. */
        public BufferPool.Builder settings(BufferPool.Builder builder) {
            return builder.max(this == SMALL_POOL ? 192 << 10 : 4 << 20)
                    .regionSize(64 << 10)
                    .threadCache(0);
        }
    }

    /** Starts the server with handlers of each way below {@link Stamps#PREFIX}, and with web sockets that send each message back. */
    protected abstract ServerUnderTest start(Path folder, SSLContext tls, Buffers buffers, Stamps stamps)
            throws Exception;

    /** The protocols that the server speaks, with these buffers. */
    protected List<Protocol> protocols(Buffers buffers) {
        return List.of(Protocol.values());
    }

    /** The ways in which the server's connections can wait over this protocol. */
    protected List<Stamps.Way> ways(Protocol protocol) {
        return Arrays.asList(Stamps.Way.values());
    }

    /** Whether a client of HTTP/2 may say that it goes away. */
    protected boolean goesAway() {
        return true;
    }

    /** Whether the requests of a connection have different stamps; else a byte can only be found to come from another connection. */
    protected boolean tellsRequestsApart() {
        return true;
    }

    /** Called again and again until each lease is back: for a framework that drops buffers, which then come back at a collection. */
    protected void help(Client client) throws Exception {}

    @ParameterizedTest
    @EnumSource
    void noByteReachesAnotherConnection(Buffers buffers) throws Exception {
        run(buffers, 20);
    }

    /** The same for {@code -Dframeworks.seconds=} of each kind, or ten minutes in all: the profile {@code frameworks}. */
    @ParameterizedTest
    @EnumSource
    @Tag("frameworks")
    void noByteReachesAnotherConnectionForLong(Buffers buffers) throws Exception {
        run(buffers, Integer.getInteger("frameworks.seconds", 200));
    }

    private void run(Buffers buffers, int seconds) throws Exception {
        SSLContext tls = Certificate.context();
        try (Stamps stamps = new Stamps();
                ServerUnderTest server = start(folder, tls, buffers, stamps)) {
            Client client = new Client(server, tls);
            load(client, stamps, protocols(buffers), seconds);
            eventually("leases are back", () -> leases(server) == 0, server, client);
            for (Protocol protocol : protocols(buffers)) {
                byte stamp = stamps.next();
                AtomicReference<byte[]> body = new AtomicReference<>();
                eventually(
                        "the server answers",
                        () -> {
                            body.set(poll(client, protocol, stamp));
                            return body.get().length == Stamps.POLL;
                        },
                        server,
                        client);
                byte[] answer = body.get();
                stamps.check(stamp, answer, 0, answer.length, "answer to one client");
            }
            assertEquals(List.of(), stamps.foreign());
            eventually("leases are back after an answer", () -> leases(server) == 0, server, client);
            server.stop();
            eventually("leases are back after the end", () -> leases(server) == 0, server, client);
            for (BufferPool pool : server.pools()) {
                assertEquals(0, pool.stats().releases(ReleaseOutcome.INVALID), pool::dump);
            }
            for (Stamps.Way way : ways(Protocol.HTTP)) {
                boolean some = stamps.wholes(way) > 0 || buffers == Buffers.SMALL_POOL;
                assertTrue(some, () -> "no answer was complete, way=" + way);
            }
        }
    }

    /** The answer, or nothing: the smallest pool refuses it as long as the collector has not taken what the load has dropped. */
    private static byte[] poll(Client client, Protocol protocol, byte stamp) {
        try {
            return client.send(protocol, client.request(protocol, Stamps.Way.POLL.path(stamp)))
                    .body();
        } catch (ExecutionException e) {
            assertTrue(e.getCause() instanceof IOException, e::toString);
            System.gc(); // the pool asks for collections too, but where one takes seconds only every few minutes
            return new byte[0];
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void load(Client client, Stamps stamps, List<Protocol> protocols, int seconds) throws Exception {
        long seed = System.nanoTime();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(seed + i);
                StampedClient one = new StampedClient(
                        client, stamps, protocols, this::ways, goesAway(), tellsRequestsApart(), random);
                Callable<Void> all = () -> one.until(end);
                clients.add(threads.submit(all));
            }
            for (Future<Void> one : clients) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static long leases(ServerUnderTest server) {
        return server.pools().stream()
                .flatMap(pool -> pool.openLeases().stream())
                .filter(lease -> !server.forgets(lease))
                .count();
    }

    private void eventually(String what, BooleanSupplier condition, ServerUnderTest server, Client client)
            throws Exception {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                    () -> "did not happen: " + what + open(server));
            help(client);
            Thread.sleep(5);
        }
    }

    private static String open(ServerUnderTest server) {
        return server.pools().stream()
                .map(pool -> "\n" + pool.stats() + pool.openLeases())
                .collect(Collectors.joining());
    }
}
