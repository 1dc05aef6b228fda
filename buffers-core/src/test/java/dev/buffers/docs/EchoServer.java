// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

// tag::nio-loop
import dev.buffers.BufferPool;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** One thread that serves all connections of a listener. */
public final class EchoServer {
    private EchoServer() {}

    /** Serves until another thread closes the selector. */
    public static void serve(ServerSocketChannel listener, Selector selector, BufferPool pool) throws IOException {
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        while (selector.isOpen()) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    accept(listener, selector, pool);
                } else {
                    ((Echo) key.attachment()).serve(key);
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private static void accept(ServerSocketChannel listener, Selector selector, BufferPool pool) throws IOException {
        SocketChannel socket = listener.accept();
        if (socket != null) { // else the client has gone
            socket.configureBlocking(false);
            socket.register(selector, SelectionKey.OP_READ, new Echo(socket, pool));
        }
    }
}
// end::nio-loop
