// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        List<PooledBuffer> all = Leases.all(pool, SIZE);
        CompletableFuture<Integer> refused = CompletableFuture.supplyAsync(() -> read(in), threads);
        Thread.sleep(100);
        send(both[0], (byte) 1, (byte) 2);
        ExecutionException e = assertThrows(ExecutionException.class, () -> refused.get(20, TimeUnit.SECONDS));
        assertEquals(PoolExhaustedException.class, e.getCause().getClass());
        send(both[0], (byte) 3);
        Leases.release(all);
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

    /** As with the socket's own stream; without a lease, and without a read that could wait. */
    @Test
    void availableCountsBytesThatHaveArrived() throws Exception {
        SocketChannel[] both = connect();
        InputStream in = PooledInputStream.from(both[1], pool, SIZE);
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        assertEquals(0, in.available());
        assertFalse(reader.ready());
        send(both[0], "hello\n".getBytes(StandardCharsets.US_ASCII));
        awaitArrival(both[1], 6);
        assertEquals(6, in.available());
        assertEquals(0, pool.stats().leases());
        both[1].configureBlocking(false);
        assertEquals(6, in.available());
        both[1].configureBlocking(true);
        assertTrue(reader.ready());
        assertEquals("hello", reader.readLine());
        assertEquals(0, in.available());
    }

    private static void awaitArrival(SocketChannel channel, int bytes) throws IOException {
        InputStream own = channel.socket().getInputStream();
        Eventually.holds("bytes have arrived", () -> {
            try {
                return own.available() == bytes;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void availableIsZeroAtTheEndAndAfterShutdown() throws Exception {
        SocketChannel[] both = connect();
        InputStream in = PooledInputStream.from(both[1], pool, SIZE);
        send(both[0], (byte) 7);
        both[0].shutdownOutput();
        assertEquals(7, in.read());
        assertEquals(0, in.available());
        assertEquals(-1, in.read());
        assertEquals(0, in.available());
        SocketChannel[] others = connect();
        InputStream before = PooledInputStream.from(others[0], pool, SIZE);
        others[0].shutdownInput();
        InputStream after = PooledInputStream.from(others[0], pool, SIZE);
        for (InputStream shut : List.of(before, after)) {
            assertEquals(0, shut.available());
            assertEquals(-1, shut.read());
            assertEquals(0, shut.available());
        }
    }

    /** A loop that waits for bytes would never end. */
    @Test
    void availableThrowsOnceTheChannelIsClosed() throws Exception {
        SocketChannel[] both = connect();
        InputStream used = PooledInputStream.from(both[1], pool, SIZE);
        InputStream unused = PooledInputStream.from(both[1], pool, SIZE);
        send(both[0], (byte) 1, (byte) 2);
        awaitArrival(both[1], 2);
        assertEquals(1, used.read());
        both[1].close();
        assertEquals(1, used.available());
        assertEquals(2, used.read());
        assertThrows(ClosedChannelException.class, used::available);
        assertThrows(ClosedChannelException.class, unused::available);
        assertThrows(ClosedChannelException.class, used::read);
        assertThrows(ClosedChannelException.class, unused::read);
    }

    @Test
    void streamMadeBeforeItsSocketIsConnectedCountsArrivedBytes() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            InputStream in = PooledInputStream.from(channel, pool, SIZE);
            assertEquals(0, in.available());
            assertThrows(NotYetConnectedException.class, in::read);
            channel.connect(server.getLocalAddress());
            SocketChannel peer = server.accept();
            opened.add(peer);
            send(peer, (byte) 1);
            awaitArrival(channel, 1);
            assertEquals(1, in.available());
            assertEquals(1, in.read());
        }
    }

    /** The JDK's own streams over such a channel know it since 21. */
    @Test
    void availableOverUnixDomainSocketIsThatOfTheJdk(@TempDir Path folder) throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        try (ServerSocketChannel local =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                SocketChannel peer = SocketChannel.open(address);
                SocketChannel channel = local.accept();
                PooledInputStream in = PooledInputStream.from(channel, pool, SIZE)) {
            send(peer, (byte) 1, (byte) 2);
            assertEquals(Runtime.version().feature() < 21 ? 0 : 2, in.available());
            assertEquals(1, in.read());
            assertEquals(1, in.available());
            assertEquals(2, in.read());
            assertEquals(0, in.available());
        }
    }

    /** A channel knows nothing of it; the socket's own stream does. */
    @Test
    void socketsTimeoutWorksThroughTheSocketsOwnStream() throws Exception {
        SocketChannel[] both = connect();
        both[1].socket().setSoTimeout(50);
        ReadableByteChannel timed = Channels.newChannel(both[1].socket().getInputStream());
        try (PooledInputStream in = PooledInputStream.from(timed, pool, SIZE)) {
            assertThrows(SocketTimeoutException.class, in::read);
            assertEquals(0, pool.stats().leases());
            send(both[0], (byte) 1, (byte) 2);
            awaitArrival(both[1], 2);
            assertEquals(1, in.read());
            assertEquals(2, in.read());
            assertThrows(SocketTimeoutException.class, in::read);
        }
        assertFalse(both[1].isOpen());
        assertEquals(0, pool.stats().releases(ReleaseOutcome.DISCARDED));
    }

    /** It has no channel; its streams have. */
    @Test
    void socketWithoutChannelIsReadThroughItsOwnStream() throws Exception {
        InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            NullPointerException e =
                    assertThrows(NullPointerException.class, () -> PooledInputStream.from(socket.getChannel(), pool));
            assertTrue(e.getMessage().contains("Channels.newChannel(socket.getInputStream())"), e::getMessage);
            SocketChannel peer = server.accept();
            opened.add(peer);
            send(peer, (byte) 1);
            try (PooledInputStream in = PooledInputStream.from(Channels.newChannel(socket.getInputStream()), pool);
                    PooledOutputStream out =
                            PooledOutputStream.to(Channels.newChannel(socket.getOutputStream()), pool)) {
                assertEquals(1, in.read());
                out.write(2);
                out.flush();
            }
            assertEquals(2, PooledInputStream.from(peer, pool).read());
        }
    }
}
