// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.PlannedAsync;
import dev.buffers.support.channels.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.ReadPendingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Asynchronous transfers over the JDK's own channels. */
class AsyncSocketTransferTest {
    private static final int SIZE = 2_000_000;

    @TempDir
    Path folder;

    private final byte[] content = new byte[SIZE];
    private final BufferPool pool = PoolKind.of("direct-view").builder().build();
    private final Transfers transfers = new Transfers(pool, 8192);
    private AsynchronousSocketChannel near;
    private AsynchronousSocketChannel far;

    @BeforeEach
    void connect() throws Exception {
        new Random(4).nextBytes(content);
        Sockets<AsynchronousSocketChannel> sockets = Sockets.connectAsync();
        near = sockets.near();
        far = sockets.far();
    }

    @AfterEach
    void close() throws Exception {
        near.close();
        far.close();
        pool.close();
    }

    /** File to socket, which another transfer echoes. */
    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void fileToSocketAndBack(PoolKind kind) throws Exception {
        Path path = Files.write(folder.resolve("file"), content);
        try (BufferPool its = kind.builder().build();
                AsynchronousFileChannel file = AsynchronousFileChannel.open(path, StandardOpenOption.READ)) {
            Transfers any = new Transfers(its, 10_000);
            CompletableFuture<Long> echo = any.transferAsync(far, far);
            Future<byte[]> received = Threads.begin(() -> receive(near));
            assertEquals(100, any.transferAsync(file, 0, near, 100).get());
            assertEquals(SIZE - 100, any.transferAsync(file, 100, near).get());
            assertEquals(0, any.transferAsync(file, SIZE + 5, near).get());
            near.shutdownOutput();
            assertEquals(SIZE, echo.get());
            far.shutdownOutput();
            assertArrayEquals(content, received.get());
            PoolKind.assertNothingOut(its);
        }
    }

