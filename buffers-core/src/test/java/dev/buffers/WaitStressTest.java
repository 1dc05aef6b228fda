// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything at once at the cap; every buffer is stamped, so that memory with two holders is seen. */
class WaitStressTest {
    private static final int[] SIZES = {64, 1000, 4096, 4096, 16_000, 60_000, 200_000, 300_000};

    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#views")
    void everythingAtOnce(Kind kind) throws Exception {
        run(kind, 350);
    }

    @Tag("stress")
    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#chosen")
    void everythingAtOnceForLong(Kind kind) throws Exception {
        run(kind, 15_000);
    }

    private record Stamped(PooledBuffer lease, long stamp) {}

    private static void run(Kind kind, long millis) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = kind.builder("stress").max(2 << 20).build()) {
            long end = System.nanoTime() + millis * 1_000_000;
            long deadline = Eventually.deadline() + millis * 1_000_000;
            AtomicLong stamps = new AtomicLong();
            AtomicLong registered = new AtomicLong();
            AtomicLong woken = new AtomicLong();
            AtomicBoolean stop = new AtomicBoolean();
            BlockingQueue<Stamped> passed = new ArrayBlockingQueue<>(64);
            List<Thread> workers = new ArrayList<>();
            List<Threads.Action> actions = new ArrayList<>();
            for (int t = 0; t < 16; t++) {
                Random random = new Random(t);
                actions.add(() -> {
                    synchronized (workers) {
                        workers.add(Thread.currentThread());
                    }
                    while (System.nanoTime() - end < 0 || stamps.get() <= 50 && !Eventually.isPast(deadline)) {
                        turn(pool, random, stamps, passed, registered, woken);
                        Thread.interrupted();
                    }
                    synchronized (workers) {
                        workers.remove(Thread.currentThread());
                    }
                    Thread.interrupted();
                });
            }
            Thread trims = Threads.start(() -> {
                while (!stop.get()) {
                    pool.trim();
                }
            });
            Thread interrupts = Threads.start(() -> {
                Random random = new Random(99);
                while (!stop.get()) {
                    synchronized (workers) {
                        if (!workers.isEmpty()) {
                            workers.get(random.nextInt(workers.size())).interrupt();
                        }
                    }
                    try {
                        Thread.sleep(1);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            try {
                Threads.together(actions);
            } finally {
                stop.set(true);
                Threads.join(trims);
                Threads.join(interrupts);
            }
            passed.forEach(WaitStressTest::end);
            Eventually.collected("every wake-up is called", () -> woken.get() == registered.get());
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.waiters());
            assertEquals(0, stats.leaks());
            assertTrue(stamps.get() > 50, () -> "served: " + stamps);
        }
    }

    private static void turn(
            BufferPool pool,
            Random random,
            AtomicLong stamps,
            BlockingQueue<Stamped> passed,
            AtomicLong registered,
            AtomicLong woken) {
        int size = SIZES[random.nextInt(SIZES.length)];
        PooledBuffer lease = null;
        switch (random.nextInt(4)) {
            case 0 -> lease = pool.tryAcquire(size);
            case 1 -> {
                registered.incrementAndGet();
                pool.whenAvailable(size, woken::incrementAndGet);
            }
            default -> {
                try {
                    lease = pool.acquire(size, Duration.ofNanos(random.nextInt(3_000_000)));
                } catch (PoolExhaustedException e) {
                    lease = null; // timed out, or interrupted
                }
            }
        }
        if (lease != null) {
            Stamped mine = stamp(lease, stamps.incrementAndGet());
            if (random.nextBoolean() || !passed.offer(mine)) {
                end(mine);
            }
        }
        Stamped other = lease == null || random.nextBoolean() ? passed.poll() : null;
        if (other != null) {
            end(other);
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
