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
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.junit.CheckedPool;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tlschannel.NeedsWriteException;
import tlschannel.WouldBlockException;

/** The server's end does not block: what it holds between its readiness events, and at the cap. */
class NonBlockingTest {
    private final BufferPool pool =
            BufferPool.builder("tls").max(16 << 20).leaks(LeakTracking.all()).build();

    @AfterEach
    void nothingIsOut() {
        CheckedPool.assertNothingIsOut(pool);
        pool.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anEchoIsExactToItsEnd(String protocol) throws Exception {
        assertEquals(0, echo(pool, protocol, 3_000_017));
    }

    /** One acquire in two or four is refused, by chance: the repeated operation goes on where it was. */
    @ParameterizedTest
    @CsvSource({"2, TLSv1.2", "2, TLSv1.3", "4, TLSv1.2", "4, TLSv1.3"})
    void noByteIsLostWhereThePoolRefuses(int every, String protocol) throws Exception {
        Random random = new Random(every);
        BufferPool refusing = (BufferPool) Proxy.newProxyInstance(
                NonBlockingTest.class.getClassLoader(),
                new Class<?>[] {BufferPool.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("acquire") && random.nextInt(every) == 0) {
                        throw new PoolExhaustedException("tls", (int) arguments[0], "the test says so", pool.stats());
                    }
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        assertTrue(echo(refusing, protocol, 1_000_003) > 100);
    }

    private int echo(BufferPool buffers, String protocol, int count) throws Exception {
        byte[] message = Loopback.bytes(count, count);
        try (Loopback connection = new Loopback(buffers, protocol)) {
            FutureTask<Integer> server =
                    Loopback.start(() -> NonBlocking.echo(connection.server, connection.serverSocket));
            FutureTask<byte[]> answer = Loopback.start(() -> {
                connection.client.handshake();
                FutureTask<Void> sent = Loopback.start(() -> {
                    Loopback.write(connection.client, message);
                    return null;
                });
                byte[] all = Loopback.read(connection.client, message.length);
                sent.get(300, TimeUnit.SECONDS);
                connection.client.shutdown();
                return all;
            });
            assertArrayEquals(message, answer.get(300, TimeUnit.SECONDS));
            int refused = server.get(300, TimeUnit.SECONDS);
            assertTrue(connection.server.shutdownReceived());
            assertEquals(0, pool.stats().leases());
            return refused;
        }
    }

    /** What the page on frameworks says of idle connections. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void idleConnectionsHoldNothing(String protocol) throws Exception {
        List<Loopback> connections = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Loopback connection = new Loopback(pool, protocol).handshaken();
            connections.add(connection);
            Loopback.write(connection.client, Loopback.bytes(i, 40_000));
            assertArrayEquals(Loopback.bytes(i, 40_000), Loopback.read(connection.server, 40_000));
            connection.serverSocket.configureBlocking(false);
            assertThrows(WouldBlockException.class, () -> connection.server.read(ByteBuffer.allocate(100)));
        }
        assertEquals(0, pool.stats().leases());
        connections.forEach(Loopback::close);
    }

    /** And of one whose handshake stands still. */
    @Test
    void aClientThatOnlyConnectsHoldsNothing() throws Exception {
        try (Loopback connection = new Loopback(pool, "TLSv1.3")) {
            connection.serverSocket.configureBlocking(false);
            NonBlocking.readUntilItWouldBlock(connection.server);
            assertEquals(0, pool.stats().leases());
        }
    }

    /** A connection that waits in a blocking read holds 4 KiB, or room for a record once there was one. */
    @Test
    void waitingBlockingReadHoldsOneLease() throws Exception {
        try (Loopback connection = new Loopback(pool, "TLSv1.3").handshaken()) {
            assertEquals(4_096, leasedWhileItWaits(connection));
            Loopback.write(connection.client, new byte[16_384]);
            Loopback.read(connection.server, 16_384);
            assertEquals(20_480, leasedWhileItWaits(connection));
        }
    }

    private long leasedWhileItWaits(Loopback connection) throws Exception {
        FutureTask<byte[]> read = Loopback.start(() -> Loopback.read(connection.server, 1));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (pool.stats().leases() == 0 && System.nanoTime() - deadline < 0) {
            Thread.sleep(1);
        }
        assertFalse(read.isDone());
        long leased = pool.stats().leasedBytes();
        Loopback.write(connection.client, new byte[1]);
        read.get(300, TimeUnit.SECONDS);
        assertEquals(0, pool.stats().leases());
        return leased;
    }

    /** The client does not read: the server's encrypted bytes for it are one lease. */
    @Test
    void unsentBytesAreOneLease() throws Exception {
        try (Loopback connection = new Loopback(pool, "TLSv1.3").handshaken()) {
            connection.serverSocket.configureBlocking(false);
            ByteBuffer much = ByteBuffer.wrap(Loopback.bytes(7, 16 << 20));
            assertThrows(NeedsWriteException.class, () -> {
                while (much.hasRemaining()) {
                    connection.server.write(much);
                }
            });
            assertEquals(1, pool.stats().leases());
            assertTrue(pool.stats().leasedBytes() <= 20_480, () -> pool.stats().toString());
        }
    }

    @Test
    void channelThrowsAtCapAndGoesOnWithRoom() throws Exception {
        try (BufferPool small = BufferPool.builder("small").max(1 << 20).build();
                Loopback connection = new Loopback(small, "TLSv1.3").handshaken()) {
            Loopback.write(connection.client, new byte[] {42});
            List<PooledBuffer> all = new ArrayList<>();
            for (PooledBuffer lease = small.tryAcquire(64 << 10); lease != null; lease = small.tryAcquire(64 << 10)) {
                all.add(lease);
            }
            for (PooledBuffer lease = small.tryAcquire(4096); lease != null; lease = small.tryAcquire(4096)) {
                all.add(lease);
            }
            assertThrows(PoolExhaustedException.class, () -> connection.server.read(ByteBuffer.allocate(10)));
            assertThrows(PoolExhaustedException.class, () -> connection.server.write(ByteBuffer.allocate(10)));
            all.forEach(PooledBuffer::release);
            assertArrayEquals(new byte[] {42}, Loopback.read(connection.server, 1));
            CheckedPool.assertNothingIsOut(small);
        }
    }
}
