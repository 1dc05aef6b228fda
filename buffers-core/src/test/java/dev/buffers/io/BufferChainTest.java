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
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Kind;
import dev.buffers.support.Refusal;
import dev.buffers.support.channels.Failures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes leave in order, whatever the channel takes at a time, and each lease ends with its last byte: not one byte before, nor after. */
class BufferChainTest {
    private static final int ALL = Integer.MAX_VALUE;

    private final BufferPool pool =
            BufferPool.builder("chain").policy("heap-view").max(8 << 20).build();
    private final BufferChain chain = new BufferChain();
    private final List<PooledBuffer> leases = new ArrayList<>();
    private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
    private final Random random = new Random(9);

    @AfterEach
    void nothingIsOut() {
        chain.close();
        assertEquals(0, pool.stats().leases());
        assertEquals(0, pool.stats().leasedBytes());
        pool.close();
    }

    private void add(int from, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        try (PooledBuffer whole = pool.acquire(from + bytes)) {
            whole.buffer().position(from).put(content);
            leases.add(whole.slice(from, bytes));
        }
        expected.writeBytes(content);
        chain.add(leases.get(leases.size() - 1));
    }

    /** Leases of 100 bytes each. */
    private void addHundreds(int count) {
        for (int i = 0; i < count; i++) {
            add(0, 100);
        }
    }

    private void assertOpen(Boolean... open) {
        assertEquals(List.of(open), leases.stream().map(PooledBuffer::isOpen).toList());
    }

