// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes leave in order, whatever the channel takes at a time, and each lease ends as its last byte leaves. */
class BufferChainTest {
    private final BufferPool pool =
            BufferPool.builder("chain").policy("heap-view").max(8 << 20).build();
    private final BufferChain chain = new BufferChain();
    private final List<PooledBuffer> leases = new ArrayList<>();
    private final ByteArrayOutputStream expected = new ByteArrayOutputStream();

    @AfterEach
    void nothingIsOut() {
        chain.close();
        assertEquals(0, pool.stats().leases());
        assertEquals(0, pool.stats().leasedBytes());
        pool.close();
    }

    private void add(Random random, int from, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        try (PooledBuffer whole = pool.acquire(from + bytes)) {
            whole.buffer().position(from).put(content);
            leases.add(whole.slice(from, bytes));
        }
        expected.writeBytes(content);
        chain.add(leases.get(leases.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everythingLeavesInOrder(long seed) throws IOException {
        Random random = new Random(seed);
        int n = 1 + random.nextInt(60);
        for (int i = 0; i < n; i++) {
            add(random, random.nextInt(20), random.nextInt(3000));
        }
        Sink sink = new Sink(random, 4000);
        int rounds = 0;
        while (!chain.writeTo(sink)) {
            assertTrue(++rounds < 100_000);
            assertEquals(expected.size() - sink.taken.size(), chain.remaining());
            assertOpenFrom(sink.taken.size());
            if (rounds % 7 == 0) {
                add(random, 3, 1 + random.nextInt(200));
                sink.most = 8000;
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
    void channelThatTakesNothingIsAskedOnce() throws IOException {
        add(new Random(1), 0, 100);
        Sink sink = new Sink(new Random(1), 0);
        assertFalse(chain.writeTo(sink));
        assertEquals(1, sink.writes);
        assertEquals(100, chain.remaining());
    }

    @Test
    void moreThanOneGatherInOneCallWhenTheChannelTakesAll() throws IOException {
        Random random = new Random(5);
        for (int i = 0; i < 40; i++) {
            add(random, 0, 10);
        }
        Sink sink = new Sink(random, -1);
        assertTrue(chain.writeTo(sink));
        assertEquals(3, sink.writes);
        assertArrayEquals(expected.toByteArray(), sink.taken.toByteArray());
    }

    @Test
    void aFailedWriteKeepsTheRest() throws IOException {
        Random random = new Random(9);
        for (int i = 0; i < 5; i++) {
            add(random, 0, 100);
        }
        Sink sink = new Sink(random, -1);
        sink.failAfter = 250;
        assertThrows(IOException.class, () -> chain.writeTo(sink));
        assertEquals(250, chain.remaining());
        assertEquals(
                List.of(false, false, true, true, true),
                leases.stream().map(PooledBuffer::isOpen).toList());
        sink.failAfter = -1;
        assertTrue(chain.writeTo(sink));
        assertArrayEquals(expected.toByteArray(), sink.taken.toByteArray());
    }

    @Test
    void closeReleasesUnwrittenLeases() throws IOException {
        Random random = new Random(9);
        for (int i = 0; i < 30; i++) {
            add(random, 0, 100);
        }
        Sink sink = new Sink(random, 250);
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
        assertTrue(chain.writeTo(new Sink(new Random(1), 0)));
        assertThrows(IllegalStateException.class, () -> chain.add(empty));
        assertThrows(NullPointerException.class, () -> chain.add(null));
    }

    /** A chain that took it would send what an earlier holder wrote there. */
    @Test
    void bufferInFillModeIsRefusedAndLosesNothing() throws IOException {
        PooledBuffer lease = pool.acquire(1024);
        lease.buffer().put(new byte[] {1, 2, 3});
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> chain.add(lease));
        assertEquals(
                "buffer is in fill mode, or partly read: position=3, limit=1024;"
                        + " accepted: a buffer that was flipped, or a slice of the lease",
                e.getMessage());
        assertTrue(lease.isOpen());
        assertTrue(chain.isEmpty());
        lease.buffer().flip();
        chain.add(lease);
        Sink sink = new Sink(new Random(1), -1);
        assertTrue(chain.writeTo(sink));
        assertArrayEquals(new byte[] {1, 2, 3}, sink.taken.toByteArray());
    }

    /** It has nothing remaining, and would be released unsent. */
    @Test
    void fullBufferInFillModeIsRefused() {
        PooledBuffer lease = pool.acquire(3);
        lease.buffer().put(new byte[] {1, 2, 3});
        assertThrows(IllegalArgumentException.class, () -> chain.add(lease));
        assertTrue(lease.isOpen());
        lease.buffer().flip();
        chain.add(lease);
        assertEquals(3, chain.remaining());
    }

    /** A further lease may outlive the chain. */
    @Test
    void aRetainedLeaseKeepsTheMemory() throws IOException {
        PooledBuffer lease = pool.acquire(100);
        PooledBuffer kept = lease.retain();
        chain.add(lease);
        assertTrue(chain.writeTo(new Sink(new Random(1), -1)));
        assertFalse(lease.isOpen());
        assertTrue(kept.isOpen());
        assertTrue(kept.release());
    }

    /** Takes 0 to {@code most} bytes at a time (all of them when that is negative). */
    private static final class Sink implements GatheringByteChannel {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final Random random;
        private int most;
        private int failAfter = -1;
        private int writes;

        Sink(Random random, int most) {
            this.random = random;
            this.most = most;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            writes++;
            int left = most < 0 ? Integer.MAX_VALUE : random.nextInt(most + 1);
            long written = 0;
            for (int i = offset; i < offset + length; i++) {
                ByteBuffer source = sources[i];
                while (left > 0 && source.hasRemaining()) {
                    if (failAfter == 0) {
                        throw new IOException("scripted");
                    }
                    failAfter--;
                    taken.write(source.get());
                    left--;
                    written++;
                }
            }
            return written;
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
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
