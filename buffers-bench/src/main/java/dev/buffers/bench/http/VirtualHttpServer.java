// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.bench.http.Connection.Next;
import dev.buffers.bench.jvm.VirtualThreads;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadFactory;

/**
 * The same site as Java 21 and later suggest to serve it: a virtual thread for each connection, and blocking channels. It does
 * not wait at the cap of its buffer source: a connection that gets no buffer fails.
 */
public final class VirtualHttpServer extends Server {
    private static final long TICK_MILLIS = 500;

    private final ThreadFactory threads;

    /** Starts a server that takes its buffers from {@code source}, which it does not close. */
    public VirtualHttpServer(ServerOptions options, BufferSource source) throws IOException {
        this(options, source, VirtualThreads.factory());
    }

    private VirtualHttpServer(ServerOptions options, BufferSource source, ThreadFactory threads) throws IOException {
        super(options, source);
        this.threads = threads;
        daemon(this::closeOverdue, "http-timeouts").start();
        beginAccepting();
    }

    @Override
    protected void take(SocketChannel channel) {
        Connection connection = connect(channel);
        try {
            threads.newThread(() -> serve(connection)).start();
        } catch (RuntimeException | Error e) {
            end(connection);
            throw e;
        }
    }

    private void serve(Connection connection) {
        try {
            for (Next next = Next.INPUT; next != Next.CLOSE; next = connection.turn(true)) {
                if (next == Next.ROOM) {
                    throw new IllegalStateException("no buffer to read into, or to write from");
                }
            }
        } catch (IOException e) {
            // the client's end of the socket, or overdue: no client is left to notify
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            end(connection);
        }
    }

    private void closeOverdue() {
        while (isListening()) {
            try {
                Thread.sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            for (Connection connection : open()) {
                if (connection.isOverdue()) {
                    abandon(connection);
                }
            }
        }
    }

    @Override
    protected void stop() throws IOException, InterruptedException {
        endAll();
        site().close();
    }
}
