// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several leases on one memory: retain, slice, discard. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class LeaseContractTest extends PoolContract {
    @Test
    void eachLeaseEndsOnce() {
        BufferPool pool = pool();
        PooledBuffer first = pool.acquire(1000);
        PooledBuffer second = first.retain();
        PooledBuffer third = first.slice(10, 100);
        for (PooledBuffer lease : List.of(second, first, third)) {
            boolean last = lease == third;
            assertEquals(last, lease.release());
            assertFalse(lease.isOpen());
            assertThrows(IllegalStateException.class, lease::release);
            assertThrows(IllegalStateException.class, lease::discard);
            assertThrows(IllegalStateException.class, lease::buffer);
            assertThrows(IllegalStateException.class, lease::capacity);
            assertThrows(IllegalStateException.class, lease::retain);
            assertThrows(IllegalStateException.class, () -> lease.slice(0, 1));
            lease.close();
        }
        PoolStats stats = Conservation.check(pool);
        assertEquals(6, stats.releases(ReleaseOutcome.INVALID));
        assertEquals(1, stats.releases(ReleaseOutcome.RECYCLED));
    }

    @Test
    void retainedLeaseHasASeparateView() {
        BufferPool pool = pool();
        try (PooledBuffer first = pool.acquire(1000)) {
            first.buffer()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(4, 0x01020304)
                    .limit(500)
                    .position(4);
            try (PooledBuffer second = first.retain()) {
                assertNotSame(first.buffer(), second.buffer());
                assertEquals(4, second.buffer().position());
                assertEquals(500, second.buffer().limit());
                assertEquals(ByteOrder.BIG_ENDIAN, second.buffer().order());
                assertEquals(0x04030201, second.buffer().getInt());
                assertEquals(4, first.buffer().position());
                assertEquals(first.capacity(), second.capacity());
            }
        }
    }

    @Test
    void aSliceIsAPartThatCannotBeWidened() {
        BufferPool pool = pool();
        try (PooledBuffer first = pool.acquire(1000)) {
            for (int i = 0; i < 1000; i++) {
                first.buffer().put((byte) i);
            }
            first.buffer().limit(5); // the capacity bounds a slice
            try (PooledBuffer part = first.slice(100, 50);
                    PooledBuffer inner = part.slice(10, 20)) {
                ByteBuffer bytes = part.buffer();
                assertEquals(0, bytes.position());
                assertEquals(50, bytes.limit());
                assertEquals(50, part.capacity());
                assertEquals((byte) 100, bytes.get(0));
                assertEquals((byte) 110, inner.buffer().get(0));
                assertEquals(20, inner.capacity());
                assertThrows(IllegalArgumentException.class, () -> bytes.limit(51));
                assertEquals(20, inner.buffer().duplicate().clear().capacity());
                assertThrows(IndexOutOfBoundsException.class, () -> part.slice(31, 20));
                inner.buffer().put(0, (byte) 7);
                assertEquals(7, first.buffer().clear().get(110));
            }
        }
    }

    @Test
    void aSliceOutsideIsRefusedAndHoldsNothing() {
        BufferPool pool = pool();
        PooledBuffer first = pool.acquire(1000);
        int capacity = first.capacity();
        int[][] outside = {
            {-1, 1},
            {0, -1},
            {0, capacity + 1},
            {capacity, 1},
            {1, capacity},
            {Integer.MAX_VALUE, 1},
            {1, Integer.MAX_VALUE},
            {Integer.MAX_VALUE, Integer.MAX_VALUE},
            {Integer.MIN_VALUE, Integer.MIN_VALUE}
        };
        for (int[] part : outside) {
            Refusal.of(
                    IndexOutOfBoundsException.class,
                    () -> first.slice(part[0], part[1]),
                    "index=" + part[0] + ", length=" + part[1]);
        }
        try (PooledBuffer empty = first.slice(capacity, 0)) {
            assertEquals(0, empty.capacity());
        }
        assertTrue(first.release());
    }

    @Test
    void discardedMemoryIsNotReused() {
        BufferPool pool = pool();
        PooledBuffer first = pool.acquire(1000);
        ByteBuffer memory = first.buffer();
        memory.putLong(0, 0x0123456789ABCDEFL);
        first.discard();
        assertFalse(first.isOpen());
        assertThrows(IllegalStateException.class, first::release);
        PoolStats stats = Conservation.check(pool);
        assertEquals(1, stats.releases(ReleaseOutcome.DISCARDED));
        assertEquals(0, stats.releases(ReleaseOutcome.RECYCLED));
        assertEquals(0, stats.leaks());
        for (int i = 0; i < 200; i++) {
            try (PooledBuffer other = pool.acquire(1000)) {
                assertNotSame(memory, other.buffer());
                fill(other);
            }
        }
        assertEquals(0x0123456789ABCDEFL, memory.getLong(0), "discarded memory was used again");
    }

    private static void fill(PooledBuffer lease) {
        ByteBuffer bytes = lease.buffer().clear();
        while (bytes.hasRemaining()) {
            bytes.put((byte) -1);
        }
    }

    @Test
    void aDiscardCountsWhateverOrderTheLeasesEndIn() {
        for (int order = 0; order < 4; order++) {
            BufferPool pool = pool();
            PooledBuffer first = pool.acquire(1000);
            PooledBuffer second = first.retain();
            PooledBuffer discarded = (order & 1) == 0 ? first : second;
            PooledBuffer released = (order & 1) == 0 ? second : first;
            if ((order & 2) == 0) {
                discarded.discard();
                assertEquals(0, pool.stats().releases(ReleaseOutcome.DISCARDED));
                Conservation.check(pool, 1);
                assertTrue(released.isOpen());
                assertTrue(released.release());
            } else {
                assertFalse(released.release());
                discarded.discard();
            }
            PoolStats stats = Conservation.check(pool);
            assertEquals(1, stats.releases(ReleaseOutcome.DISCARDED));
            assertEquals(0, stats.leaks());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tooManyLeasesAreAnErrorAndNoCarry(boolean guard) {
        BufferPool pool = pool(kind.builder("contract").guard(guard));
        PooledBuffer first = pool.acquire(100);
        PooledBuffer[] further = new PooledBuffer[32_767];
        for (int i = 0; i < further.length; i++) {
            further[i] = (i & 1) == 0 ? first.retain() : first.slice(0, 1);
        }
        assertEquals(
                "too many leases on one buffer: leases=32767",
                assertThrows(IllegalStateException.class, first::retain).getMessage());
        assertThrows(IllegalStateException.class, () -> further[7].slice(0, 1));
        assertTrue(first.isOpen());
        for (PooledBuffer lease : further) {
            assertFalse(lease.release());
        }
        Conservation.check(pool, 1);
        first.retain().release();
        assertTrue(first.release());
    }
}
