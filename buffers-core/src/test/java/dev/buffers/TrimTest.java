// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.text.DurationText;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import dev.buffers.support.TrimBurst;
import dev.buffers.support.TrimTime;
import dev.buffers.support.WaitHeldTick;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A quiet pool shrinks on time and without traffic (I9), and one under a steady load stays as it is. */
class TrimTest {
    private static BufferPool.Builder views(String policy) {
        DirectRoom.make();
        return new Kind(policy).builder("trim").max(128 << 20);
    }

    private static long kept(BufferPool pool) {
        PoolStats stats = pool.stats();
        return stats.reservedBytes() + stats.droppedBytes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct", "heap-view", "direct-view", "own"})
    void memoryCachedBySleepingThreadsIsTrimmed(String policy) throws Exception {
        try (BufferPool pool = views(policy).build();
                TrimBurst burst = new TrimBurst(pool, 8, 24 << 20)) {
            TrimTime time = new TrimTime(pool);
            long before = pool.stats().trimmedBytes();
            time.seconds(15);
            PoolStats stats = Conservation.check(pool);
            assertTrue(burst.peak >= 24 << 20, () -> "peak: " + burst.peak);
            assertTrue(stats.reservedBytes() <= burst.peak / 20, () -> "of " + burst.peak + ": " + stats);
            assertTrue(stats.trimmedBytes() - before >= burst.peak * 9 / 10, () -> "trimmed: " + stats);
            Eventually.collected("the collector takes what was dropped", () -> kept(pool) <= burst.peak / 20);
        }
    }

    @Tag("stress")
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "direct-view"})
    void theSameInRealTime(String policy) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = BufferPool.builder("trim")
                        .policy(policy)
                        .max(policy.startsWith("heap") ? 400 << 20 : 250 << 20)
                        .build();
                TrimBurst burst = new TrimBurst(pool, 64, policy.startsWith("heap") ? 312 << 20 : 200 << 20)) {
            Thread.sleep(15_000);
            PoolStats stats = Conservation.check(pool);
            assertTrue(stats.reservedBytes() <= burst.peak / 20, () -> "of " + burst.peak + ": " + stats);
            System.gc();
            Eventually.holds("a tick credits it, of " + burst.peak, () -> kept(pool) <= burst.peak / 20);
        }
    }

    @Test
    void buffersKeptByChannelsAreTrimmedWithoutIdle() {
        try (BufferPool pool = views("heap-view").build()) {
            List<ChannelBuffers> channels = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                ChannelBuffers channel = pool.channel();
                channels.add(channel);
                List<PooledBuffer> leases = Leases.of(4, () -> channel.acquire(8192));
                leases.forEach(PooledBuffer::release);
            }
            long peak = pool.stats().reservedBytes();
            assertTrue(peak >= 400 * 4 * 8192, () -> "reserved: " + pool.stats());
            new TrimTime(pool).seconds(15);
            assertEquals(0, Conservation.check(pool).reservedBytes());
            for (ChannelBuffers channel : channels) { // finds nothing but revoked slots, and goes on
                PooledBuffer lease = channel.acquire(8192);
                lease.buffer().putLong(0, 1);
                lease.release();
                channel.close();
            }
            Conservation.check(pool);
        }
    }

    /** Each of few users goes on with its slot, as a thread does with the top of its magazine; they lie in as many slabs. */
    @Test
    void fewSlotsInUseGatherInFewSlabs() {
        try (BufferPool pool = views("heap-view").build()) {
            List<ChannelBuffers> users = new ArrayList<>();
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < 6000; i++) {
                if (i % 100 == 0) {
                    ChannelBuffers user = pool.channel();
                    users.add(user);
                    leases.add(user.acquire(4096));
                } else {
                    leases.add(pool.acquire(4096));
                }
            }
            long peak = pool.stats().reservedBytes();
            leases.forEach(PooledBuffer::release);
            TrimTime time = new TrimTime(pool);
            for (int second = 0; second < 60; second++) {
                users.forEach(user -> user.acquire(4096).release());
                time.seconds(1);
            }
            long left = pool.stats().reservedBytes();
            assertTrue(left <= peak / 8, () -> "of " + peak + ": " + left);
            users.forEach(ChannelBuffers::close);
        }
    }

    @Test
    void aRegionWithOneLeaseOutKeepsNoOther() {
        try (BufferPool pool = views("heap-view").build()) {
            List<PooledBuffer> leases = Leases.of(2000, () -> pool.acquire(4096));
            PooledBuffer last = leases.remove(1000);
            leases.forEach(PooledBuffer::release);
            TrimTime time = new TrimTime(pool);
            time.seconds(15);
            assertTrue(
                    Conservation.check(pool, 1).reservedBytes()
                            <= 2 * pool.settings().regionSize(),
                    () -> pool.stats().toString());
            last.release();
            time.seconds(15);
            assertEquals(0, Conservation.check(pool).reservedBytes());
        }
    }

    @Test
    void slotsOfDeadThreadsAreRecalledWithoutTrimming() throws Exception {
        try (BufferPool pool = views("heap-view").trimNever().build()) {
            for (int i = 0; i < 20; i++) {
                Threads.run(() -> {
                    List<PooledBuffer> leases = Leases.of(16, () -> pool.acquire(4096));
                    leases.forEach(PooledBuffer::release);
                });
            }
            new TrimTime(pool).seconds(1);
            Peek.magazines(pool).peekElsewhere(slot -> fail("magazines of dead threads hold slots"));
            assertEquals(0, pool.stats().trimmedBytes());
            assertTrue(Conservation.check(pool).reservedBytes() > 0);
            new TrimTime(pool).seconds(100);
            assertEquals(0, pool.stats().trimmedBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"100ms", "1s", "10s"})
    void aSteadyLoadKeepsItsMemory(String trimAfter) {
        try (BufferPool pool =
                views("heap-view").trimAfter(DurationText.parse(trimAfter)).build()) {
            ArrayDeque<PooledBuffer> window = new ArrayDeque<>();
            TrimTime time = new TrimTime(pool);
            PoolStats warm = null;
            for (int second = 0; second < 600; second++) {
                for (int i = 0; i < 600; i++) {
                    window.add(pool.acquire(4096));
                    while (window.size() > 500) {
                        window.remove().release();
                    }
                }
                time.seconds(1);
                if (second == 60) {
                    warm = pool.stats();
                }
            }
            PoolStats end = pool.stats();
            assertEquals(warm.trimmedBytes(), end.trimmedBytes(), () -> end.toString());
            assertEquals(warm.regions(), end.regions());
            window.forEach(PooledBuffer::release);
        }
    }

    /**
     * The demand goes up and down within each second. Another thread releases half of the leases, and the test waits for it: a thread that
     * lags behind would be a demand that the test did not choose.
     */
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap"})
    void randomLoadDropsNoMemoryNeededAgain(String policy) throws Exception {
        try (BufferPool pool = views(policy).trimAfter(Duration.ofSeconds(10)).build()) {
            Random random = new Random(2);
            SynchronousQueue<List<PooledBuffer>> handOff = new SynchronousQueue<>();
            SynchronousQueue<Boolean> released = new SynchronousQueue<>();
            Thread other = Threads.start(() -> {
                try {
                    for (List<PooledBuffer> leases = handOff.take(); !leases.isEmpty(); leases = handOff.take()) {
                        leases.forEach(PooledBuffer::release);
                        released.put(true);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            TrimTime time = new TrimTime(pool);
            PoolStats warm = null;
            for (int second = 0; second < 180; second++) {
                for (int peak = 0; peak < 4; peak++) {
                    List<PooledBuffer> mine = new ArrayList<>();
                    List<PooledBuffer> theirs = new ArrayList<>();
                    int live = 200 + random.nextInt(200);
                    for (int i = 0; i < live; i++) {
                        (random.nextBoolean() ? mine : theirs).add(pool.acquire(random.nextBoolean() ? 4096 : 16_384));
                    }
                    theirs.add(pool.acquire(100));
                    mine.forEach(PooledBuffer::release);
                    assertTrue(handOff.offer(theirs, 60, TimeUnit.SECONDS));
                    assertEquals(true, released.poll(300, TimeUnit.SECONDS));
                }
                time.seconds(1);
                if (second == 60) {
                    warm = pool.stats();
                }
            }
            assertTrue(handOff.offer(List.of(), 60, TimeUnit.SECONDS));
            other.join();
            PoolStats end = Conservation.check(pool);
            long trimmed = end.trimmedBytes() - warm.trimmedBytes();
            long carved = end.acquires(AcquireOutcome.CARVED) - warm.acquires(AcquireOutcome.CARVED);
            // Without a spare for each class in use it is 64 KiB with views, and 900 without. Memory that is not
            // reserved again may go.
            assertTrue(trimmed <= 32 << 10 || carved == 0, () -> "trimmed since warm: " + trimmed + ", " + end);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap"})
    void lightTrafficAfterABurstLetsItsMemoryGo(String policy) throws Exception {
        try (BufferPool pool = views(policy).regionSize(1 << 20).build();
                TrimBurst burst = new TrimBurst(pool, 8, 24 << 20)) {
            TrimTime time = new TrimTime(pool);
            for (int second = 0; second < 30; second++) {
                for (int i = 0; i < 50; i++) {
                    PooledBuffer one = pool.acquire(4096);
                    PooledBuffer two = pool.acquire(16_384);
                    Threads.run(
                            () -> { // through the depot, which is a queue
                                one.release();
                                pool.acquire(4096).release();
                            });
                    two.release();
                }
                time.seconds(1);
            }
            PoolStats stats = Conservation.check(pool);
            long bound = 2 * 2 * pool.settings().regionSize(); // of two classes a slab in use and a spare
            assertTrue(stats.reservedBytes() <= bound, () -> "of " + burst.peak + ": " + stats);
        }
    }

    /**
     * A slot larger than any class, free and outside its slab, as a release leaves it that finds no heap to go on. Between two steps of an
     * acquire or a release a slot looks the same, so one look of the tick must not take it.
     */
    @Test
    void oversizeSlotThatNoThreadOwnsIsRevokedAfterOneSecond() {
        try (BufferPool pool = views("heap-view").build()) {
            TrimTime time = new TrimTime(pool);
            PooledBuffer lease = pool.acquire(pool.settings().maxSize() + 1);
            Slot slot = Peek.slot(lease);
            slot.endUnused(lease.buffer());
            time.seconds(1);
            assertNotNull(Peek.view(slot));
            time.seconds(1);
            assertNull(Peek.view(slot));
            assertEquals(0, pool.stats().reservedBytes());
        }
    }

    @Test
    void aRegionWithALeaseOutIsKept() {
        try (BufferPool pool = views("heap-view").build();
                PooledBuffer lease = pool.acquire(4096)) {
            long reserved = pool.stats().reservedBytes();
            lease.buffer().putLong(0, 42);
            assertEquals(0, pool.trim());
            assertEquals(reserved, Conservation.check(pool, 1).reservedBytes());
            PooledBuffer large = pool.acquire(8192);
            large.buffer().putLong(0, 7);
            assertEquals(42, lease.buffer().getLong(0));
            large.release();
        }
    }

    /** Its slab had a lost slot: it gives out nothing more, and goes with the last slot that is out. */
    @Test
    @SuppressWarnings("try") // the tick is held, and that is all
    void aReleaseFromACondemnedSlabGoesHome() throws Exception {
        try (WaitHeldTick tick = new WaitHeldTick();
                BufferPool pool = views("heap-view").build()) {
            PooledBuffer kept = pool.acquire(4096);
            PooledBuffer lost = pool.acquire(4096);
            Peek.slot(lost).enqueue(); // as the collector does
            Peek.tick(pool);
            assertEquals(1, pool.stats().leaks());
            new TrimTime(pool).seconds(5);
            assertTrue(Conservation.check(pool, 1).reservedBytes() > 0);
            kept.release();
            assertEquals(0, Conservation.check(pool).reservedBytes());
            Reference.reachabilityFence(lost);
        }
    }
}
