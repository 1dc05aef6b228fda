// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

// tag::nio
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.io.BufferChain;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A connection that sends everything back: one for each socket, attached to its key. */
public final class Echo implements AutoCloseable {
    private final SocketChannel socket;
    private final ChannelBuffers buffers;
    private final BufferChain unsent = new BufferChain();

    public Echo(SocketChannel socket, BufferPool pool) {
        this.socket = socket;
        this.buffers = pool.channel();
    }

    /** When the key is ready. */
    public void serve(SelectionKey key) throws IOException {
        try {
            int read = key.isReadable() ? buffers.readFrom(socket) : 0;
            if (read > 0) {
                unsent.add(buffers.handOffInput());
            }
            boolean sent = unsent.writeTo(socket);
            key.interestOps(sent ? SelectionKey.OP_READ : SelectionKey.OP_WRITE); // reads nothing while it cannot send
            if (sent) {
                buffers.idle(); // a silent connection holds no buffer
            }
            if (read < 0) {
                close();
            }
        } catch (IOException | RuntimeException | Error e) {
            close(); // gives back what it held; the others go on
        }
    }

    @Override
    public void close() throws IOException {
        try (socket;
                buffers) {
            unsent.close();
        }
    }
}
// end::nio
