// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

// tag::virtual
import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.io.PooledInputStream;
import dev.buffers.io.PooledOutputStream;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Sends everything back, with a virtual thread for each connection. */
public final class VirtualEcho {
    private VirtualEcho() {}

    /** Until the listener is closed. */
    public static void serve(ServerSocketChannel listener, BufferPool pool) throws InterruptedException {
        while (listener.isOpen()) {
            try {
                SocketChannel socket = listener.accept();
                Thread.ofVirtual().start(() -> echo(socket, pool));
            } catch (IOException | OutOfMemoryError e) {
                Thread.sleep(100); // most likely no file descriptor is left: others wait in the backlog
            }
        }
    }

    private static void echo(SocketChannel socket, BufferPool pool) {
        try (socket;
                PooledInputStream in = PooledInputStream.from(socket, pool);
                PooledOutputStream out = PooledOutputStream.to(socket, pool)) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.write(b);
                if (in.available() == 0) {
                    out.flush(); // and holds no buffer for output while it waits for more
                }
            }
        } catch (IOException | PoolExhaustedException e) {
            // the client has gone, or there is no room for it: what it held is given back
        }
    }
}
// end::virtual
