// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import dev.buffers.PoolExhaustedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tlschannel.NeedsReadException;
import tlschannel.NeedsWriteException;
import tlschannel.TlsChannel;
import tlschannel.WouldBlockException;

/** What a selector loop does with one connection. */
final class NonBlocking {
    private NonBlocking() {}

    /** Reads that have room for any record, and find no whole one. */
    static void readUntilItWouldBlock(TlsChannel channel) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200); // for sent bytes to arrive
        while (System.nanoTime() - deadline < 0) {
            try {
                int read = channel.read(ByteBuffer.allocate(20_000));
                throw new IllegalStateException("something was there: read=" + read);
            } catch (WouldBlockException e) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    static void awaitEnd(TlsChannel channel) throws IOException {
        int read = 0;
        while (read != -1) {
            try {
                read = channel.read(ByteBuffer.allocate(20_000));
            } catch (WouldBlockException e) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** Reads and writes back whatever comes, until the client ends, with one selector; tries again what the pool has refused. */
    static int echo(TlsChannel channel, SocketChannel socket) throws IOException {
        socket.configureBlocking(false);
        int refused = 0;
        ByteBuffer bytes = ByteBuffer.allocate(3_000);
        try (Selector selector = Selector.open()) {
            SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
            for (boolean open = true; open; ) {
                try {
                    if (bytes.position() == 0) {
                        open = channel.read(bytes) >= 0;
                    }
                    bytes.flip();
                    try {
                        while (bytes.hasRemaining()) {
                            channel.write(bytes);
                        }
                        channel.write(bytes); // the encrypted bytes that are not sent yet
                    } finally {
                        bytes.compact();
                    }
                } catch (NeedsReadException e) {
                    await(selector, key, SelectionKey.OP_READ);
                } catch (NeedsWriteException e) {
                    await(selector, key, SelectionKey.OP_WRITE);
                } catch (PoolExhaustedException e) {
                    refused++;
                }
            }
        }
        socket.configureBlocking(true);
        return refused;
    }

    private static void await(Selector selector, SelectionKey key, int readiness) throws IOException {
        key.interestOps(readiness);
        selector.select(TimeUnit.SECONDS.toMillis(30));
        selector.selectedKeys().clear();
    }
}
