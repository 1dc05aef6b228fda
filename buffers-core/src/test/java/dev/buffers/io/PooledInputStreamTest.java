// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Refusal;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.Plan;
import dev.buffers.support.channels.PlannedSink;
import dev.buffers.support.channels.PlannedSource;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each method of the stream promises, with a channel whose every read is known. */
class PooledInputStreamTest {
    private static final int SIZE = 1024;

    private BufferPool pool = pool("heap-view");
    private final PlannedSource source = new PlannedSource(new Random(3), 10 * SIZE);
    private PooledInputStream in = PooledInputStream.from(source, pool, SIZE);

    private static BufferPool pool(String policy) {
        return BufferPool.builder("in")
                .policy(policy)
                .max(2 << 20)
                .regionSize(64 << 10)
                .build();
    }

    private void usePolicy(String policy) {
        pool.close();
        pool = pool(policy);
        in = PooledInputStream.from(source, pool, SIZE);
    }

    @AfterEach
    void nothingIsOut() throws IOException {
        in.close();
        PoolKind.assertNothingOut(pool);
        pool.close();
    }

    private void assertHolds(int leases) {
        assertEquals(leases, pool.stats().leases());
    }

    private byte[] content(int from, int to) {
        return Arrays.copyOfRange(source.content, from, to);
    }

    @Test
    void readGivesBufferedBytesWithoutWaitingForMore() throws IOException {
        source.plan.most = 1;
        in.read();
        byte[] into = new byte[10];
        source.plan.most = Integer.MAX_VALUE;
        assertEquals(10, in.read(into));
        assertEquals(SIZE - 10, in.read(new byte[5 * SIZE]));
        assertEquals(2, source.reads);
        assertArrayEquals(content(1, 11), into);
    }

    @Test
    void aReadOfTheSizeGoesStraight() throws IOException {
        byte[] into = new byte[3 * SIZE];
        List<Boolean> leased = new ArrayList<>();
        PlannedSource watched = new PlannedSource(new Random(3), 3 * SIZE) {
            @Override
            public int read(ByteBuffer buffer) throws IOException {
                leased.add(pool.stats().leases() > 0 || buffer.array() != into);
                return super.read(buffer);
            }
        };
        try (PooledInputStream stream = PooledInputStream.from(watched, pool, SIZE)) {
            assertEquals(SIZE, stream.read(into, 0, SIZE));
            assertEquals(2 * SIZE, stream.read(into, SIZE, 2 * SIZE));
        }
        assertEquals(List.of(false, false), leased);
        assertArrayEquals(watched.content, into);
    }

    /** The JDK would take, and keep, a direct buffer as large as what it is given. */
    @Test
    void aStraightReadIsBounded() throws IOException {
        PlannedSource large = new PlannedSource(new Random(1), 1 << 20);
        try (PooledInputStream stream = PooledInputStream.from(large, pool, SIZE)) {
            assertEquals(128 << 10, stream.read(new byte[1 << 20]));
        }
    }

    /** The array has grown, and not to twice its length. */
    @Test
    void nBytesAreNoMore() throws IOException {
        PlannedSource large = new PlannedSource(new Random(1), 50_000);
        try (PooledInputStream stream = PooledInputStream.from(large, pool, SIZE)) {
            assertArrayEquals(Arrays.copyOf(large.content, 20_000), stream.readNBytes(20_000));
        }
    }