    private static byte[] receive(AsynchronousSocketChannel from) throws Exception {
        ByteBuffer all = ByteBuffer.allocate(SIZE + 1);
        while (from.read(all).get() >= 0) {
            assertTrue(all.hasRemaining(), "more than was sent");
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    @Test
    void aWriteThatTimesOut() throws Exception {
        byte[] large = new byte[20 << 20];
        PlannedAsync source = new PlannedAsync(large, new Random(1), Runnable::run);
        CompletableFuture<Long> future =
                transfers.withTimeout(Duration.ofMillis(50)).transferAsync(source, near);
        Throwable e = Failures.of(future);
        assertInstanceOf(InterruptedByTimeoutException.class, e);
        PartialTransferException partial = PartialTransferException.of(e);
        assertEquals(source.given, partial.transferred() + partial.unwritten().length);
        assertTrue(partial.unwritten().length > 0);
        assertEquals(0, pool.stats().releases(ReleaseOutcome.DISCARDED), "the JDK's operation has ended");
        PoolKind.assertNothingOut(pool);
    }

    @Test
    void timeoutsOfSilentPeersRetireNoMemory() throws Exception {
        try (BufferPool small = BufferPool.builder("small").max(1 << 20).build()) {
            Transfers timed = new Transfers(small, 16 << 10).withTimeout(Duration.ofMillis(2));
            PlannedAsync sink = new PlannedAsync(content, new Random(1), Runnable::run);
            for (int i = 0; i < 200; i++) {
                try (Sockets<AsynchronousSocketChannel> silent = Sockets.connectAsync()) {
                    Throwable e = Failures.of(timed.transferAsync(silent.far(), sink));
                    assertInstanceOf(InterruptedByTimeoutException.class, e);
                }
            }
            assertEquals(0, small.stats().lostBytes() + small.stats().droppedBytes());
            PoolKind.assertNothingOut(small);
        }
    }

    /** A channel of another kind may continue after the time-out, until it is closed. */
    @Test
    void timedTransferOfForeignSocketUsesNoPooledMemory() throws Exception {
        near.write(ByteBuffer.wrap(content, 0, 10)).get();
        PlannedAsync sink = new PlannedAsync(content, new Random(1), Runnable::run);
        try (ForeignSocket foreign = new ForeignSocket(far)) {
            assertEquals(4, transfers.transferAsync(foreign, sink, 4).get());
            assertEquals(1, TransfersContractTest.acquires(pool));
            Transfers timed = transfers.withTimeout(Duration.ofMillis(50));
            Throwable e = Failures.of(timed.transferAsync(foreign, sink));
            assertInstanceOf(InterruptedByTimeoutException.class, e);
            assertEquals(6, PartialTransferException.of(e).transferred());
            assertEquals(1, TransfersContractTest.acquires(pool));
        }
    }

    @Test
    void transferWithoutTimeoutWaitsUntilClose() throws Exception {
        PlannedAsync sink = new PlannedAsync(content, new Random(1), Runnable::run);
        CompletableFuture<Long> future = transfers.transferAsync(far, sink);
        Thread.sleep(100);
        assertFalse(future.isDone());
        assertEquals(1, pool.stats().leases());
        assertInstanceOf(ReadPendingException.class, Failures.of(transfers.transferAsync(far, sink)));
        assertEquals(1, pool.stats().leases());
        far.close();
        assertInstanceOf(AsynchronousCloseException.class, Failures.of(future));
        PoolKind.assertNothingOut(pool);
        assertEquals(0, pool.stats().releases(ReleaseOutcome.DISCARDED));
    }

    @Test
    void aClosedFile() throws Exception {
        Path path = Files.write(folder.resolve("file"), content);
        AsynchronousFileChannel file = AsynchronousFileChannel.open(path, StandardOpenOption.READ);
        file.close();
        Throwable e = Failures.of(transfers.transferAsync(file, 0, near));
        assertEquals(0, PartialTransferException.of(e).transferred());
        PoolKind.assertNothingOut(pool);
    }

    /** Bytes that were read and not written are still in the file: only the number of bytes written counts. */
    @Test
    void aFileHasLostNothing() throws Exception {
        Path path = Files.write(folder.resolve("file"), content);
        try (AsynchronousFileChannel file = AsynchronousFileChannel.open(path, StandardOpenOption.READ)) {
            PlannedAsync sink = new PlannedAsync(content, new Random(1), Runnable::run);
            sink.most = 5000;
            long position = 0;
            for (int failAt : new int[] {0, 1, 100_000}) {
                sink.failAt = failAt;
                sink.failure = new InterruptedByTimeoutException();
                Throwable e = Failures.of(transfers.transferAsync(file, position, sink));
                PartialTransferException partial = PartialTransferException.of(e);
                assertEquals(0, partial.unwritten().length);
                position += partial.transferred();
                sink.taken.reset();
                sink.taken.write(content, 0, (int) position); // of the write that timed out we know nothing
            }
            assertEquals(
                    SIZE - position,
                    transfers.transferAsync(file, position, sink).get());
            assertArrayEquals(content, sink.taken.toByteArray());
        }
    }

    /** An asynchronous socket that is not the JDK's own, over one that is. */
    private static final class ForeignSocket extends AsynchronousSocketChannel {
        private final AsynchronousSocketChannel real;

        ForeignSocket(AsynchronousSocketChannel real) {
            super(real.provider());
            this.real = real;
        }

        @Override
        public <A> void read(
                ByteBuffer into, long timeout, TimeUnit unit, A its, CompletionHandler<Integer, ? super A> handler) {
            real.read(into, timeout, unit, its, handler);
        }

        @Override
        public <A> void write(
                ByteBuffer from, long timeout, TimeUnit unit, A its, CompletionHandler<Integer, ? super A> handler) {
            real.write(from, timeout, unit, its, handler);
        }

        @Override
        public <A> void read(
                ByteBuffer[] into,
                int offset,
                int length,
                long timeout,
                TimeUnit unit,
                A attachment,
                CompletionHandler<Long, ? super A> handler) {
            real.read(into, offset, length, timeout, unit, attachment, handler);
        }

        @Override
        public <A> void write(
                ByteBuffer[] from,
                int offset,
                int length,
                long timeout,
                TimeUnit unit,
                A attachment,
                CompletionHandler<Long, ? super A> handler) {
            real.write(from, offset, length, timeout, unit, attachment, handler);
        }

        @Override
        public Future<Integer> read(ByteBuffer into) {
            return real.read(into);
        }

        @Override
        public Future<Integer> write(ByteBuffer from) {
            return real.write(from);
        }

        @Override
        public boolean isOpen() {
            return real.isOpen();
        }

        @Override
        public void close() throws IOException {
            real.close();
        }

        @Override
        public AsynchronousSocketChannel bind(SocketAddress local) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, T value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T getOption(SocketOption<T> name) throws IOException {
            return real.getOption(name);
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return real.supportedOptions();
        }

        @Override
        public AsynchronousSocketChannel shutdownInput() {
            throw new UnsupportedOperationException();
        }

        @Override
        public AsynchronousSocketChannel shutdownOutput() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketAddress getRemoteAddress() throws IOException {
            return real.getRemoteAddress();
        }

        @Override
        public SocketAddress getLocalAddress() throws IOException {
            return real.getLocalAddress();
        }

        @Override
        public <A> void connect(SocketAddress remote, A attachment, CompletionHandler<Void, ? super A> handler) {
            real.connect(remote, attachment, handler);
        }

        @Override
        public Future<Void> connect(SocketAddress remote) {
            return real.connect(remote);
        }
    }
}
