// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.bench.net.LoopbackServer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous channels in a group of some threads, which either answer themselves or hand the read bytes to workers that do. A
 * read that waits has its buffer already, as asynchronous channels require.
 */
final class AsyncEcho extends LoopbackServer<AsynchronousSocketChannel, AsyncEcho.Connection> {
    private final AsynchronousChannelGroup group;
    private final @Nullable ExecutorService workers;
    private final Supplier<Memory.Buffers> buffers;

    /** Starts one; {@code group} and {@code workers} are its own from now on. */
    AsyncEcho(AsynchronousChannelGroup group, @Nullable ExecutorService workers, Supplier<Memory.Buffers> buffers)
            throws IOException {
        super(Listener.asynchronous(group));
        this.group = group;
        this.workers = workers;
        this.buffers = buffers;
        beginAccepting();
    }

    @Override
    protected void take(AsynchronousSocketChannel channel) {
        Connection connection = new Connection(channel);
        open().add(connection);
        try {
            connection.read();
        } catch (RuntimeException | Error e) {
            connection.end();
            throw e;
        }
    }

    @Override
    protected void stop() throws IOException, InterruptedException {
        endAll();
        group.shutdown();
        if (workers != null) {
            workers.shutdown();
        }
    }

    /** Has one operation under way at a time, a read or not, so that one thread at a time touches it. */
    final class Connection implements Closeable, CompletionHandler<Integer, Boolean> {
        private final AsynchronousSocketChannel channel;
        private final Memory.Buffers mine = buffers.get();
        private ByteBuffer buffer = ByteBuffer.allocate(0);

        Connection(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void read() {
            buffer = mine.take();
            channel.read(buffer, true, this);
        }

        @Override
        public void completed(Integer n, Boolean read) {
            try {
                if (read) {
                    afterRead(n);
                } else {
                    afterWrite();
                }
            } catch (RuntimeException | Error e) {
                AsyncEcho.this.failed(e);
                end();
            }
        }

        @Override
        public void failed(Throwable e, Boolean read) {
            end();
        }

        private void afterRead(int n) {
            buffer.flip();
            if (n < 0) {
                end();
            } else if (workers == null) {
                write();
            } else {
                workers.execute(this::write);
            }
        }

        private void write() {
            channel.write(buffer, false, this);
        }

        private void afterWrite() {
            if (buffer.hasRemaining()) {
                write();
            } else {
                mine.giveBack();
                read();
            }
        }

        void end() {
            mine.giveBack();
            mine.close();
            abandon(channel);
            open().remove(this);
        }

        /** Has the operation under way fail, which ends it. */
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
