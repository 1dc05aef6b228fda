// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.Eventually;
import dev.buffers.support.channels.Sockets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Once a virtual thread has used a blocking channel of the JDK, the descriptor beneath no longer blocks: a write ends when the system's
 * buffer is full. A chain is written to its end all the same.
 */
@Tag("virtual")
class BufferChainVirtualTest {
    private static final int LEASES = 200;
    private static final int SIZE = 64 << 10;

    @Test
    void socketTakesAllFromVirtualThreadAndThenFromPlatformThread() throws Exception {
        try (Sockets<SocketChannel> sockets = Sockets.connect()) {
            assertTakesAll(sockets.near(), sockets.far());
        }
    }

    @Test
    void pipeTakesAllFromVirtualThreadAndThenFromPlatformThread() throws Exception {
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel near = pipe.sink();
                Pipe.SourceChannel far = pipe.source()) {
            assertTakesAll(near, far);
        }
    }

    private static void assertTakesAll(GatheringByteChannel near, ReadableByteChannel far) throws Exception {
        try (BufferPool pool =
                BufferPool.builder("virtual").max(2L * LEASES * SIZE).build()) {
            for (Thread.Builder kind : new Thread.Builder[] {
                Thread.ofVirtual(), Thread.ofPlatform().daemon()
            }) {
                FutureTask<Boolean> writer = new FutureTask<>(() -> writeChain(pool, near));
                Thread thread = kind.start(writer);
                Eventually.holds("the system's buffer is full", () -> writer.isDone() || waitsForChannel(thread));
                FutureTask<Void> reader = new FutureTask<>(() -> read(far, (long) LEASES * SIZE), null);
                Thread.ofPlatform().daemon().start(reader);
                assertTrue(writer.get(), thread::toString);
                reader.get();
            }
            assertEquals(0, pool.stats().leases());
        }
    }

    private static boolean waitsForChannel(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("sun.nio.ch.SelChImpl")
                        && frame.getMethodName().equals("park"));
    }

    private static boolean writeChain(BufferPool pool, GatheringByteChannel near) throws IOException {
        try (BufferChain chain = new BufferChain()) {
            for (int i = 0; i < LEASES; i++) {
                chain.add(pool.acquire(SIZE));
            }
            return chain.writeTo(near);
        }
    }

    private static void read(ReadableByteChannel far, long bytes) {
        try {
            ByteBuffer into = ByteBuffer.allocateDirect(SIZE);
            for (long left = bytes; left > 0; ) {
                int n = far.read(into.clear());
                assertTrue(n > 0);
                left -= n;
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
