// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.channels.Failures;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease ends with its last byte: not one byte before, nor after. */
class BufferChainEdgeTest {
    private final BufferPool pool =
            BufferPool.builder("chain").policy("heap-view").max(1 << 20).build();
    private final BufferChain chain = new BufferChain();
    private final List<PooledBuffer> leases = new ArrayList<>();

    @AfterEach
    void nothingIsOut() {
        chain.close();
        assertEquals(0, pool.stats().leases());
        pool.close();
    }

    @Test
    void leaseEndsWithItsLastByteAndNotBefore() throws IOException {
        for (int i = 0; i < 2; i++) {
            leases.add(pool.acquire(100));
            chain.add(leases.get(i));
        }
        assertWrites(99, 101, true, true);
        assertWrites(1, 100, false, true);
        assertWrites(99, 1, false, true);
        assertWrites(1, 0, false, false);
    }

    private void assertWrites(int bytes, int left, boolean... open) throws IOException {
        assertEquals(left == 0, chain.writeTo(new Sink(bytes)));
        assertEquals(left, chain.remaining());
        assertEquals(left == 0, chain.isEmpty());
        for (int i = 0; i < open.length; i++) {
            assertEquals(open[i], leases.get(i).isOpen(), "lease " + i + ", bytes left=" + left);
        }
    }

    /** The channel may still be sending their bytes. */
    @Test
    void leasesAreDiscardedAfterWriteThatWasCutShort() throws IOException {
        long discarded = 0;
        for (IOException failure : Failures.cutShort()) {
            Sink sink = new Sink(150);
            sink.failure = failure;
            BufferChain cut = new BufferChain();
            for (int i = 0; i < 3; i++) {
                cut.add(pool.acquire(100));
            }
            assertSame(failure, assertThrows(IOException.class, () -> cut.writeTo(sink)));
            cut.close();
            discarded += 3;
            assertEquals(discarded, pool.stats().releases(ReleaseOutcome.DISCARDED));
        }
        Sink next = new Sink(1000);
        next.failure = new SocketTimeoutException();
        chain.add(pool.acquire(100));
        chain.add(pool.acquire(100));
        assertThrows(SocketTimeoutException.class, () -> chain.writeTo(next));
        discarded += 2;
        assertTrue(chain.isEmpty());
        next.failure = null;
        chain.add(pool.acquire(100));
        assertTrue(chain.writeTo(next), "that write was given none of it");
        assertEquals(discarded, pool.stats().releases(ReleaseOutcome.DISCARDED));
        Sink sink = new Sink(150);
        sink.failure = new IOException("reset");
        chain.add(pool.acquire(200));
        assertThrows(IOException.class, () -> chain.writeTo(sink));
        chain.close();
        assertEquals(discarded, pool.stats().releases(ReleaseOutcome.DISCARDED));
    }

    /** A channel may lower limits while it writes, and raise them again only if it succeeds. */
    @Test
    void limitsThatFailedWriteHasMovedAreRestored() throws IOException {
        for (int i = 0; i < 3; i++) {
            chain.add(pool.acquire(100));
        }
        Sink sink = new Sink(50);
        sink.lowersLimits = true;
        sink.failure = new IOException("reset");
        assertThrows(IOException.class, () -> chain.writeTo(sink));
        assertEquals(250, chain.remaining());
    }

    /** Takes so many bytes in all. */
    private static final class Sink implements GatheringByteChannel {
        private int room;

        /** Thrown when bytes were taken. */
        private IOException failure;

        /** Leaves the limit of each buffer that it has touched where it has stopped. */
        private boolean lowersLimits;

        Sink(int room) {
            this.room = room;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            long written = 0;
            for (int i = offset; i < offset + length; i++) {
                int n = Math.min(room, sources[i].remaining());
                sources[i].position(sources[i].position() + n);
                room -= n;
                if (lowersLimits && n > 0) {
                    sources[i].limit(sources[i].position());
                }
                written += n;
            }
            if (failure != null) {
                throw failure;
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
        public void close() {
            // It is never closed.
        }
    }
}
