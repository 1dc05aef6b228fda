// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.bench.harness.Outside;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A connection over the loopback. A separate thread serves the far end; what it does is not measured. */
final class Connection {
    private static final int PATIENCE_SECONDS = 10;

    private final ServerSocketChannel server =
            ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final FutureTask<Long> far;
    private Closeable near = server;

    /** Serves the far end until the near end is closed, and counts bytes. */
    interface FarEnd {
        long serve(SocketChannel channel) throws IOException;
    }

    Connection(FarEnd work) throws IOException {
        far = new FutureTask<>(() -> {
            try (server;
                    SocketChannel channel = server.accept()) {
                return work.serve(channel);
            }
        });
        Thread thread = new Thread(far, "far end");
        thread.setDaemon(true);
        Outside.leaveOut(thread);
        thread.start();
    }

    /** Connects; the near end is a plain socket, for its streams. */
    Socket socket() throws IOException {
        Socket socket = new Socket();
        near = socket;
        socket.connect(server.getLocalAddress());
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Connects; the near end is a channel. */
    SocketChannel channel() throws IOException {
        SocketChannel channel = SocketChannel.open(server.getLocalAddress());
        near = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    /** Closes the near end; what the far end has counted. */
    long end() throws IOException {
        near.close();
        try {
            return far.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before the end of the connection");
        } catch (TimeoutException e) {
            throw new IOException("the far end of the connection has not ended", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }
}
