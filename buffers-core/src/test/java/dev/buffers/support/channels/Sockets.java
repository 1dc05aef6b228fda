// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;

/** Two connected sockets on the loopback. */
public record Sockets<T extends NetworkChannel>(T near, T far) implements AutoCloseable {

    public static Sockets<SocketChannel> connect() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(loopback())) {
            return new Sockets<>(SocketChannel.open(server.getLocalAddress()), server.accept());
        }
    }

    public static Sockets<AsynchronousSocketChannel> connectAsync() throws Exception {
        AsynchronousSocketChannel near = AsynchronousSocketChannel.open();
        try (AsynchronousServerSocketChannel server =
                AsynchronousServerSocketChannel.open().bind(loopback())) {
            Future<AsynchronousSocketChannel> accepted = server.accept();
            near.connect(server.getLocalAddress()).get();
            return new Sockets<>(near, accepted.get());
        }
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public void close() throws IOException {
        near.close();
        far.close();
    }
}
