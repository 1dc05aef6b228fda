// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Linked;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What threads keep is bounded, and comes back (I5, I9). How much the magazines hold is looked at in the magazines: what others could have
 * of it by revoking it is another matter.
 */
class ThreadCachesTest {
    private static final int SIZE = 1024;

    private final PoolParts parts = new PoolParts("heap-view", 1 << 20);
    private final ThreadCaches threads = parts.threads;

    private static BufferPool pool(long max, long threadCache) {
        return BufferPool.builder("magazines")
                .policy("heap-view")
                .max(max)
                .threadCache(threadCache)
                .build();
    }

    /** What a sleeping thread keeps of the memory that it has released is what another cannot get. */
    @ParameterizedTest
    @ValueSource(longs = {0, 64 << 10, 128 << 10, 1 << 20})
    void threadKeepsAtMostThreadCacheBytes(long threadCache) throws Exception {
        long max = 16 << 20;
        try (BufferPool pool = pool(max, threadCache)) {
            for (int size : new int[] {128, SIZE, 4096, 16_384}) {
                Leases.all(pool, size).forEach(PooledBuffer::release);
            }
            long got = Threads.call(() -> {
                List<PooledBuffer> leases = Leases.all(pool, SIZE);
                leases.addAll(Leases.all(pool, 128));
                long bytes = Conservation.check(pool, leases.size()).leasedBytes();
                leases.forEach(PooledBuffer::release);
                return bytes;
            });
            Conservation.check(pool);
            // A slot kept keeps its region from another class: count the memory out of reach by class.
            assertTrue(max - got <= Math.max(threadCache, 0) * 16 + (1 << 20), () -> "out of reach: " + (max - got));
            if (threadCache == 0) {
                assertTrue(max - got <= 4 * 4096, () -> "out of reach: " + (max - got)); // a slot of each large array
            }
        }
    }

