// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Leases;
import dev.buffers.support.Peek;
import dev.buffers.support.WaitHeldTick;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The slots that a channel keeps; when the channel falls silent, others get them at once, without a revocation. */
class SlabChannelBuffersTest {
    private static final int SIZE = 300;

    private static BufferPool pool() {
        return BufferPool.builder("gives-back").policy("heap-view").max(1 << 20).build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @SuppressWarnings("try") // a channel is closed twice
    void slotsKeptByChannelServeOthersAfterIdleOrClose(boolean close) {
        try (BufferPool pool = pool();
                ChannelBuffers channel = pool.channel()) {
            List<PooledBuffer> leases = new ArrayList<>();
            Set<Slot> slots = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                leases.add(channel.acquire(SIZE));
                slots.add(Peek.slot(leases.get(i)));
            }
            leases.forEach(PooledBuffer::release);
            channel.acquire(SIZE).release(); // two are its own now, and one is in the return stack again
            if (close) {
                channel.close();
            } else {
                channel.idle();
            }
            Set<Slot> had = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                leases.set(i, pool.acquire(SIZE));
                had.add(Peek.slot(leases.get(i)));
            }
            assertEquals(slots, had);
            leases.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
    }

    @Test
    void returnStackKeepsFourSlots() {
        try (BufferPool pool = pool();
                ChannelBuffers channel = pool.channel()) {
            List<PooledBuffer> leases = Leases.of(6, () -> channel.acquire(SIZE));
            leases.forEach(PooledBuffer::release);
            for (int i = 0; i < 6; i++) {
                leases.set(i, channel.acquire(SIZE));
            }
            assertEquals(4, pool.stats().acquires(AcquireOutcome.CHANNEL));
            leases.forEach(PooledBuffer::release);
        }
    }

    /** The wake-up is called while the channel gives back what it kept, which is others' by then. */
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void wakeUpMayUseChannelThatGivesBack() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick(); // the tick would take what the channel keeps
                BufferPool pool = BufferPool.builder("nested")
                        .policy("heap-view")
                        .max(128 << 10)
                        .trimNever()
                        .build();
                ChannelBuffers channel = pool.channel()) {
            List<PooledBuffer> leases = new ArrayList<>();
            channel.acquire(SIZE).release();
            leases.add(channel.acquire(4 * SIZE)); // the channel keeps the returned slot, which does not suit
            for (PooledBuffer one = pool.tryAcquire(SIZE); one != null; one = pool.tryAcquire(SIZE)) {
                leases.add(one);
            }
            PooledBuffer[] nested = new PooledBuffer[1];
            Runnable wake = () -> nested[0] = channel.acquire(SIZE);
            Slot like = Peek.slot(leases.get(leases.size() - 1));
            ((SlabPool) pool)
                    .waitQueue.add(new WaitQueue.Waiter(like.size(), like.sizeClass(), wake)); // has not looked yet
            channel.idle();
            assertNotNull(nested[0], "the wake-up is called");
            leases.forEach(PooledBuffer::release);
            channel.idle();
            pool.trim();
            PoolStats stats = Conservation.check(pool, 1);
            assertEquals(64 << 10, stats.reservedBytes(), "the region of the last lease");
            nested[0].release();
        }
    }

    /** A slot of another size that came back, or a revoked one, keeps no other slot from being used again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keptSlotOfAnotherSizeMakesRoomForReturnedSlots(boolean revoked) {
        try (BufferPool pool = pool();
                ChannelBuffers channel = pool.channel()) {
            PooledBuffer other = channel.acquire(16 * SIZE);
            PooledBuffer one = channel.acquire(SIZE);
            other.release();
            one.release();
            channel.acquire(SIZE).release(); // the channel keeps the other slot now
            if (revoked) {
                pool.trim();
            }
            long before = pool.stats().acquires(AcquireOutcome.CHANNEL);
            for (int i = 0; i < 10; i++) {
                channel.acquire(SIZE).release();
            }
            assertTrue(pool.stats().acquires(AcquireOutcome.CHANNEL) - before >= 8);
            pool.acquire(16 * SIZE).release();
            Conservation.check(pool);
        }
    }

    /** Two sizes in turn: each slot stays with the channel until its size is asked for again. */
    @Test
    void slotsOfTwoSizesServeTheirSizesInTurn() {
        try (BufferPool pool = pool();
                ChannelBuffers channel = pool.channel()) {
            for (int i = 0; i < 10; i++) {
                channel.acquire(16 * SIZE).release();
                channel.acquire(SIZE).release();
            }
            assertEquals(18, pool.stats().acquires(AcquireOutcome.CHANNEL));
        }
    }

    /** A lease that the channel had on its way when a wake-up closed it goes back to the pool, where others find it. */
    @Test
    @SuppressWarnings("try") // as above
    void channelClosedWithinItsAcquireKeepsNoSlot() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = BufferPool.builder("nested")
                        .policy("heap-view")
                        .max(128 << 10)
                        .regionSize(64 << 10)
                        .maxSize(64 << 10)
                        .build();
                ChannelBuffers channel = pool.channel()) {
            // The channel keeps a region as one slot, which must go back before the pool can serve others or a wake-up.
            channel.acquire(64 << 10).release();
            List<PooledBuffer> leases = Leases.all(pool, 8192);
            pool.whenAvailable(64 << 10, channel::close);
            PooledBuffer lease = channel.acquire(8192);
            Slot slot = Peek.slot(lease);
            assertThrows(IllegalStateException.class, channel::input, "the channel is closed");
            lease.release();
            PooledBuffer again = pool.acquire(8192);
            assertSame(slot, Peek.slot(again));
            again.release();
            leases.forEach(PooledBuffer::release);
        }
    }
}
