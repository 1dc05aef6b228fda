// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.junit.CheckedPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tlschannel.ServerTlsChannel;
import tlschannel.TlsChannel;

/** The allocators, as TLS Channel sees them. */
@ExtendWith(CheckedPool.class)
class LeasesTest {

    /** More than was asked for would make TLS Channel take a buffer for one that cannot grow. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4_096, 8_192, 16_384, 17_408, 300_000})
    void aBufferHasExactlyTheCapacity(int size, BufferPool pool) {
        Leases leases = new Leases(pool);
        ByteBuffer buffer = leases.allocate(size);
        assertEquals(size, buffer.capacity());
        assertEquals(0, buffer.position());
        assertEquals(size, buffer.limit());
        assertEquals(1, pool.stats().leases());
        leases.free(buffer);
        assertEquals(0, pool.stats().leases());
    }

    @Test
    void aBufferIsFreedOnceInWhateverOrder(BufferPool pool) {
        Leases leases = new Leases(pool);
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            buffers.add(leases.allocate(17_408));
        }
        for (int i : new int[] {3, 0, 5, 1, 4, 2}) {
            leases.free(buffers.get(i));
            ByteBuffer again = buffers.get(i);
            assertTrue(assertThrows(IllegalStateException.class, () -> leases.free(again))
                    .getMessage()
                    .startsWith("not a buffer of this connection, or freed before: buffer=java.nio."));
        }
        assertEquals(0, pool.stats().leases());
        assertThrows(IllegalStateException.class, () -> leases.free(ByteBuffer.allocate(17_408)));
    }

    /** Equal bytes do not make it the same buffer. */
    @Test
    void buffersWithTheSameBytesAreNotMixedUp(BufferPool pool) {
        Leases leases = new Leases(pool);
        ByteBuffer one = leases.allocate(4_096);
        ByteBuffer other = leases.allocate(4_096);
        leases.free(one);
        other.put(0, (byte) 1);
        leases.free(other);
    }

    /** One thread reads while another writes. */
    @Test
    void twoThreadsAllocateAndFreeAtOnce() throws Exception {
        try (BufferPool pool = BufferPool.create("two-threads")) {
            Leases leases = new Leases(pool);
            FutureTask<Void> other = Loopback.start(() -> use(leases));
            use(leases);
            other.get(300, TimeUnit.SECONDS);
            CheckedPool.assertNothingIsOut(pool);
        }
    }

    private static Void use(Leases leases) {
        Deque<ByteBuffer> mine = new ArrayDeque<>();
        for (int i = 0; i < 1_000_000; i++) {
            mine.add(leases.allocate(4_096));
            if (mine.size() == 3) {
                leases.free(i % 2 == 0 ? mine.removeFirst() : mine.removeLast());
            }
        }
        mine.forEach(leases::free);
        return null;
    }

    @Test
    void useReturnsBuilderWithAllocatorsOfPool(BufferPool pool) throws IOException {
        try (SocketChannel socket = SocketChannel.open()) {
            ServerTlsChannel.Builder builder = ServerTlsChannel.newBuilder(socket, Loopback.CONTEXT);
            assertSame(builder, TlsChannelBuffers.use(builder, pool));
            TlsChannel channel = builder.build();
            ByteBuffer buffer = channel.getEncryptedBufferAllocator().allocate(4_096);
            assertEquals(1, pool.stats().leases());
            channel.getEncryptedBufferAllocator().free(buffer);
            assertNotNull(channel.getPlainBufferAllocator());
        }
        ServerTlsChannel.Builder none = null;
        assertThrows(NullPointerException.class, () -> TlsChannelBuffers.use(none, pool));
        assertEquals(
                "pool",
                assertThrows(
                                NullPointerException.class,
                                () -> TlsChannelBuffers.use(
                                        ServerTlsChannel.newBuilder(SocketChannel.open(), Loopback.CONTEXT), null))
                        .getMessage());
    }

    /** The lease of a connection that was never closed is found, as any lost lease is. */
    @Test
    void aConnectionThatIsDroppedLosesItsLease() throws Exception {
        try (BufferPool pool = BufferPool.builder("dropped").policy("heap-view").build()) {
            drop(pool);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (pool.stats().leaks() == 0 && System.nanoTime() - deadline < 0) {
                System.gc();
                Thread.sleep(1);
            }
            assertEquals(1, pool.stats().leaks());
            assertEquals(0, pool.stats().leases());
        }
    }

    private static void drop(BufferPool pool) throws Exception {
        Wire[] wire = new Wire[1];
        Loopback connection = new Loopback(pool, "TLSv1.3", socket -> wire[0] = new Wire(socket)).handshaken();
        connection.serverSocket.configureBlocking(false);
        wire[0].keep();
        Loopback.write(connection.client, new byte[3_000]);
        wire[0].send(1_000);
        NonBlocking.readUntilItWouldBlock(connection.server);
        assertEquals(1, pool.stats().leases());
        connection.clientSocket.close();
        connection.serverSocket.close(); // the descriptor alone: TLS Channel does not know
    }
}