    @Test
    void threadWithoutCacheUsesDepot() {
        try (BufferPool pool = pool(1 << 20, 0)) {
            for (int i = 0; i < 100; i++) {
                pool.acquire(SIZE).release();
            }
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.acquires(AcquireOutcome.THREAD));
            assertEquals(100, stats.acquires(AcquireOutcome.DEPOT) + stats.acquires(AcquireOutcome.CARVED));
        }
    }

    /** As threads do that have some connections each: how many buffers are out goes up and down by a few. */
    @ParameterizedTest
    @ValueSource(ints = {1024, 8 << 10, 16 << 10, 16 << 10 | 512})
    void magazineAbsorbsSwingOfFiveBuffers(int size) {
        try (BufferPool pool = pool(64 << 20, 4 << 20)) {
            long missed = 0;
            for (int i = 0; i < 100; i++) {
                List<PooledBuffer> leases = Leases.of(5, () -> pool.acquire(size));
                leases.forEach(PooledBuffer::release);
                PoolStats stats = Conservation.check(pool);
                missed = i > 1 ? missed : stats.acquires(AcquireOutcome.DEPOT) + stats.acquires(AcquireOutcome.CARVED);
                assertEquals(missed, stats.acquires(AcquireOutcome.DEPOT) + stats.acquires(AcquireOutcome.CARVED));
            }
        }
    }

    /** The window of the bench: 32 leases are out, of sizes between 64 bytes and 16 KiB, and the oldest is released for each new one. */
    @Test
    void windowOfMixedSizesRarelyUsesDepot() {
        int turns = 300_000;
        SplittableRandom random = new SplittableRandom(3);
        try (BufferPool pool = pool(64 << 20, 4 << 20)) {
            PooledBuffer[] window = new PooledBuffer[32];
            for (int i = 0; i < window.length + turns; i++) {
                int at = i % window.length;
                if (window[at] != null) {
                    window[at].release();
                }
                window[at] = pool.acquire((int) Math.exp(random.nextDouble(Math.log(64), Math.log(16 << 10))));
            }
            for (PooledBuffer lease : window) {
                lease.release();
            }
            long depot = Conservation.check(pool).acquires(AcquireOutcome.DEPOT);
            assertTrue(depot < turns / 2_000, () -> "from the depot: " + depot + " of " + turns);
        }
    }

    /** M3. */
    @Test
    void threadWithChangingIdIsRegisteredOnce() throws Exception {
        try (BufferPool pool = pool(1 << 20, 1 << 20)) {
            FutureTask<Integer> registered = new FutureTask<>(() -> {
                for (int i = 0; i < 1000; i++) {
                    PooledBuffer first = pool.acquire(SIZE);
                    pool.acquire(SIZE).release();
                    first.release();
                }
                return Peek.registered(pool);
            });
            Thread changing = new Thread(registered, "changing") {
                private long ids = 1L << 40;

                @Override
                @SuppressWarnings("deprecation") // since 19, whose replacement cannot be overridden
                public long getId() {
                    return ids++;
                }
            };
            changing.start();
            assertEquals(1, registered.get());
            changing.join();
            Conservation.check(pool);
        }
    }

    /** Without anything to grant, nothing needs the lock of all threads. */
    @Test
    void missWithoutGrantTakesNoLockOfAllThreads() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (BufferPool none = pool(1 << 20, 0);
                BufferPool used = pool(64 << 10, 1 << 20)) {
            for (BufferPool pool : List.of(none, used)) {
                int size = 4096; // a batch of these is more than an eighth of the smaller pool
                Runnable use = () -> pool.acquire(size).release();
                other.submit(use).get();
                synchronized (Peek.magazines(pool)) {
                    other.submit(use).get();
                }
                assertEquals(0, Conservation.check(pool).acquires(AcquireOutcome.THREAD));
            }
        } finally {
            other.shutdownNow();
        }
    }

    /** ENDED takes their places in the table, which would be full of it after a few threads. */
    @Test
    void endedThreadsLeaveRoomInTable() throws Exception {
        Peek.prepare(threads, 0);
        Magazine own = parts.owner.current(0);
        for (int i = 0; i < 200; i++) {
            Threads.run(() -> {
                assertNull(parts.owner.current(0));
                Peek.prepare(threads, 0);
                assertNotNull(parts.owner.current(0));
            });
            threads.sweep(false, slot -> {});
            assertSame(own, parts.owner.current(0));
        }
        assertEquals(16, Peek.placesOfThreads(parts.owner));
    }

    /** A thread that looks for a slot while another one flushes would miss it. */
    @Test
    void flushesOfOwnAndDeadThreadsAreCountedAsMoves() throws Exception {
        Slot[] slots = Linked.added(parts.slabs, new Slab(parts.owner, parts.regions.allocate(128, 2), 0, 128), 2);
        Peek.prepare(threads, 0);
        ThreadCache own = Objects.requireNonNull(threads.own());
        threads.flush(own, first -> fail("its magazine is empty"));
        assertEquals(0, threads.moves.begun());
        parts.owner.current(0).put(slots[0]);
        Threads.run(() -> {
            Peek.prepare(threads, 0);
            parts.owner.current(0).put(slots[1]);
        });
        List<Slot> flushed = new ArrayList<>();
        threads.flush(own, first -> {
            assertEquals(List.of(1L, 0L), List.of(threads.moves.begun(), threads.moves.finished()));
            flushed.addAll(Linked.list(first));
        });
        assertEquals(List.of(slots[0]), flushed);
        threads.sweep(false, first -> {
            assertTrue(threads.moves.begun() > threads.moves.finished());
            flushed.addAll(Linked.list(first));
        });
        assertEquals(List.of(slots[0], slots[1]), flushed);
        assertEquals(threads.moves.begun(), threads.moves.finished());
    }

    /** A sum that was made while the counts of a dead thread moved would miss them, or have them twice. */
    @Test
    void countsOfDeadThreadMoveAfterSum() throws Exception {
        Threads.run(() -> {
            Peek.prepare(threads, 0);
            parts.owner.current(0).hits = 3;
            parts.owner.current(0).releases = 2;
        });
        Thread[] sweeper = new Thread[1];
        threads.whileNoCountsMove(() -> {
            sweeper[0] = Threads.start(() -> threads.sweep(false, slot -> {}));
            Eventually.holds("the sweep waits", () -> sweeper[0].getState() == Thread.State.BLOCKED);
            long[][] sums = sums(threads, parts.classes.count());
            assertEquals(3, sums[0][0]);
            assertEquals(2, sums[2][0]);
            assertEquals(0, parts.owner.counters.hits(0));
        });
        sweeper[0].join();
        assertEquals(0, sums(threads, parts.classes.count())[0][0]);
        assertEquals(3, parts.owner.counters.hits(0));
        assertEquals(2, parts.owner.counters.ended(0));
    }

    private static long[][] sums(ThreadCaches threads, int sizeClasses) {
        long[][] sums = new long[3][sizeClasses];
        threads.addUp(sums[0], sums[1], sums[2]);
        return sums;
    }

    /** A tick of the closed pool may have looked for such magazines just before. */
    @Test
    void magazineThatIsMadeWhilePoolClosesKeepsNoThread() {
        Peek.prepare(threads, 0);
        ThreadCache own = threads.own();
        parts.owner.beginClose();
        assertFalse(threads.prepare(own, null, 1).isOwn());
    }

    /** A release may be seen before the acquire of another thread. */
    @Test
    void leasedSlotsAreNeverNegative() {
        parts.carve(128);
        Peek.prepare(threads, 0);
        parts.owner.current(0).releases = 1;
        assertEquals(0, parts.owner.stats().sizeClasses().get(0).leased());
    }

    // ---------------------------------------------------------------- grants

    @Test
    void sleepingThreadsHoldAtMostOneEighthOfCap() throws Exception {
        long max = 2 << 20; // an eighth is as much as one thread's magazines hold
        CountDownLatch end = new CountDownLatch(1);
        try (BufferPool pool = pool(max, 1 << 20)) {
            for (int t = 0; t < 16; t++) {
                CountDownLatch released = new CountDownLatch(1);
                Threads.start(() -> {
                    for (int size = SIZE; size <= 8 * SIZE; size *= 2) {
                        List<PooledBuffer> leases = new ArrayList<>();
                        for (int bytes = 0; bytes < 64 << 10; bytes += size) {
                            leases.add(pool.acquire(size));
                        }
                        leases.forEach(PooledBuffer::release);
                    }
                    released.countDown();
                    Threads.await(end);
                });
                released.await();
            }
            long[] held = new long[1];
            Peek.magazines(pool).peekElsewhere(slot -> held[0] += slot.size());
            assertTrue(held[0] > 0 && held[0] <= max / 8, () -> "held by sleeping threads: " + held[0]);
            Conservation.check(pool);
        } finally {
            end.countDown();
        }
    }

    @Test
    void grantOfDeadThreadServesOthers() throws Exception {
        try (BufferPool pool = pool(1 << 20, 1 << 20)) { // enough for two threads' magazines of this size
            for (int t = 1; t <= 5; t++) {
                Threads.run(() -> {
                    pool.acquire(SIZE).release();
                    pool.acquire(SIZE).release();
                });
                pool.trim();
                assertEquals(t, pool.stats().acquires(AcquireOutcome.THREAD));
            }
        }
    }

    /** Hundreds of threads that mostly sleep would each keep slots, which are in no processor's cache when they wake up. */
    @Test
    void onlyBusyThreadIsGrantedBesideOthers() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int i = 0; i < ThreadCaches.AT_ONCE; i++) {
                assertTrue(stayingAlive(end, () -> Peek.prepare(threads, 0)));
            }
            assertFalse(Threads.call(() -> Peek.prepare(threads, 0)), "it has missed once");
            assertFalse(Threads.call(() -> isGrantedAfter(ThreadCaches.BUSY - 1)));
            assertTrue(stayingAlive(end, () -> isGrantedAfter(ThreadCaches.BUSY)));
            assertFalse(
                    Threads.call(() -> {
                        boolean granted = isGrantedAfter(ThreadCaches.BUSY - 1);
                        threads.tick();
                        return granted || isGrantedAfter(ThreadCaches.BUSY - 1);
                    }),
                    "it misses less often");
        } finally {
            end.countDown();
        }
    }

    private boolean isGrantedAfter(int misses) {
        boolean granted = false;
        for (int i = 0; i < misses; i++) {
            granted = Peek.prepare(threads, 0);
        }
        return granted;
    }

    /** Calls it on a thread that then waits for {@code end}. */
    private static boolean stayingAlive(CountDownLatch end, Callable<Boolean> task) throws Exception {
        FutureTask<Boolean> future = new FutureTask<>(task);
        Threads.start(() -> {
            future.run();
            Threads.await(end);
        });
        return future.get();
    }

    @Test
    void grantsOfEndedThreadsServeOthers() throws Exception {
        for (int i = 0; i <= ThreadCaches.AT_ONCE; i++) {
            assertTrue(Threads.call(() -> Peek.prepare(threads, 0)));
            threads.sweep(false, slot -> {});
        }
    }
}
