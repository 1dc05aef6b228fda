// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.ReleaseOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection's buffers: when a lease begins, when it ends, and who ends it. */
class ConnectionBuffersTest {
    private final BufferPool pool =
            BufferPool.builder("connection").policy("heap").build();
    private final ConnectionBuffers buffers = new ConnectionBuffers(pool, 1000, 1000);

    @AfterEach
    void noLeaseIsLeft() {
        buffers.close();
        assertEquals(0, leases());
        assertEquals(0, pool.stats().releases(ReleaseOutcome.INVALID));
        pool.close();
    }

    private long leases() {
        return pool.stats().leases();
    }

    private static ByteBuffer bytes(int from, int to) {
        ByteBuffer buffer = ByteBuffer.allocate(to - from);
        for (int i = from; i < to; i++) {
            buffer.put((byte) i);
        }
        return buffer.flip();
    }

    private static byte[] array(ByteBuffer buffer) {
        byte[] array = new byte[buffer.remaining()];
        buffer.get(array);
        return array;
    }

    private void fill(ByteBuffer bytes) throws IOException {
        buffers.enterRead();
        buffers.toFill().put(bytes);
        buffers.exitRead();
    }

    @Test
    void emptyReadLeavesNoLease() throws IOException {
        buffers.enterRead();
        assertTrue(buffers.toFill().remaining() >= 1000);
        assertEquals(1, leases());
        buffers.exitRead();
        assertEquals(0, leases());
    }

    @Test
    void leaseOfUnreadBytesEndsWithLastByte() throws IOException {
        fill(bytes(0, 100));
        assertEquals(1, leases());
        ByteBuffer first = ByteBuffer.allocate(60);
        assertEquals(60, buffers.drain(first));
        assertEquals(40, buffers.unreadBytes());
        fill(bytes(100, 110));
        ByteBuffer rest = ByteBuffer.allocate(200);
        assertEquals(50, buffers.drain(rest));
        assertArrayEquals(array(bytes(60, 110)), array(rest.flip()));
        assertEquals(0, leases());
        assertEquals(0, buffers.drain(rest));
    }

    @Test
    void leaseOfUnsentBytesEndsWithLastByte() throws IOException {
        assertTrue(buffers.isWriteBufferEmpty());
        buffers.append(bytes(0, 100));
        assertFalse(buffers.isWriteBufferEmpty());
        assertTrue(buffers.isWriteBufferWritable());
        buffers.enterWrite();
        buffers.toSend().position(30);
        buffers.exitWrite();
        assertFalse(buffers.isWriteBufferWritable()); // it is being sent
        buffers.append(bytes(100, 120));
        buffers.enterWrite();
        assertArrayEquals(array(bytes(30, 120)), array(buffers.toSend()));
        assertEquals(1, leases());
        buffers.exitWrite();
        assertEquals(0, leases());
        assertSame(ConnectionBuffers.NONE, buffers.toSend());
    }

