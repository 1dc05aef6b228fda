// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakReport;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** A user's tests may fake a pool and its leases with public types alone. The pool's own leases stay exact beside them. */
class FakePoolTest {

    /** Counts its open leases, and refuses everything once the test says so. */
    static final class FakePool implements BufferPool {
        int out;
        boolean full;

        /** Thrown by a release that ends its lease. */
        Error releaseThrows;

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public PooledBuffer acquire(int size) {
            if (full) {
                throw new PoolExhaustedException(name(), size, "the test says so", stats());
            }
            out++;
            return new FakeLease(this, size);
        }

        @Override
        public PooledBuffer acquire(int size, Duration patience) {
            return acquire(size);
        }

        @Override
        public PooledBuffer tryAcquire(int size) {
            return acquire(size);
        }

        @Override
        public void whenAvailable(int size, Runnable wake) {
            wake.run();
        }

        @Override
        public List<LeakReport> openLeases() {
            return List.of();
        }

        @Override
        public void addSizeListener(IntConsumer listener) {}

        @Override
        public void removeSizeListener(IntConsumer listener) {}

        @Override
        public ChannelBuffers channel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ChannelBuffers channel(int maxInput) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PoolSettings settings() {
            throw new UnsupportedOperationException();
        }

        @Override
        public PoolStats stats() {
            return new PoolStats() {
                @Override
                public long leases() {
                    return out;
                }
            };
        }

        @Override
        public long trim() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static final class FakeLease extends PooledBuffer {
        private final FakePool pool;
        private final ByteBuffer buffer;
        private boolean open = true;

        FakeLease(FakePool pool, int size) {
            this.pool = pool;
            this.buffer = ByteBuffer.allocate(size);
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public int capacity() {
            return buffer.capacity();
        }

        @Override
        public PooledBuffer retain() {
            throw new UnsupportedOperationException();
        }

        @Override
        public PooledBuffer slice(int index, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean release() {
            close();
            if (pool.releaseThrows != null) {
                throw pool.releaseThrows;
            }
            return true;
        }

        @Override
        public void close() {
            pool.out -= open ? 1 : 0;
            open = false;
        }

        @Override
        public void discard() {
            close();
        }

        @Override
        public boolean isOpen() {
            return open;
        }
    }

    @Test
    void theHelpersWorkWithAFake() throws Exception {
        FakePool pool = new FakePool();
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        BufferChain chain = new BufferChain();
        PooledBuffer lease = pool.acquire(3);
        lease.buffer().put(new byte[] {1, 2, 3}).flip();
        chain.add(lease);
        assertEquals(1, pool.out);
        new Transfers(pool, 64)
                .transfer(Channels.newChannel(new ByteArrayInputStream(new byte[] {9})), Channels.newChannel(sink));
        pool.full = true;
        assertEquals(
                "the test says so",
                assertThrows(PoolExhaustedException.class, () -> pool.acquire(8))
                        .getMessage()
                        .replaceFirst(".*reason=(.*?), max=.*", "$1"));
        chain.close();
        assertEquals(0, pool.out);
        assertArrayEquals(new byte[] {9}, sink.toByteArray());
    }

    @Test
    void aFakeIsDumpedByItsOwnFigures() {
        FakePool pool = new FakePool();
        pool.acquire(10);
        assertTrue(pool.dump().startsWith("pool fake, cap 0\n"), pool.dump());
        assertTrue(pool.dump().endsWith("\nlost leases: 0\nopen leases: 1\n"), pool.dump());
    }

    @Test
    void aLeaseOfThePoolIsExactBesideAFake() {
        PooledBuffer fake = new FakePool().acquire(1);
        fake.close();
        assertFalse(fake.isOpen());
        try (BufferPool pool = BufferPool.create("beside-a-fake")) {
            for (int i = 0; i < 20_000; i++) {
                PooledBuffer lease = pool.acquire(100);
                assertTrue(lease.release());
                assertThrows(IllegalStateException.class, lease::release);
            }
            assertEquals(0, pool.stats().leases());
        }
    }
}