    @Test
    void theEndIsFinal() throws IOException {
        assertEquals(source.content.length, in.readAllBytes().length);
        assertEquals(-1, in.read());
        assertEquals(-1, in.read(new byte[1]));
        assertEquals(-1, in.read(new byte[SIZE]));
        assertEquals(0, in.readNBytes(new byte[5], 0, 5));
        assertEquals(0, in.readAllBytes().length);
        assertEquals(0, in.skip(9));
        assertEquals(0, in.available());
        assertEquals(0, in.transferTo(OutputStream.nullOutputStream()));
        assertThrows(EOFException.class, () -> in.skipNBytes(1));
        assertEquals(0, source.readsAfterEnd);
        assertHolds(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct", "heap-view", "direct-view", "unpooled"})
    void transfersFromTheLeaseToAPooledStream(String policy) throws IOException {
        usePolicy(policy);
        PlannedSink sink = new PlannedSink(new Random(2));
        sink.plan.zeroEvery = 4;
        sink.plan.most = 800;
        PooledOutputStream out = PooledOutputStream.to(sink, pool, 3 * SIZE);
        source.plan.most = 900;
        for (boolean done = false; !done; ) {
            try {
                in.transferTo(out);
                out.flush();
                done = true;
            } catch (IllegalBlockingModeException e) {
                assertFalse(pool.stats().leases() > 2);
            }
        }
        out.close();
        assertArrayEquals(source.content, sink.taken.toByteArray());
    }

    @Test
    void aChannelWithoutBytesIsNotAskedAgain() throws IOException {
        source.plan.zeroEvery = 1;
        assertThrows(IllegalBlockingModeException.class, in::read);
        assertThrows(IllegalBlockingModeException.class, () -> in.read(new byte[SIZE]));
        assertThrows(IllegalBlockingModeException.class, () -> in.skip(1));
        assertEquals(3, source.reads);
        assertHolds(0);
        source.plan.zeroEvery = 0;
        assertEquals(source.content[0] & 0xFF, in.read());
    }

    /** Gives 1, 2, 3 and so on; a read fails once, when so many bytes were given. */
    private static PlannedSource breaking(int bytes, Throwable failure) {
        byte[] content = new byte[100];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i + 1);
        }
        return new PlannedSource(
                content, new Plan(new Random(1)).most(Integer.MAX_VALUE).failsWith(bytes, failure));
    }

    @Test
    void bytesOfFailedReadComeBeforeItsException() throws IOException {
        for (Throwable failure :
                List.of(new IOException("scripted"), new IllegalArgumentException(), new StackOverflowError())) {
            for (int length : new int[] {1, SIZE}) {
                assertFailsAfter(0, length, failure);
                assertFailsAfter(5, length, failure);
            }
        }
    }

    private void assertFailsAfter(int bytes, int length, Throwable failure) throws IOException {
        PlannedSource channel = breaking(bytes, failure);
        try (PooledInputStream stream = PooledInputStream.from(channel, pool, SIZE)) {
            byte[] into = new byte[bytes + length];
            for (int read = 0; read < bytes; ) {
                read += stream.read(into, read, length);
            }
            assertArrayEquals(Arrays.copyOf(channel.content, bytes), Arrays.copyOf(into, bytes));
            assertSame(failure, assertThrows(Throwable.class, stream::read));
            assertHolds(0);
            assertEquals(bytes + 1, stream.read());
            assertEquals(2, channel.reads);
        }
    }

    @Test
    void atTheCapNothingIsConsumed() throws IOException {
        List<PooledBuffer> hogged = Leases.all(pool, SIZE);
        assertThrows(PoolExhaustedException.class, in::read);
        assertThrows(PoolExhaustedException.class, () -> in.readNBytes(SIZE - 1));
        assertEquals(0, source.reads);
        byte[] straight = new byte[SIZE];
        assertEquals(SIZE, in.read(straight));
        assertArrayEquals(content(0, SIZE), straight);
        source.plan.most = 10;
        assertArrayEquals(content(SIZE, 2 * SIZE + 5), in.readNBytes(SIZE + 5));
        hogged.remove(0).release();
        assertArrayEquals(content(2 * SIZE + 5, 3 * SIZE), in.readNBytes(SIZE - 5));
        Leases.release(hogged);
    }

