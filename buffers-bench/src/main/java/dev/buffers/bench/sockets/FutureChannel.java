// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ByteChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** An asynchronous channel that waits for the future of each operation: how the source of claims E used it. */
record FutureChannel(AsynchronousSocketChannel channel) implements ByteChannel {
    @Override
    public int read(ByteBuffer target) throws IOException {
        return await(channel.read(target));
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return await(channel.write(source));
    }

    private static int await(Future<Integer> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
