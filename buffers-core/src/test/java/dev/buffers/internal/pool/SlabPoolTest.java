// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The path of a hit: what it counts, and that its slot is the last one released. */
class SlabPoolTest {
    private static final int SIZE = 100;

    private final SlabPool pool = (SlabPool) builder().build();

    private static BufferPool.Builder builder() {
        return SlabPool.builder("slab-pool").policy("heap-view").max(1 << 20).trimNever();
    }

    @AfterEach
    void everyByteIsAccountedFor() {
        Conservation.check(pool);
        pool.close();
    }

    private long acquires(AcquireOutcome outcome) {
        return pool.stats().acquires(outcome);
    }

    /** Every way to a lease. */
    static Stream<Function<BufferPool, PooledBuffer>> ways() {
        return Stream.of(
                pool -> pool.acquire(SIZE),
                pool -> pool.tryAcquire(SIZE),
                pool -> pool.acquire(SIZE, Duration.ofSeconds(1)),
                pool -> {
                    ChannelBuffers channel = pool.channel();
                    channel.acquire(SIZE).release(); // it comes back to the channel
                    return channel.acquire(SIZE);
                });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void zeroOnAcquireErasesBytesOfLastHolder(Function<BufferPool, PooledBuffer> way) {
        try (BufferPool zeroing = builder().zero(PoolSettings.Zeroing.ACQUIRE).build()) {
            List<PooledBuffer> dirty = List.of(zeroing.acquire(SIZE), zeroing.acquire(SIZE));
            for (PooledBuffer lease : dirty) {
                lease.buffer().clear().put(new byte[lease.capacity()]).put(lease.capacity() - 1, (byte) 7);
                lease.release();
            }
            try (PooledBuffer lease = way.apply(zeroing)) {
                ByteBuffer view = lease.buffer();
                assertEquals(SIZE, view.limit());
                assertEquals(0, view.position());
                assertEquals(0, view.limit(view.capacity()).get(view.capacity() - 1));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void tracesAreKeptWhereSettingAsks(Function<BufferPool, PooledBuffer> way) {
        try (BufferPool tracing = builder().leaks(LeakTracking.all()).build();
                PooledBuffer lease = way.apply(tracing)) {
            assertEquals(SIZE, Objects.requireNonNull(Peek.slot(lease).trace).size);
        }
    }

    /** The setting can change while the pool runs, and then counts for the next acquire. */
    @ParameterizedTest
    @MethodSource("ways")
    void changedTrackingCountsForNextAcquire(Function<BufferPool, PooledBuffer> way) {
        pool.acquire(SIZE).release();
        pool.acquire(SIZE).release(); // a hit
        pool.leaks(LeakTracking.all());
        try (PooledBuffer lease = way.apply(pool)) {
            assertEquals(SIZE, Objects.requireNonNull(Peek.slot(lease).trace).size);
        }
        pool.leaks(LeakTracking.count());
        long hits = acquires(AcquireOutcome.THREAD);
        pool.acquire(SIZE).release();
        pool.acquire(SIZE).release();
        assertTrue(acquires(AcquireOutcome.THREAD) > hits);
    }

    @Test
    void hitServesSlotReleasedLast() {
        PooledBuffer first = pool.acquire(SIZE);
        Slot slot = Peek.slot(first);
        first.buffer().order(ByteOrder.LITTLE_ENDIAN).position(3);
        first.release();
        PooledBuffer next = pool.acquire(SIZE - 1);
        assertSame(slot, Peek.slot(next));
        assertNotSame(first, next);
        assertEquals(SIZE - 1, next.buffer().remaining());
        assertSame(ByteOrder.BIG_ENDIAN, next.buffer().order());
        assertEquals(1, acquires(AcquireOutcome.CARVED));
        assertEquals(1, acquires(AcquireOutcome.THREAD));
        next.release();
        assertEquals(2, pool.stats().releases(ReleaseOutcome.RECYCLED));
    }

    @Test
    void revokedSlotIsDroppedByNextAcquire() {
        PooledBuffer lease = pool.acquire(SIZE);
        Slot slot = Peek.slot(lease);
        lease.release();
        assertTrue(Peek.slabs(pool).revoke(slot));
        PooledBuffer next = pool.acquire(SIZE);
        assertNotSame(slot, Peek.slot(next));
        next.release();
    }

    @Test
    void leaseReturnedUsesSlotOfChannel() {
        PooledBuffer lease = pool.acquire(SIZE);
        Slot slot = Peek.slot(lease);
        ReturnStack stack = new ReturnStack();
        stack.open();
        slot.returnStack = stack;
        lease.release();
        assertSame(slot, stack.takeAll());
        PooledBuffer next = Objects.requireNonNull(pool.leaseReturned(slot, SIZE));
        assertEquals(1, acquires(AcquireOutcome.CHANNEL));
        slot.returnStack = null;
        next.release();
        assertTrue(Peek.slabs(pool).revoke(slot));
        assertNull(pool.leaseReturned(slot, SIZE));
        assertEquals(1, acquires(AcquireOutcome.CHANNEL));
        pool.trim();
    }

    @Test
    void secondReleaseIsRefusedAndCounted() {
        PooledBuffer lease = pool.acquire(SIZE);
        lease.release();
        assertThrows(IllegalStateException.class, lease::release);
        assertThrows(IllegalStateException.class, lease::buffer);
        lease.close();
        assertEquals(1, pool.stats().releases(ReleaseOutcome.INVALID), "only the release");
    }

    @Test
    void tryAcquireCountsRefusal() {
        PooledBuffer all = pool.acquire(1 << 20);
        assertNull(pool.tryAcquire(SIZE, SlowAcquire.AtCap.RETURN_NULL));
        assertEquals(0, acquires(AcquireOutcome.REJECTED));
        assertNull(pool.tryAcquire(SIZE));
        assertEquals(1, acquires(AcquireOutcome.REJECTED));
        all.release();
    }

    @Test
    void closedPoolTakesBackAndServesNoAcquire() {
        PooledBuffer lease = pool.acquire(SIZE);
        pool.close();
        assertThrows(IllegalStateException.class, () -> pool.acquire(SIZE));
        assertThrows(IllegalStateException.class, pool::channel);
        assertThrows(IllegalStateException.class, pool::trim);
        lease.release();
        assertEquals(0, pool.stats().reservedBytes());
    }

    @Test
    void listenerOfBuilderIsNotifiedOfLosses() {
        List<LeakReport> told = new CopyOnWriteArrayList<>();
        try (BufferPool listening = builder().onLeak(told::add).build()) {
            Peek.slot(listening.acquire(100)).enqueue();
            Eventually.holds("the listener is told", () -> told.size() == 1);
        }
    }

    @Test
    void invalidNameIsRefusedByBuild() {
        assertThrows(
                IllegalArgumentException.class, () -> SlabPool.builder("a.b").build());
    }
}
