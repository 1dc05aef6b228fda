// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.net.LoopbackServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that is closed ends all its connections, also one whose client takes no answer. */
class EchoCloseTest {
    private static final int FULL = 50;

    private static Stream<EchoKind> kinds() {
        return Stream.of(EchoKind.values())
                .filter(kind ->
                        kind != EchoKind.VIRTUAL || VirtualThreads.obstacle().isEmpty());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void closeEndsConnectionThatWaitsForClient(EchoKind kind) throws Exception {
        try (BufferPool pool = BufferPool.builder("test").build()) {
            LoopbackServer<?, ?> server = kind.start(() -> Memory.OPERATION.buffers(pool));
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
            try (SocketChannel client = SocketChannel.open(address)) {
                client.configureBlocking(false);
                ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
                int full = 0;
                while (full < FULL) { // until neither way has room
                    full = client.write(bytes.clear()) > 0 ? 0 : full + 1;
                    Thread.sleep(1);
                }
                server.close();
                assertEquals(0, server.connections());
                assertEquals(0, pool.stats().leases());
            }
        }
    }
}
