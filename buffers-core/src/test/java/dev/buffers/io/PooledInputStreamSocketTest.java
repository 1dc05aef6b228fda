// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.support.PoolKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input streams over blocking sockets: they wait for their peers without a lease. */
class PooledInputStreamSocketTest {
    private static final int SIZE = 16 << 10;

    private final BufferPool pool = PoolKind.of("direct-view").pool("sockets", 4096);
    private final List<SocketChannel> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ServerSocketChannel server;

    @BeforeEach
    void listen() throws IOException {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws Exception {
        for (SocketChannel channel : opened) {
            channel.close();
        }
        server.close();
        threads.shutdown();
        threads.awaitTermination(20, TimeUnit.SECONDS);
        PoolKind.assertNothingOut(pool);
        pool.close();
    }

    /** A connection: the peer, and our channel. */
    private SocketChannel[] connect() throws IOException {
        SocketChannel[] both = {SocketChannel.open(server.getLocalAddress()), server.accept()};
        opened.addAll(List.of(both));
        return both;
    }

    private static void send(SocketChannel peer, byte... bytes) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.hasRemaining()) {
            peer.write(all);
        }
    }

    @Test
    void streamsThatWaitForSilentPeersHoldNoLease() throws Exception {
        int connections = 20; // five times as many as the pool has buffers
        List<SocketChannel> peers = new ArrayList<>();
        List<CompletableFuture<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            SocketChannel[] both = connect();
            peers.add(both[0]);
            InputStream in = PooledInputStream.from(both[1], pool, SIZE);
            reads.add(CompletableFuture.supplyAsync(() -> read(in), threads));
        }
        Thread.sleep(200); // until they are blocked
        for (CompletableFuture<Integer> read : reads) {
            assertFalse(read.isDone());
        }
        assertEquals(0, pool.stats().leases());
        for (int i = 0; i < connections; i++) {
            send(peers.get(i), (byte) i);
            assertEquals(i, reads.get(i).get(20, TimeUnit.SECONDS));
        }
    }

    private static int read(InputStream in) {
        try {
            return in.read();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void byteThatWasWaitedForSurvivesRefusedLease() throws Exception {
        SocketChannel[] both = connect();
        InputStream in = PooledInputStream.from(both[1], pool, SIZE);
        List<PooledBuffer> all = PoolKind.hog(pool, SIZE);
        CompletableFuture<Integer> refused = CompletableFuture.supplyAsync(() -> read(in), threads);
        Thread.sleep(100);
        send(both[0], (byte) 1, (byte) 2);
        ExecutionException e = assertThrows(ExecutionException.class, () -> refused.get(20, TimeUnit.SECONDS));
        assertEquals(PoolExhaustedException.class, e.getCause().getClass());
        send(both[0], (byte) 3);
        PoolKind.giveBack(all);
        assertArrayEquals(new byte[] {1, 2, 3}, in.readNBytes(3));
        both[0].shutdownOutput();
        assertEquals(-1, in.read());
        assertEquals(-1, in.read());
    }

    @Test
    void closeEndsWait() throws Exception {
        SocketChannel[] both = connect();
        InputStream in = PooledInputStream.from(both[1], pool, SIZE);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                () -> assertThrows(ClosedChannelException.class, () -> in.read(new byte[10])), threads);
        Thread.sleep(100);
        in.close();
        waiting.get(20, TimeUnit.SECONDS);
    }

    @Test
    void channelThatBecomesNonBlockingDoesNotWait() throws Exception {
        SocketChannel[] both = connect();
        InputStream in = PooledInputStream.from(both[1], pool, SIZE);
        send(both[0], (byte) 1);
        assertEquals(1, in.read());
        both[1].configureBlocking(false);
        assertThrows(IllegalBlockingModeException.class, in::read);
        both[1].configureBlocking(true);
        send(both[0], (byte) 2);
        assertEquals(2, in.read());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyByteArrivesOnceAndInOrder(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] content = new byte[300_000];
        random.nextBytes(content);
        SocketChannel[] both = connect();
        InputStream in = PooledInputStream.from(both[1], pool, 1 + random.nextInt(SIZE));
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendInParts(both[0], content, seed), threads);
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        while (received.size() < content.length) {
            receive(in, random, received);
        }
        sent.get(20, TimeUnit.SECONDS);
        assertEquals(-1, in.read());
        assertArrayEquals(content, received.toByteArray());
    }

    private static void sendInParts(SocketChannel peer, byte[] content, long seed) {
        Random random = new Random(seed);
        try {
            for (int from = 0; from < content.length; ) {
                int n = Math.min(1 + random.nextInt(random.nextBoolean() ? 5 : 20_000), content.length - from);
                ByteBuffer part = ByteBuffer.wrap(content, from, n);
                while (part.hasRemaining()) {
                    peer.write(part);
                }
                from += n;
                if (random.nextInt(4) == 0) {
                    Thread.sleep(1);
                }
            }
            peer.shutdownOutput();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void receive(InputStream in, Random random, ByteArrayOutputStream received) throws IOException {
        byte[] part = new byte[1 + random.nextInt(random.nextBoolean() ? 10 : 40_000)];
        switch (random.nextInt(4)) {
            case 0 -> {
                int one = in.read();
                if (one >= 0) {
                    received.write(one);
                }
            }
            case 1 -> received.write(in.readNBytes(part.length));
            case 2 -> received.write(in.readNBytes(Math.min(in.available(), part.length)));
            default -> received.write(part, 0, Math.max(0, in.read(part)));
        }
    }
}
