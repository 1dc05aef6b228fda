// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.PlannedSink;
import dev.buffers.support.channels.PlannedSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A close or an interrupt from another thread while a call is inside: the memory stays the call's until it leaves (T2). */
class StreamCloseTest {
    private final BufferPool pool =
            BufferPool.builder("closing").policy("direct-view").max(1 << 20).build();

    @AfterEach
    void nothingIsOut() {
        PoolKind.assertNothingOut(pool);
        assertEquals(0, pool.stats().releases(ReleaseOutcome.DISCARDED));
        pool.close();
    }

    /** Stands still inside its read or write until it is let go, whatever its close does. */
    private static final class Deaf implements ByteChannel {
        private final CountDownLatch inside = new CountDownLatch(1);
        private final CountDownLatch letGo = new CountDownLatch(1);
        private volatile int closes;

        private int io(ByteBuffer buffer) {
            inside.countDown();
            Threads.await(letGo);
            buffer.position(buffer.position() + 1);
            return 1;
        }

        @Override
        public int read(ByteBuffer into) {
            return io(into);
        }

        @Override
        public int write(ByteBuffer from) {
            return io(from);
        }

        @Override
        public boolean isOpen() {
            return closes == 0;
        }

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void closeLeavesMemoryToReaderUntilReadEnds() throws Exception {
        Deaf channel = new Deaf();
        PooledInputStream in = PooledInputStream.from(channel, pool, 1024);
        assertCloseLeavesMemory(channel, in, in::read, in::read, in::available);
    }

    @Test
    void closeLeavesMemoryToWriterUntilWriteEnds() throws Exception {
        Deaf channel = new Deaf();
        PooledOutputStream out = PooledOutputStream.to(channel, pool, 1024);
        out.write(new byte[100]);
        Callable<Void> flush = () -> { // this channel takes all bytes, one by one
            out.flush();
            return null;
        };
        assertCloseLeavesMemory(channel, out, flush, () -> out.write(1), out::flush);
    }

    /** While the first call is inside, and after it, the others are refused. */
    private void assertCloseLeavesMemory(Deaf channel, Closeable stream, Callable<?> call, Executable... others)
            throws Exception {
        FutureTask<?> inside = Threads.begin(call);
        channel.inside.await();
        assertEachThrows(IllegalStateException.class, others);
        stream.close();
        assertEquals(1, channel.closes);
        assertEquals(1, pool.stats().leases());
        assertEachThrows(IOException.class, others);
        channel.letGo.countDown();
        inside.get();
        assertEquals(0, pool.stats().leases());
        stream.close();
        assertEquals(1, channel.closes);
        assertEachThrows(IOException.class, others);
    }

    private static void assertEachThrows(Class<? extends Exception> type, Executable... calls) {
        for (Executable call : calls) {
            assertThrows(type, call);
        }
    }

    /** Its bytes are not lost in silence, and the failure of the write is not hidden. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writeThatMeetsCloseFails(boolean fails) throws Exception {
        IOException full = new IOException("no space left on device");
        PooledOutputStream[] stream = new PooledOutputStream[1];
        PlannedSink sink = new PlannedSink(new java.util.Random(1)) {
            @Override
            public int write(ByteBuffer from) throws IOException {
                stream[0].close(); // from within, as from another thread
                if (fails) {
                    throw full;
                }
                return super.write(from);
            }
        };
        PooledOutputStream out = PooledOutputStream.to(sink, pool, 1024);
        stream[0] = out;
        out.write(new byte[1000]);
        Throwable thrown = assertThrows(AsynchronousCloseException.class, () -> out.write(new byte[100]));
        assertSame(fails ? full : null, thrown.getCause());
        assertEquals(fails ? 0 : 1000, sink.taken.size());
        assertEquals(0, pool.stats().leases());
        assertEquals(
                "stream is closed", assertThrows(IOException.class, out::flush).getMessage());
    }

    /** A close that ends a call which waits for the other side. */
    private void assertCloseEnds(Class<? extends IOException> failure, Closeable stream, Callable<?> call)
            throws Exception {
        FutureTask<?> blocked = Threads.begin(call);
        Thread.sleep(300);
        assertFalse(blocked.isDone());
        stream.close();
        assertInstanceOf(failure, Failures.of(blocked));
        assertEquals(0, pool.stats().leases());
    }

    @Test
    void closeEndsABlockedRead() throws Exception {
        for (int length : new int[] {1, 5000}) {
            Pipe pipe = Pipe.open();
            PooledInputStream in = PooledInputStream.from(pipe.source(), pool, 1024);
            assertCloseEnds(AsynchronousCloseException.class, in, () -> in.read(new byte[length]));
            assertFalse(pipe.source().isOpen());
            pipe.sink().close();
        }
    }

    @Test
    void closeEndsABlockedWrite() throws Exception {
        Pipe pipe = Pipe.open();
        PooledOutputStream out = PooledOutputStream.to(pipe.sink(), pool, 1024);
        assertCloseEnds(IOException.class, out, () -> {
            for (; ; ) {
                out.write(new byte[1000]);
            }
        });
        pipe.source().close();
    }

    /** A second close ends a first one that waits for a peer who reads no more: at once, or after a part had left. */
    @Test
    void aSecondCloseEndsTheFirst() throws Exception {
        Pipe pipe = Pipe.open();
        PooledOutputStream out = PooledOutputStream.to(pipe.sink(), pool, 512 << 10);
        out.write(new byte[512 << 10]);
        assertCloseEnds(ClosedChannelException.class, out, () -> {
            out.close();
            return null;
        });
        pipe.source().close();
    }

    @Test
    void anInterruptEndsARead() throws Exception {
        Pipe pipe = Pipe.open();
        try (PooledInputStream in = PooledInputStream.from(pipe.source(), pool, 1024)) {
            Thread.currentThread().interrupt();
            assertThrows(ClosedByInterruptException.class, in::read);
            assertTrue(Thread.interrupted());
            assertEquals(0, pool.stats().leases());
        }
        PooledOutputStream out = PooledOutputStream.to(pipe.sink(), pool, 1024);
        out.write(1);
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, out::flush);
        assertTrue(Thread.interrupted());
        assertEquals(1, pool.stats().leases());
        assertThrows(IOException.class, out::close); // the byte is lost, and this says so
    }

    /** Many times, so that the close meets the call at every point: whatever happens, one release and no bytes of others. */
    @Test
    void aCloseAtAnyMoment() throws Exception {
        for (int i = 0; i < 400; i++) {
            PlannedSource source = new PlannedSource(new java.util.Random(i), 4000);
            PlannedSink sink = new PlannedSink(new java.util.Random(i));
            PooledInputStream in = PooledInputStream.from(source, pool, 100);
            PooledOutputStream out = PooledOutputStream.to(sink, pool, 70);
            FutureTask<Void> copy = Threads.begin(() -> {
                try {
                    for (int b = in.read(); b >= 0; b = in.read()) {
                        out.write(b);
                    }
                } catch (IOException e) {
                    return null;
                }
                return null;
            });
            for (int spins = i * 50; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            in.close();
            out.close();
            copy.get();
            byte[] taken = sink.taken.toByteArray();
            for (int j = 0; j < taken.length; j++) {
                assertEquals(source.content[j], taken[j]);
            }
            PoolKind.assertNothingOut(pool);
        }
    }
}
