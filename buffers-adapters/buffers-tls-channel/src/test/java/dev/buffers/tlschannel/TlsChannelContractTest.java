// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.io.PooledInputStream;
import dev.buffers.io.PooledOutputStream;
import dev.buffers.io.Transfers;
import dev.buffers.junit.CheckedPool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import tlschannel.TlsChannel;
import tlschannel.TrackingAllocator;

/** A connection's bytes, its ends and its leases, with each policy and each version of TLS; the server's end blocks. */
@ParameterizedClass
@CsvSource({
    "direct-view, TLSv1.3",
    "direct-view, TLSv1.2",
    "heap-view, TLSv1.3",
    "heap, TLSv1.3",
    "direct, TLSv1.2",
    "unpooled, TLSv1.3"
})
@Tag("contract")
class TlsChannelContractTest {
    @Parameter(0)
    String policy;

    @Parameter(1)
    String protocol;

    private BufferPool pool;

    @BeforeEach
    void open() {
        pool = BufferPool.builder("tls")
                .policy(policy)
                .max(16 << 20)
                .leaks(LeakTracking.all())
                .build();
    }

    @AfterEach
    void nothingIsOut() {
        CheckedPool.assertNothingIsOut(pool);
        assertEquals(0, pool.stats().releases(ReleaseOutcome.INVALID));
        pool.close();
    }

    /** Both ends write and read at once, several megabytes, in pieces of odd sizes; then each says that it ends. */
    @Test
    void largeTransfersBothWaysAtOnceAreExact() throws Exception {
        byte[] up = Loopback.bytes(1, 5_000_003);
        byte[] down = Loopback.bytes(2, 4_000_037);
        try (Loopback connection = new Loopback(pool, protocol).handshaken()) {
            FutureTask<byte[]> received = Loopback.start(() -> Loopback.read(connection.client, down.length));
            FutureTask<Void> sent = Loopback.start(() -> {
                Loopback.write(connection.client, up);
                return null;
            });
            FutureTask<Void> answered = Loopback.start(() -> {
                for (int at = 0; at < down.length; ) {
                    int size = Math.min(down.length - at, 1 + at % 40_009);
                    ByteBuffer piece = ByteBuffer.wrap(down, at, size);
                    while (piece.hasRemaining()) {
                        connection.server.write(piece);
                    }
                    at += size;
                }
                return null;
            });
            ByteBuffer all = ByteBuffer.allocate(up.length);
            for (int i = 0; all.hasRemaining(); i++) {
                ByteBuffer piece = ByteBuffer.allocate(Math.min(all.remaining(), 1 + i * 997 % 20_011));
                assertTrue(connection.server.read(piece) > 0);
                all.put(piece.flip());
            }
            sent.get(300, TimeUnit.SECONDS);
            answered.get(300, TimeUnit.SECONDS);
            assertArrayEquals(up, all.array());
            assertArrayEquals(down, received.get(300, TimeUnit.SECONDS));

            assertFalse(connection.client.shutdown(), "the server has not answered yet");
            assertEquals(-1, connection.server.read(ByteBuffer.allocate(10)));
            assertTrue(connection.server.shutdownReceived());
            assertTrue(connection.server.shutdown());
            assertTrue(connection.client.shutdown());
            assertEquals(0, pool.stats().leases());
        }
    }

