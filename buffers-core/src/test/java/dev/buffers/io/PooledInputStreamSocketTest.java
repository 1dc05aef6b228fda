// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Refusal;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Failures;
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
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input streams over blocking sockets: they wait for their peers without a lease. */
class PooledInputStreamSocketTest {
    private static final int SIZE = 16 << 10;

    private final BufferPool pool = PoolKind.of("direct-view").pool("sockets", 4096);
    private final List<SocketChannel> opened = new ArrayList<>();
    private ServerSocketChannel server;

    /** Both ends of a connection, and a stream over ours. */
    private SocketChannel peer;

    private SocketChannel channel;
    private PooledInputStream in;

    @BeforeEach
    void connect() throws IOException {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        connectAnother();
    }

    private void connectAnother() throws IOException {
        peer = SocketChannel.open(server.getLocalAddress());
        channel = server.accept();
        opened.addAll(List.of(peer, channel));
        in = PooledInputStream.from(channel, pool, SIZE);
    }

    @AfterEach
    void close() throws Exception {
        for (SocketChannel channel : opened) {
            channel.close();
        }
        server.close();
        PoolKind.assertNothingOut(pool);
        pool.close();
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
        List<Future<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            connectAnother();
            peers.add(peer);
            InputStream silent = in;
            reads.add(Threads.begin(silent::read));
        }
        Thread.sleep(200); // until they are blocked
        for (Future<Integer> read : reads) {
            assertFalse(read.isDone());
        }
        assertEquals(0, pool.stats().leases());
        for (int i = 0; i < connections; i++) {
            send(peers.get(i), (byte) i);
            assertEquals(i, reads.get(i).get());
        }
    }

    @Test
    void byteThatWasWaitedForSurvivesRefusedLease() throws Exception {
        List<PooledBuffer> all = Leases.all(pool, SIZE);
        Future<Integer> refused = Threads.begin(in::read);
        Thread.sleep(100);
        send(peer, (byte) 1, (byte) 2);
        assertEquals(PoolExhaustedException.class, Failures.of(refused).getClass());
        send(peer, (byte) 3);
        Leases.release(all);
        assertArrayEquals(new byte[] {1, 2, 3}, in.readNBytes(3));
        peer.shutdownOutput();
        assertEquals(-1, in.read());
        assertEquals(-1, in.read());
    }

    @Test
    void closeEndsWait() throws Exception {
        Future<Integer> waiting = Threads.begin(() -> in.read(new byte[10]));
        Thread.sleep(100);
        in.close();
        assertInstanceOf(ClosedChannelException.class, Failures.of(waiting));
    }

    @Test
    void channelThatBecomesNonBlockingDoesNotWait() throws Exception {
        send(peer, (byte) 1);
        assertEquals(1, in.read());
        channel.configureBlocking(false);
        assertThrows(IllegalBlockingModeException.class, in::read);
        channel.configureBlocking(true);
        send(peer, (byte) 2);
        assertEquals(2, in.read());
    }

    /** As with the socket's own stream; without a lease, and without a read that could wait. */
    @Test
    void availableCountsBytesThatHaveArrived() throws Exception {
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        assertEquals(0, in.available());
        assertFalse(reader.ready());
        send(peer, "hello\n".getBytes(StandardCharsets.US_ASCII));
        awaitArrival(channel, 6);
        assertEquals(6, in.available());
        assertEquals(0, pool.stats().leases());
        channel.configureBlocking(false);
        assertEquals(6, in.available());
        channel.configureBlocking(true);
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
        send(peer, (byte) 7);
        peer.shutdownOutput();
        assertEquals(7, in.read());
        assertEquals(0, in.available());
        assertEquals(-1, in.read());
        assertEquals(0, in.available());
        connectAnother();
        channel.shutdownInput();
        for (InputStream shut : List.of(in, PooledInputStream.from(channel, pool, SIZE))) {
            assertEquals(0, shut.available());
            assertEquals(-1, shut.read());
            assertEquals(0, shut.available());
        }
    }

    /** A loop that waits for bytes would never end. */
    @Test
    void availableThrowsOnceTheChannelIsClosed() throws Exception {
        InputStream unused = PooledInputStream.from(channel, pool, SIZE);
        send(peer, (byte) 1, (byte) 2);
        awaitArrival(channel, 2);
        assertEquals(1, in.read());
        channel.close();
        assertEquals(1, in.available());
        assertEquals(2, in.read());
        assertThrows(ClosedChannelException.class, in::available);
        assertThrows(ClosedChannelException.class, unused::available);
        assertThrows(ClosedChannelException.class, in::read);
        assertThrows(ClosedChannelException.class, unused::read);
    }

    @Test
    void streamMadeBeforeItsSocketIsConnectedCountsArrivedBytes() throws Exception {
        try (SocketChannel late = SocketChannel.open()) {
            InputStream early = PooledInputStream.from(late, pool, SIZE);
            assertEquals(0, early.available());
            assertThrows(NotYetConnectedException.class, early::read);
            late.connect(server.getLocalAddress());
            SocketChannel its = server.accept();
            opened.add(its);
            send(its, (byte) 1);
            awaitArrival(late, 1);
            assertEquals(1, early.available());
            assertEquals(1, early.read());
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
        channel.socket().setSoTimeout(50);
        ReadableByteChannel timed = Channels.newChannel(channel.socket().getInputStream());
        try (PooledInputStream in = PooledInputStream.from(timed, pool, SIZE)) {
            assertThrows(SocketTimeoutException.class, in::read);
            assertEquals(0, pool.stats().leases());
            send(peer, (byte) 1, (byte) 2);
            awaitArrival(channel, 2);
            assertEquals(1, in.read());
            assertEquals(2, in.read());
            assertThrows(SocketTimeoutException.class, in::read);
        }
        assertFalse(channel.isOpen());
        assertEquals(0, pool.stats().releases(ReleaseOutcome.DISCARDED));
    }

    /** It has no channel; its streams have. */
    @Test
    void socketWithoutChannelIsReadThroughItsOwnStream() throws Exception {
        InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            Refusal.of(
                    NullPointerException.class,
                    () -> PooledInputStream.from(socket.getChannel(), pool),
                    "Channels.newChannel(socket.getInputStream())");
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
