// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.docs.VirtualEcho;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A blocking server on virtual threads, as docs/virtual-threads.md shows it. */
@Tag("virtual")
class VirtualServerTest {
    @BeforeEach
    void room() {
        DirectRoom.make();
    }

    @Test
    void blockingServerHoldsNoBufferForSilentClient() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (BufferPool pool = BufferPool.create("virtual")) {
            ServerSocketChannel listener = ServerSocketChannel.open().bind(any);
            Future<?> server = PlainServersTest.start(() -> VirtualEcho.serve(listener, pool));
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            try (SocketChannel silent = SocketChannel.open(address)) {
                assertArrayEquals(PlainServersTest.message(), PlainServersTest.echoed(address));
                Eventually.holds(
                        "who is silent holds nothing", () -> pool.stats().leases() == 0);
                assertTrue(silent.isConnected());
            }
            Eventually.holds("all is given back", () -> pool.stats().leases() == 0);
            listener.close();
            server.get();
            Conservation.check(pool);
        }
    }
}
