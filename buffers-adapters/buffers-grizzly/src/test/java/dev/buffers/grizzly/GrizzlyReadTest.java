// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.junit.jupiter.api.Test;

/** Where a transport reads into, and what becomes of its connection when there is nothing to read into. */
class GrizzlyReadTest {
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    /** Says what it was given, and sends it back. */
    private final class Echo extends BaseFilter {
        @Override
        public NextAction handleRead(FilterChainContext context) {
            Buffer buffer = context.getMessage();
            seen.add((buffer.isDirect() ? "direct " : "heap ") + buffer.remaining());
            context.write(buffer);
            return context.getStopAction();
        }
    }

    private interface Body {
        void run(int port) throws Exception;
    }

    private void serve(GrizzlyMemoryManager memory, int readBufferSize, Body body) throws Exception {
        TCPNIOTransport transport = TCPNIOTransportBuilder.newInstance()
                .setMemoryManager(memory)
                .setReadBufferSize(readBufferSize)
                .setProcessor(FilterChainBuilder.stateless()
                        .add(new TransportFilter())
                        .add(new Echo())
                        .build())
                .build();
        InetSocketAddress address = (InetSocketAddress) transport
                .bind(InetAddress.getLoopbackAddress().getHostAddress(), 0)
                .getLocalAddress();
        transport.start();
        try {
            body.run(address.getPort());
        } finally {
            transport.shutdownNow();
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static void echo(int port) throws IOException {
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write(new byte[1000]);
            assertEquals(1000, socket.getInputStream().readNBytes(1000).length);
        }
    }

    private static void await(BufferPool pool) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (pool.stats().leases() > 0) {
            assertTrue(System.nanoTime() - end < 0, () -> pool.stats().toString());
            Thread.sleep(5);
        }
    }

    @Test
    void straightIntoDirectMemory() throws Exception {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            serve(memory, 16 * 1024, port -> {
                echo(port);
                assertEquals("direct 1000", seen.poll(300, TimeUnit.SECONDS));
                await(memory.pool());
                assertTrue(memory.pool().stats().sizeClasses().stream().allMatch(one -> one.size() == 16 * 1024));
                assertTrue(memory.heapPool().stats().sizeClasses().isEmpty()); // no copy, neither way
            });
        }
    }

    @Test
    void intoGrizzlysOwnBufferWhereMuchMayCome() throws Exception {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            serve(memory, 64 * 1024, port -> {
                echo(port);
                assertEquals("heap 1000", seen.poll(300, TimeUnit.SECONDS));
                await(memory.heapPool());
                assertEquals(
                        1024, memory.heapPool().stats().sizeClasses().get(0).size()); // the received bytes, no more
                assertTrue(memory.pool().stats().sizeClasses().isEmpty());
            });
        }
    }

    @Test
    void aConnectionEndsWhenThePoolIsFull() throws Exception {
        for (String policy : List.of("direct-view", "heap")) {
            try (BufferPool pool = BufferPool.builder("small")
                            .policy(policy)
                            .max(256 << 10)
                            .build();
                    BufferPool heap = BufferPool.builder("heap").policy("heap").build()) {
                GrizzlyMemoryManager memory = GrizzlyMemoryManager.of(pool, heap);
                serve(memory, 16 * 1024, port -> {
                    List<PooledBuffer> all = new ArrayList<>();
                    int size = memory.willAllocateDirect(16 * 1024) ? 16 * 1024 : 1000;
                    for (PooledBuffer one = pool.tryAcquire(size); one != null; one = pool.tryAcquire(size)) {
                        all.add(one);
                    }
                    try (Socket socket = connect(port)) {
                        socket.getOutputStream().write(new byte[1000]);
                        assertEquals(-1, socket.getInputStream().read());
                    } catch (SocketException e) {
                        assertTrue(e.getMessage().contains("reset"), e::toString);
                    }
                    Thread.sleep(200);
                    assertEquals(2, pool.stats().acquires(AcquireOutcome.REJECTED)); // one by this test: nothing spins
                    all.forEach(PooledBuffer::release);
                    echo(port);
                    await(pool);
                    assertEquals(0, pool.stats().leaks());
                });
            }
        }
    }
}
