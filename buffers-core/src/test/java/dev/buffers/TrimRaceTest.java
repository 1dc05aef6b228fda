// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.SlabPool;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory is taken back while others are just using it: no byte has two holders, and none is left behind. */
class TrimRaceTest {
    private static final int[] SIZES = {0, 100, 4096, 4096, 4096, 16_000, 70_000, 300_000};

    /** One thread that takes and gives the same few slots as fast as it can, and others that take them back. */
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap"})
    void concurrentRevocationLosesNoSlot(String policy) throws Exception {
        try (BufferPool pool =
                BufferPool.builder("trim-race").policy(policy).max(16 << 20).build()) {
            for (int round = 0; round < 10; round++) {
                AtomicBoolean end = new AtomicBoolean();
                Thread busy = Threads.start(() -> {
                    while (!end.get()) {
                        for (int i = 0; i < 1000; i++) {
                            pool.acquire(4096).release();
                        }
                    }
                });
                long start = System.nanoTime();
                while (System.nanoTime() - start < 50_000_000) {
                    pool.trim();
                }
                end.set(true);
                Threads.join(busy);
                // Not at the first look, which may leave some alone; nor while the daemon has some in its hands.
                Eventually.holds("all memory goes back", () -> {
                    pool.trim();
                    return Conservation.check(pool).reservedBytes() == 0;
                });
            }
        }
    }

    private record Stamped(PooledBuffer lease, long stamp) {}

    private static void race(BufferPool pool, long deadline) throws Exception {
        AtomicLong stamps = new AtomicLong(1);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<BlockingQueue<Stamped>> ring = new ArrayList<>();
        List<Threads.Action> actions = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            ring.add(new ArrayBlockingQueue<>(64));
        }
        for (int t = 0; t < 3; t++) {
            BlockingQueue<Stamped> in = ring.get(t);
            BlockingQueue<Stamped> out = ring.get((t + 1) % 3);
            Random random = new Random(t);
            actions.add(() -> {
                ArrayDeque<Stamped> own = new ArrayDeque<>();
                for (int i = 0; System.nanoTime() < deadline && failure.get() == null; i++) {
                    PooledBuffer lease = pool.tryAcquire(SIZES[random.nextInt(SIZES.length)]);
                    if (lease != null) {
                        Stamped stamped = stamp(lease, stamps.getAndIncrement());
                        if (!random.nextBoolean() || !out.offer(stamped)) {
                            own.add(stamped);
                        }
                    }
                    Stamped passed = in.poll();
                    if (passed != null) {
                        end(passed);
                    }
                    while (own.size() > (i % 400 < 200 ? 2 : 40)) {
                        end(own.remove());
                    }
                }
                own.forEach(TrimRaceTest::end);
            });
        }
        actions.add(() -> {
            while (System.nanoTime() < deadline) {
                pool.trim();
            }
        });
        actions.add(() -> {
            long now = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
            while (System.nanoTime() < deadline) {
                now += TimeUnit.SECONDS.toNanos(1);
                try {
                    ((SlabPool) pool).tick(now);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }
        });
        Threads.together(actions);
        assertNull(failure.get(), () -> "a tick has thrown: " + failure.get());
        List<Stamped> left = new ArrayList<>();
        ring.forEach(queue -> queue.drainTo(left));
        boolean closes = left.size() % 2 == 0;
        if (closes) {
            pool.close();
        }
        left.forEach(TrimRaceTest::end);
        Eventually.holds("all memory goes back", () -> {
            if (!closes) {
                pool.trim();
            }
            return pool.stats().reservedBytes() == 0;
        });
        PoolStats stats = Conservation.check(pool);
        assertEquals(0, stats.leaks());
        assertEquals(0, stats.releases(ReleaseOutcome.INVALID));
        assertEquals(stamps.get() - 1, stats.releases(ReleaseOutcome.RECYCLED));
        pool.close();
    }

    /** A tick that looks at many slabs while all of them are changing. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 20})
    void tickToleratesConcurrentSlabChanges(int threadCache) throws Exception {
        try (BufferPool pool = BufferPool.builder("trim-race")
                .policy("heap")
                .max(64 << 20)
                .threadCache(threadCache)
                .trimAfter(Duration.ofMillis(1))
                .build()) {
            AtomicBoolean end = new AtomicBoolean();
            Thread busy = Threads.start(() -> {
                while (!end.get()) {
                    List<PooledBuffer> leases = new ArrayList<>();
                    for (int i = 0; i < 5000; i++) {
                        leases.add(pool.acquire(1024));
                    }
                    leases.forEach(PooledBuffer::release);
                }
            });
            long now = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
            for (long start = System.nanoTime(); System.nanoTime() - start < 300_000_000; ) {
                now += TimeUnit.SECONDS.toNanos(2);
                ((SlabPool) pool).tick(now);
            }
            end.set(true);
            Threads.join(busy);
            Conservation.check(pool);
        }
    }

    private static Stamped stamp(PooledBuffer lease, long stamp) {
        ByteBuffer bytes = lease.buffer().clear();
        while (bytes.remaining() >= 8) {
            bytes.putLong(stamp);
        }
        return new Stamped(lease, stamp);
    }

    private static void end(Stamped stamped) {
        ByteBuffer bytes = stamped.lease.buffer().clear();
        while (bytes.remaining() >= 8) {
            long found = bytes.getLong();
            if (found != stamped.stamp) {
                throw new AssertionError("bytes of another lease: stamp=" + stamped.stamp + ", found=" + found);
            }
        }
        assertTrue(stamped.lease.release());
    }
}