    private void assertDiscarded(int leases) {
        assertEquals(leases, pool.stats().releases(ReleaseOutcome.DISCARDED));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everythingLeavesInOrder(long seed) throws IOException {
        random.setSeed(seed);
        int n = 1 + random.nextInt(60);
        for (int i = 0; i < n; i++) {
            add(random.nextInt(20), random.nextInt(3000));
        }
        int[] most = {4000};
        Sink sink = new Sink(() -> random.nextInt(most[0] + 1), ALL);
        int rounds = 0;
        while (!chain.writeTo(sink)) {
            assertTrue(++rounds < 100_000);
            assertEquals(expected.size() - sink.taken.size(), chain.remaining());
            assertOpenFrom(sink.taken.size());
            if (rounds % 7 == 0) {
                add(3, 1 + random.nextInt(200));
                most[0] = 8000;
            }
        }
        assertTrue(chain.isEmpty());
        assertEquals(0, chain.remaining());
        assertArrayEquals(expected.toByteArray(), sink.taken.toByteArray());
        leases.forEach(lease -> assertFalse(lease.isOpen()));
    }

    /** Only leases with bytes that have not left are open. */
    private void assertOpenFrom(int taken) {
        int open = 0;
        long left = 0;
        for (PooledBuffer lease : leases) {
            if (lease.isOpen()) {
                open++;
                left += lease.buffer().remaining();
                assertTrue(lease.buffer().hasRemaining());
            }
        }
        assertEquals(expected.size() - taken, left);
        assertEquals(open, pool.stats().leases());
    }

    @Test
    void leaseEndsWithItsLastByteAndNotBefore() throws IOException {
        addHundreds(2);
        assertWrites(99, 101, true, true);
        assertWrites(1, 100, false, true);
        assertWrites(99, 1, false, true);
        assertWrites(1, 0, false, false);
    }

    private void assertWrites(int bytes, int left, Boolean... open) throws IOException {
        assertEquals(left == 0, chain.writeTo(new Sink(() -> ALL, bytes)));
        assertEquals(left, chain.remaining());
        assertEquals(left == 0, chain.isEmpty());
        assertOpen(open);
    }

    @Test
    void moreThanOneGatherInOneCallWhenTheChannelTakesAll() throws IOException {
        addHundreds(40);
        Sink sink = new Sink(() -> ALL, ALL);
        assertTrue(chain.writeTo(sink));
        assertEquals(3, sink.writes);
        assertArrayEquals(expected.toByteArray(), sink.taken.toByteArray());
    }

    /** A channel may lower limits while it writes, and raise them again only if it succeeds. */
    @Test
    void aFailedWriteKeepsTheRest() throws IOException {
        addHundreds(5);
        Sink sink = new Sink(() -> 250, ALL);
        sink.failure = new IOException("reset");
        assertThrows(IOException.class, () -> chain.writeTo(sink));
        assertEquals(250, chain.remaining());
        assertOpen(false, false, true, true, true);
        sink.failure = null;
        assertTrue(chain.writeTo(sink));
        assertArrayEquals(expected.toByteArray(), sink.taken.toByteArray());
        assertDiscarded(0);
    }

    /** The channel may still be sending their bytes. */
    @Test
    void leasesAreDiscardedAfterWriteThatWasCutShort() throws IOException {
        int discarded = 0;
        Sink sink = new Sink(() -> 150, ALL);
        for (IOException failure : Failures.cutShort()) {
            sink.failure = failure;
            addHundreds(3);
            assertSame(failure, assertThrows(IOException.class, () -> chain.writeTo(sink)));
            chain.close();
            discarded += 3;
            assertDiscarded(discarded);
        }
        sink.failure = new SocketTimeoutException();
        Sink all = new Sink(() -> ALL, ALL);
        all.failure = sink.failure;
        addHundreds(2);
        assertThrows(SocketTimeoutException.class, () -> chain.writeTo(all));
        assertTrue(chain.isEmpty());
        all.failure = null;
        addHundreds(1);
        assertTrue(chain.writeTo(all), "that write was given none of it");
        assertDiscarded(discarded + 2);
    }

    @Test
    void closeReleasesUnwrittenLeases() throws IOException {
        addHundreds(30);
        Sink sink = new Sink(() -> 250, 250);
        chain.writeTo(sink);
        chain.close();
        assertEquals(0, chain.remaining());
        assertTrue(chain.isEmpty());
        leases.forEach(lease -> assertFalse(lease.isOpen()));
        assertTrue(chain.writeTo(sink));
        chain.close();
    }

    @Test
    void emptyLeaseIsReleasedWhenAdded() throws IOException {
        PooledBuffer empty = pool.acquire(100);
        empty.buffer().flip();
        chain.add(empty);
        assertFalse(empty.isOpen());
        PooledBuffer none = pool.acquire(0);
        chain.add(none);
        assertFalse(none.isOpen());
        assertTrue(chain.writeTo(new Sink(() -> 0, 0)));
        assertThrows(IllegalStateException.class, () -> chain.add(empty));
        assertThrows(NullPointerException.class, () -> chain.add(null));
    }

    /** A chain that took it would send what an earlier holder wrote there, or release a full one unsent. */
    @ParameterizedTest
    @ValueSource(ints = {3, 1024})
    void bufferInFillModeIsRefusedAndLosesNothing(int size) throws IOException {
        PooledBuffer lease = pool.acquire(size);
        lease.buffer().put(new byte[] {1, 2, 3});
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> chain.add(lease));
        assertEquals(
                "buffer is in fill mode, or partly read: position=3, limit=" + size
                        + "; accepted: a buffer that was flipped, or a slice of the lease",
                e.getMessage());
        assertTrue(lease.isOpen());
        assertTrue(chain.isEmpty());
        lease.buffer().flip();
        chain.add(lease);
        assertEquals(3, chain.remaining());
        Sink sink = new Sink(() -> ALL, ALL);
        assertTrue(chain.writeTo(sink));
        assertArrayEquals(new byte[] {1, 2, 3}, sink.taken.toByteArray());
    }

    /** A further lease may outlive the chain. */
    @Test
    void aRetainedLeaseKeepsTheMemory() throws IOException {
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer kept = lease.retain();
        chain.add(lease);
        assertTrue(chain.writeTo(new Sink(() -> ALL, ALL)));
        assertFalse(lease.isOpen());
        assertTrue(kept.isOpen());
        assertTrue(kept.release());
    }

