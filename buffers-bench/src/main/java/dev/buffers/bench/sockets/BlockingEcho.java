// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.bench.net.LoopbackServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ByteChannel;
import java.nio.channels.NetworkChannel;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** A thread for each connection, which waits for each read and write: of a blocking channel, or the futures of an asynchronous one. */
final class BlockingEcho<A extends NetworkChannel> extends LoopbackServer<A, ByteChannel> {
    private final ThreadFactory threads;
    private final Supplier<Memory.Buffers> buffers;

    BlockingEcho(Listener<A> listener, ThreadFactory threads, Supplier<Memory.Buffers> buffers) throws IOException {
        super(listener);
        this.threads = threads;
        this.buffers = buffers;
        beginAccepting();
    }

    @Override
    protected void take(A accepted) {
        ByteChannel channel = accepted instanceof ByteChannel blocking
                ? blocking
                : new FutureChannel((AsynchronousSocketChannel) accepted);
        open().add(channel);
        try {
            threads.newThread(() -> serve(channel)).start();
        } catch (RuntimeException | Error e) {
            open().remove(channel);
            throw e;
        }
    }

    private void serve(ByteChannel channel) {
        try (channel;
                Memory.Buffers mine = buffers.get()) {
            ByteBuffer buffer = mine.take();
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                mine.giveBack();
                buffer = mine.take();
            }
            mine.giveBack();
        } catch (IOException e) {
            // the client's end of the socket
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            open().remove(channel);
        }
    }

    @Override
    protected void stop() throws IOException, InterruptedException {
        endAll();
    }
}