    /** The JDK's own client, which knows nothing of TLS Channel. */
    @Test
    void theJdksClientGetsItsAnswerAndTheEnd() throws Exception {
        byte[] request = Loopback.bytes(3, 100_000);
        try (Loopback connection = new Loopback(pool, protocol)) {
            FutureTask<byte[]> answer = Loopback.start(() -> {
                try (SSLSocket socket = (SSLSocket) Loopback.CONTEXT
                        .getSocketFactory()
                        .createSocket(connection.clientSocket.socket(), "localhost", 1, true)) {
                    OutputStream out = socket.getOutputStream();
                    InputStream in = socket.getInputStream();
                    Thread writer = new Thread(() -> {
                        try {
                            out.write(request);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
                    writer.start();
                    byte[] all = in.readAllBytes(); // to the server's end
                    writer.join();
                    return all;
                }
            });
            byte[] read = Loopback.read(connection.server, request.length);
            Loopback.write(connection.server, read);
            connection.server.shutdown();
            assertArrayEquals(request, answer.get(300, TimeUnit.SECONDS));
        }
    }

    @Test
    void aClientThatVanishesIsTruncatedAndNotAtItsEnd() throws Exception {
        try (Loopback connection = new Loopback(pool, protocol).handshaken()) {
            connection.clientSocket.close();
            assertEquals(-1, connection.server.read(ByteBuffer.allocate(10)));
            assertFalse(connection.server.shutdownReceived(), "no close_notify has come");
            assertEquals(-1, connection.server.read(ByteBuffer.allocate(10)));
        }
    }

    @Test
    void aHalfRecordIsHeldAndGivenBackAtTheClose() throws Exception {
        Wire[] wire = new Wire[1];
        try (Loopback connection = new Loopback(pool, protocol, socket -> wire[0] = new Wire(socket)).handshaken()) {
            connection.serverSocket.configureBlocking(false);
            wire[0].keep();
            Loopback.write(connection.client, Loopback.bytes(4, 3_000));
            wire[0].send(wire[0].kept() / 2);
            NonBlocking.readUntilItWouldBlock(connection.server);
            assertEquals(1, pool.stats().leases());
            connection.clientSocket.close();
            NonBlocking.awaitEnd(connection.server);
            assertFalse(connection.server.shutdownReceived());
            assertEquals(1, pool.stats().leases());
        }
    }

    @Test
    void aRecordInSmallPiecesArrivesWhole() throws Exception {
        Wire[] wire = new Wire[1];
        byte[] message = Loopback.bytes(5, 16_384);
        try (Loopback connection = new Loopback(pool, protocol, socket -> wire[0] = new Wire(socket)).handshaken()) {
            wire[0].keep();
            Loopback.write(connection.client, message);
            FutureTask<byte[]> received = Loopback.start(() -> Loopback.read(connection.server, message.length));
            while (wire[0].kept() > 0) {
                wire[0].send(Math.min(wire[0].kept(), 701));
            }
            assertArrayEquals(message, received.get(300, TimeUnit.SECONDS));
            assertEquals(0, pool.stats().leases());
        }
    }

    @Test
    void plainHttpIsRefusedAndLeavesNoLease() throws Exception {
        try (Loopback connection = new Loopback(pool, protocol)) {
            connection.clientSocket.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes()));
            assertThrows(SSLException.class, () -> connection.server.read(ByteBuffer.allocate(10)));
        }
    }

    /** A record that is read in smaller pieces lies in a lease until its last byte is read, and no longer. */
    @Test
    void excessPlaintextIsHeldInLease() throws Exception {
        byte[] message = Loopback.bytes(6, 10_000);
        try (Loopback connection = new Loopback(pool, protocol).handshaken()) {
            Loopback.write(connection.client, message);
            ByteBuffer all = ByteBuffer.allocate(message.length);
            List<Long> leases = new ArrayList<>();
            while (all.hasRemaining()) {
                ByteBuffer piece = ByteBuffer.allocate(1_000);
                connection.server.read(piece);
                all.put(piece.flip());
                leases.add(pool.stats().leases());
            }
            assertArrayEquals(message, all.array());
            assertEquals(List.of(1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 0L), leases);
        }
    }

    /** TLS Channel counts what it asks for, and the capacity of what it frees. */
    @Test
    void countersOfTlsChannelAgreeAfterClose() throws Exception {
        byte[] message = Loopback.bytes(9, 100_000);
        TlsChannel server;
        try (Loopback connection = new Loopback(pool, protocol).handshaken()) {
            server = connection.server;
            FutureTask<Void> sent = Loopback.start(() -> {
                Loopback.write(connection.client, message);
                return null;
            });
            ByteBuffer all = ByteBuffer.allocate(message.length);
            while (all.hasRemaining()) {
                ByteBuffer piece = ByteBuffer.allocate(Math.min(1_000, all.remaining()));
                server.read(piece);
                all.put(piece.flip());
            }
            sent.get(300, TimeUnit.SECONDS);
            assertArrayEquals(message, all.array());
        }
        for (TrackingAllocator allocator :
                List.of(server.getPlainBufferAllocator(), server.getEncryptedBufferAllocator())) {
            assertTrue(allocator.bytesAllocated() > 0);
            assertEquals(allocator.bytesAllocated(), allocator.bytesDeallocated());
            assertEquals(0, allocator.currentAllocation());
        }
    }

    /** The library's helpers work over the channel as over a socket: to the client's end, and without a lease between operations. */
    @Test
    void helpersWorkOverTlsChannel() throws Exception {
        byte[] message = Loopback.bytes(8, 300_000);
        try (Loopback connection = new Loopback(pool, protocol).handshaken()) {
            FutureTask<byte[]> answer = Loopback.start(() -> {
                Loopback.write(connection.client, message);
                byte[] back = Loopback.read(connection.client, message.length);
                Loopback.write(connection.client, back);
                connection.client.shutdown();
                return back;
            });
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            try (PooledInputStream in = PooledInputStream.from(connection.server, pool);
                    PooledOutputStream out = PooledOutputStream.to(connection.server, pool)) {
                byte[] first = in.readNBytes(message.length);
                out.write(first, 0, 1_000);
                out.flush();
                assertEquals(0, pool.stats().leases());
                new Transfers(pool)
                        .transfer(
                                Channels.newChannel(new ByteArrayInputStream(first, 1_000, first.length - 1_000)),
                                connection.server);
                new Transfers(pool).transfer(in, rest);
            }
            assertArrayEquals(message, answer.get(300, TimeUnit.SECONDS));
            assertArrayEquals(message, rest.toByteArray());
        }
    }

    /** The pool's other users see no difference. */
    @Test
    void theMemoryIsThePools() throws Exception {
        try (Loopback connection = new Loopback(pool, protocol).handshaken();
                PooledBuffer other = pool.acquire(4096)) {
            long before = acquires();
            Loopback.write(connection.client, new byte[100]);
            Loopback.read(connection.server, 100);
            assertTrue(acquires() > before);
            assertTrue(other.isOpen());
        }
    }

    private long acquires() {
        return pool.stats().acquiresByOutcome().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