    @Test
    void blockingChannelThatWritesInPartsTakesAll() throws IOException {
        addHundreds(20);
        Sink sink = new Sink(() -> 30, ALL);
        assertTrue(chain.writeTo(sink));
        assertEquals(2000, sink.taken.size());
    }

    /** Each further attempt would cost a system call. */
    @Test
    void nonBlockingChannelIsLeftAtTheFirstIncompleteWrite() throws IOException {
        addHundreds(20);
        Sink sink = new Sink(() -> 30, ALL);
        sink.configureBlocking(false);
        assertFalse(chain.writeTo(sink));
        assertEquals(1, sink.writes);
        assertEquals(1970, chain.remaining());
    }

    @Test
    void channelThatTakesNothingEndsTheCallInEitherMode() throws IOException {
        addHundreds(1);
        Sink sink = new Sink(() -> 30, 60);
        assertFalse(chain.writeTo(sink));
        assertEquals(3, sink.writes);
        assertEquals(40, chain.remaining());
        sink.configureBlocking(false);
        assertFalse(chain.writeTo(sink));
        assertEquals(4, sink.writes);
    }

    /** Linux writes less than 2 GiB in one call. */
    @Test
    void fileTakesMoreThanOneSystemCallCanWrite(@TempDir Path folder) throws IOException {
        Path nowhere = Path.of("/dev/null");
        if (!Files.exists(nowhere)) {
            return;
        }
        int size = 136 << 20;
        try (FileChannel file = FileChannel.open(nowhere, StandardOpenOption.WRITE);
                BufferPool large = BufferPool.builder("large")
                        .policy(Kind.own(true, false, bytes -> fileWithHole(folder.resolve("sparse"), bytes)))
                        .max(256 << 20)
                        .build();
                PooledBuffer lease = large.acquire(size)) {
            for (int i = 0; i < 16; i++) {
                chain.add(lease.retain());
            }
            assertTrue(chain.remaining() > Integer.MAX_VALUE);
            assertTrue(chain.writeTo(file), () -> "left: " + chain.remaining());
        }
    }

    /** Memory that takes none. */
    private static ByteBuffer fileWithHole(Path path, int bytes) {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each write would be one datagram: two messages in one, or one message in two. */
    @Test
    void datagramChannelIsRefused() throws IOException {
        addHundreds(1);
        try (DatagramChannel datagrams = DatagramChannel.open()) {
            Refusal.of(() -> chain.writeTo(datagrams), "DatagramChannel");
        }
        assertEquals(100, chain.remaining());
    }

    /** Takes so many bytes of each write, and so many in all. */
    private static final class Sink extends Pipe.SinkChannel {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final IntSupplier each;
        private final int most;
        private int writes;
        /** Thrown when bytes were taken; the limit of each buffer that was touched stays where the write has stopped. */
        private IOException failure;

        Sink(IntSupplier each, int most) {
            super(SelectorProvider.provider());
            this.each = each;
            this.most = most;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            writes++;
            int left = Math.min(each.getAsInt(), most - taken.size());
            int before = taken.size();
            for (int i = offset; i < offset + length; i++) {
                byte[] part = new byte[Math.min(left, sources[i].remaining())];
                sources[i].get(part);
                taken.writeBytes(part);
                left -= part.length;
                if (failure != null && part.length > 0) {
                    sources[i].limit(sources[i].position());
                }
            }
            if (failure != null) {
                throw failure;
            }
            return taken.size() - before;
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return write(sources, 0, sources.length);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return (int) write(new ByteBuffer[] {source}, 0, 1);
        }

        @Override
        protected void implCloseSelectableChannel() {
            // It is never closed.
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
            // Only what isBlocking says changes.
        }
    }
}
