// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Both ends of a connection over the loopback, for one thread that has them both; nothing is held back. */
public record Loopback(SocketChannel near, SocketChannel far) implements Closeable {

    /**
     * Connects.
     *
     * @param sending the bytes that the system is asked to keep for the sending end
     * @param receiving the bytes that it is asked to keep for the receiving end
     */
    public static Loopback connect(int sending, int receiving) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, receiving);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel near = SocketChannel.open();
            near.setOption(StandardSocketOptions.SO_SNDBUF, sending);
            near.connect(server.getLocalAddress());
            near.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new Loopback(near, server.accept());
        }
    }

    @Override
    public void close() throws IOException {
        near.close();
        far.close();
    }
}
