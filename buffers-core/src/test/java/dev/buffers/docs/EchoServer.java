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

/** One thread serves all connections of a listener. */
public final class EchoServer implements AutoCloseable {
    private final ServerSocketChannel listener;
    private final BufferPool pool;
    private final Selector selector;
    private volatile boolean stopped;

    public EchoServer(ServerSocketChannel listener, BufferPool pool) throws IOException {
        this.listener = listener;
        this.pool = pool;
        this.selector = Selector.open();
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Serves until another thread calls {@link #close}, and closes all connections then. */
    public void serve() throws IOException {
        try {
            while (!stopped) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept();
                    } else {
                        ((Echo) key.attachment()).serve(key);
                    }
                }
                selector.selectedKeys().clear();
            }
        } finally {
            for (SelectionKey key : selector.keys()) {
                if (key.attachment() instanceof Echo connection) {
                    connection.close();
                }
            }
            selector.close();
        }
    }

    @Override
    public void close() {
        stopped = true;
        selector.wakeup();
    }

    private void accept() throws IOException {
        SocketChannel socket = listener.accept();
        if (socket != null) { // else the client has gone
            socket.configureBlocking(false);
            socket.register(selector, SelectionKey.OP_READ, new Echo(socket, pool));
        }
    }
}
// end::nio-loop