    /** Memory that an I/O may still write into is never given out again. */
    @Test
    void aReadThatWasCutShortInAForeignChannelTakesItsMemoryAlong() throws IOException {
        long discarded = 0;
        for (IOException failure : Failures.cutShort()) {
            for (int bytes : new int[] {0, 5}) {
                PlannedSource channel = breaking(bytes, failure);
                try (PooledInputStream stream = PooledInputStream.from(channel, pool, SIZE)) {
                    assertEquals(bytes, stream.skip(bytes));
                    assertSame(failure, assertThrows(IOException.class, stream::read));
                    assertHolds(0);
                    assertEquals(bytes + 1, stream.read());
                }
                assertEquals(++discarded, pool.stats().releases(ReleaseOutcome.DISCARDED));
            }
        }
        try (PooledInputStream stream = PooledInputStream.from(breaking(0, new IOException("reset")), pool, SIZE)) {
            assertThrows(IOException.class, stream::read);
        }
        assertEquals(1, in.read(new byte[1])); // the rest is in the lease
        source.plan.failsWith(new java.net.SocketTimeoutException());
        assertThrows(IOException.class, () -> in.readNBytes(new byte[5 * SIZE], 0, 5 * SIZE));
        assertEquals(2, source.reads, "that read was given the array");
        assertEquals(discarded, pool.stats().releases(ReleaseOutcome.DISCARDED));
    }

    @Test
    void afterCloseEverythingIsRefused() throws IOException {
        in.read();
        in.close();
        in.close();
        assertEquals(1, source.closes);
        for (IOException e : List.of(
                assertThrows(IOException.class, in::read),
                assertThrows(IOException.class, () -> in.read(new byte[0])),
                assertThrows(IOException.class, () -> in.read(new byte[SIZE])),
                assertThrows(IOException.class, () -> in.skip(0)),
                assertThrows(IOException.class, in::available),
                assertThrows(IOException.class, in::readAllBytes),
                assertThrows(IOException.class, () -> in.readNBytes(new byte[2], 0, 2)),
                assertThrows(IOException.class, () -> in.transferTo(OutputStream.nullOutputStream())))) {
            assertTrue(e.getMessage().contains("closed"), e::getMessage);
        }
        assertEquals(1, source.reads);
    }

    @Test
    void closeReleasesEvenIfTheChannelThrows() throws IOException {
        IOException failure = new IOException("scripted");
        PlannedSource failing = new PlannedSource(new Random(3), SIZE) {
            @Override
            public void close() {
                throw Failures.<RuntimeException>sneak(failure);
            }
        };
        PooledInputStream stream = PooledInputStream.from(failing, pool, SIZE);
        stream.read();
        assertSame(failure, assertThrows(IOException.class, stream::close));
        assertHolds(0);
        stream.close();
    }

    @Test
    void sinkMayCloseItsSource() throws IOException {
        usePolicy("heap");
        OutputStream closing = new OutputStream() {
            @Override
            public void write(int b) {}

            @Override
            public void write(byte[] array, int offset, int length) throws IOException {
                byte[] before = Arrays.copyOfRange(array, offset, offset + length);
                in.close();
                assertHolds(0); // the array is no memory of the pool
                assertArrayEquals(before, Arrays.copyOfRange(array, offset, offset + length));
                assertThrows(IOException.class, in::read);
                throw new IOException("scripted");
            }
        };
        assertEquals(
                "scripted",
                assertThrows(IOException.class, () -> in.transferTo(closing)).getMessage());
        assertHolds(0);
        assertEquals(1, source.closes);
    }

    @Test
    void argumentsAreChecked() {
        assertThrows(NullPointerException.class, () -> PooledInputStream.from(null, pool));
        assertThrows(NullPointerException.class, () -> PooledInputStream.from(source, null, 5));
        Refusal.of(() -> PooledInputStream.from(source, pool, 0), "size=0");
        assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[3], 2, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> in.readNBytes(new byte[3], -1, 2));
        assertThrows(NullPointerException.class, () -> in.read(null, 0, 0));
        assertThrows(NullPointerException.class, () -> in.transferTo(null));
        assertThrows(IllegalArgumentException.class, () -> in.readNBytes(-1));
        assertFalse(in.markSupported());
        assertHolds(0);
    }

    @Test
    void theUsualSizeFitsTheClass() throws IOException {
        assertEquals(source.content[0] & 0xFF, in.read());
        try (PooledInputStream usual = PooledInputStream.from(new PlannedSource(new Random(1), 1 << 20), pool)) {
            usual.read();
            assertEquals((16 << 10) - 1, usual.available());
        }
    }
}
