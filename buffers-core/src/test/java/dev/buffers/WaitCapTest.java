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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sixty-four threads hold a pool at its cap (I4, I5): no thread is refused, forgotten or overtaken for long. */
class WaitCapTest {
    private static final int THREADS = 64;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int[] SIZES = {100, 1000, 4096, 4096, 8000, 16_384, 40_000, 65_536};

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "direct-view"})
    void sixtyFourThreadsOfAllSizes(String policy) throws Exception {
        run(policy, 700);
    }

    @Tag("stress")
    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "direct-view", "own"})
    void sixtyFourThreadsForLong(String policy) throws Exception {
        run(policy, 30_000);
    }

    private static void run(String policy, long millis) throws Exception {
        DirectRoom.make();
        try (BufferPool pool = new Kind(policy)
                .builder("cap")
                .max(1 << 20)
                .atLimit(Exhaustion.waiting(LONG))
                .build()) {
            AtomicLongArray progress = new AtomicLongArray(THREADS);
            AtomicLong waiters = new AtomicLong();
            AtomicBoolean sampling = new AtomicBoolean(true);
            Thread sampler = Threads.start(() -> {
                while (sampling.get()) {
                    PoolStats stats = pool.stats();
                    if (stats.reservedBytes() + stats.droppedBytes() > stats.maxBytes()) {
                        sampling.set(false);
                    }
                    waiters.accumulateAndGet(stats.waiters(), Math::max);
                }
            });
            // For so long, and until each has been served and many were seen to wait: a slow machine takes longer for
            // that.
            long end = System.nanoTime() + millis * 1_000_000;
            long deadline = Eventually.deadline() + millis * 1_000_000;
            BooleanSupplier enough = () -> {
                boolean all = waiters.get() > 8 && System.nanoTime() - end > 0;
                for (int t = 0; t < THREADS; t++) {
                    all &= progress.get(t) > 0;
                }
                return all || Eventually.isPast(deadline);
            };
            List<Threads.Action> actions = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int me = t;
                Random random = new Random(t);
                actions.add(() -> {
                    while (!enough.getAsBoolean()) {
                        int size = SIZES[random.nextInt(SIZES.length)];
                        PooledBuffer lease = random.nextBoolean() ? pool.acquire(size) : pool.acquire(size, LONG);
                        lease.buffer().put(0, (byte) me);
                        if (random.nextInt(4) == 0) {
                            Thread.sleep(1);
                        } else {
                            Thread.yield();
                        }
                        assertEquals((byte) me, lease.buffer().get(0));
                        lease.release();
                        progress.incrementAndGet(me);
                    }
                });
            }
            Threads.together(actions);
            assertTrue(sampling.getAndSet(false), () -> "the budget was exceeded: " + pool.stats());
            Threads.join(sampler);
            assertTrue(waiters.get() > 8, () -> "at the cap: " + waiters);
            for (int t = 0; t < THREADS; t++) {
                assertTrue(progress.get(t) > 0);
            }
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.acquires(AcquireOutcome.REJECTED));
            assertEquals(0, stats.waiters());
        }
    }
}