    @Test
    void appendStopsWhenBufferIsFull() throws IOException {
        ByteBuffer large = ByteBuffer.allocate(100_000);
        buffers.append(large);
        assertTrue(large.remaining() < 100_000);
        assertFalse(buffers.isWriteBufferWritable());
        int left = large.remaining();
        buffers.append(large);
        assertEquals(left, large.remaining());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeByAnotherThreadLeavesLeaseToThreadInside(boolean reads) throws Exception {
        ByteBuffer inUse;
        if (reads) {
            buffers.enterRead();
            inUse = buffers.toFill();
        } else {
            buffers.append(bytes(0, 10));
            buffers.enterWrite();
            inUse = buffers.toSend();
        }
        Thread closer = new Thread(buffers::close);
        closer.start();
        closer.join();
        assertEquals(1, leases());
        inUse.put(0, (byte) 1); // still this connection's
        if (reads) {
            buffers.exitRead();
        } else {
            buffers.exitWrite();
        }
        assertEquals(0, leases());
    }

    @Test
    void lastOfSeveralThreadsInsideEndsLease() throws Exception {
        buffers.append(bytes(0, 10));
        buffers.enterWrite();
        buffers.enterWrite();
        buffers.close();
        buffers.exitWrite();
        assertEquals(1, leases());
        buffers.exitWrite();
        assertEquals(0, leases());
    }

    @Test
    void closeEndsLeaseOfIdleDirectionOnly() throws Exception {
        fill(bytes(0, 10));
        buffers.append(bytes(0, 10));
        buffers.enterRead();
        assertEquals(2, leases());
        buffers.close();
        assertEquals(1, leases());
        buffers.exitRead();
        assertEquals(0, leases());
    }

    @Test
    void closedConnectionRejectsEntry() {
        buffers.close();
        buffers.close();
        assertThrows(ClosedChannelException.class, buffers::enterRead);
        assertThrows(ClosedChannelException.class, buffers::enterWrite);
        assertThrows(ClosedChannelException.class, () -> buffers.append(bytes(0, 1)));
        assertThrows(ClosedChannelException.class, () -> buffers.drain(ByteBuffer.allocate(1)));
        buffers.unReadReadBuffer(bytes(0, 1));
        buffers.expand(2000);
        assertEquals(0, leases());
    }

    @Test
    void tomcatGetsPlaceholdersOfTheRightCapacity() throws IOException {
        ByteBuffer read = buffers.getReadBuffer();
        assertEquals(1000, read.capacity());
        assertFalse(read.hasRemaining());
        assertTrue(buffers.isReadPlaceholder(read));
        assertFalse(buffers.isReadPlaceholder(ByteBuffer.allocate(1000).limit(0)));
        fill(bytes(0, 10));
        assertSame(read, buffers.getReadBuffer());
        buffers.append(bytes(0, 10));
        assertSame(ConnectionBuffers.UNSENT, buffers.getWriteBuffer());
        assertTrue(buffers.isReadBufferEmpty());
    }

    @Test
    void readBufferIsLentToItsThreadOnly() throws Exception {
        buffers.enterRead();
        buffers.lendTo(Thread.currentThread());
        ByteBuffer lent = buffers.getReadBuffer();
        assertSame(buffers.toFill(), lent);
        lent.put((byte) 1);
        assertFalse(buffers.isReadBufferEmpty());
        Thread other = new Thread(() -> assertNotSame(lent, buffers.getReadBuffer()));
        Throwable[] failure = new Throwable[1];
        other.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
        other.start();
        other.join();
        assertEquals(null, failure[0]);
        buffers.lendTo(null);
        buffers.exitRead();
    }

    @Test
    void unreadBytesComeBeforeThoseAlreadyThere() throws IOException {
        buffers.unReadReadBuffer(bytes(10, 20));
        buffers.unReadReadBuffer(bytes(5, 10));
        assertEquals(1, buffers.drain(ByteBuffer.allocate(1)));
        buffers.unReadReadBuffer(bytes(0, 6));
        ByteBuffer all = ByteBuffer.allocate(100);
        buffers.drain(all);
        assertArrayEquals(array(bytes(0, 20)), array(all.flip()));
        assertEquals(0, leases());
    }

    @Test
    void leaseIsNotReplacedWhileAnotherThreadReads() throws IOException {
        fill(bytes(0, 10));
        buffers.enterRead();
        assertThrows(UncheckedIOException.class, () -> buffers.unReadReadBuffer(bytes(10, 20)));
        assertEquals(10, buffers.unreadBytes());
        buffers.exitRead();
        assertEquals(1, leases());
    }

    @Test
    void lentBufferIsReplacedByLargerOne() throws IOException {
        buffers.enterRead();
        buffers.lendTo(Thread.currentThread());
        buffers.getReadBuffer().put((byte) 7);
        buffers.expand(20_000);
        assertTrue(buffers.getReadBuffer().capacity() >= 20_000);
        assertEquals(1, leases());
        assertEquals(1, buffers.unreadBytes());
        buffers.lendTo(null);
        buffers.exitRead();
    }

    @Test
    void unreadBytesMayBeMoreThanBufferHolds() throws IOException {
        buffers.unReadReadBuffer(ByteBuffer.allocate(100_000));
        assertEquals(100_000, buffers.unreadBytes());
    }

    @Test
    void expandKeepsUnreadBytes() throws IOException {
        fill(bytes(0, 100));
        buffers.expand(20_000);
        assertEquals(20_000, buffers.getReadBuffer().capacity());
        fill(ByteBuffer.allocate(19_900));
        ByteBuffer some = ByteBuffer.allocate(100);
        buffers.drain(some);
        assertArrayEquals(array(bytes(0, 100)), array(some.flip()));
        assertEquals(1, leases());
        buffers.expand(10);
        assertEquals(20_000, buffers.getReadBuffer().capacity());
    }

    @Test
    void exhaustedPoolIsAnIoErrorOfTheConnection() throws IOException {
        try (BufferPool small =
                BufferPool.builder("small").policy("heap").max(128).build()) {
            ConnectionBuffers poor = new ConnectionBuffers(small, 1000, 1000);
            IOException e = assertThrows(IOException.class, () -> poor.append(bytes(0, 1)));
            assertTrue(e.getCause() instanceof PoolExhaustedException, e::toString);
            poor.enterRead();
            assertThrows(IOException.class, poor::toFill);
            poor.exitRead();
            assertThrows(UncheckedIOException.class, () -> poor.unReadReadBuffer(bytes(0, 1)));
            poor.close();
            assertEquals(0, small.stats().leases());
        }
    }

    @Test
    void closedPoolIsAnIoErrorOfTheConnection() {
        BufferPool gone = BufferPool.builder("gone").policy("heap").build();
        gone.close();
        ConnectionBuffers poor = new ConnectionBuffers(gone, 1000, 1000);
        assertThrows(IOException.class, () -> poor.append(bytes(0, 1)));
    }
}
