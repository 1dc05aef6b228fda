package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two threads that end the same lease within nanoseconds of each other: one of them does (rule S1 of {@link Slot}, P1 of {@link
 * PooledBuffer}). A barrier lets threads go microseconds apart, and misses what these see.
 */
class ReleaseRaceTest {
    private static final int PARTS = 50;
    private static final int ROUNDS = 1000;

    @Test
    void aFirstLeaseEndsOnce() throws Exception {
        try (BufferPool pool = pool()) {
            long rounds = race(() -> pool.acquire(128));
            assertEquals(rounds, Conservation.check(pool).releases(ReleaseOutcome.INVALID));
        }
    }

    @Test
    void aFurtherLeaseEndsOnce() throws Exception {
        try (BufferPool pool = pool();
                PooledBuffer first = pool.acquire(128)) {
            long rounds = race(first::retain);
            assertEquals(rounds, Conservation.check(pool, 1).releases(ReleaseOutcome.INVALID));
        }
    }

    private static BufferPool pool() {
        return BufferPool.builder("release-race")
                .policy("heap-view")
                .max(1 << 20)
                .build();
    }

    /** Each lease is released by both, at once. Says how many, which are fewer where the two have one core between them. */
    private static long race(Supplier<PooledBuffer> acquire) throws Exception {
        long start = System.nanoTime();
        int parts = 0;
        do {
            race(Stream.generate(acquire).limit(ROUNDS).toList());
            parts++;
        } while (parts < PARTS && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(4));
        return (long) parts * ROUNDS;
    }

    private static void race(List<PooledBuffer> leases) throws Exception {
        AtomicIntegerArray ended = new AtomicIntegerArray(leases.size());
        AtomicInteger arrived = new AtomicInteger();
        Threads.Action releaser = () -> {
            for (int i = 0; i < leases.size(); i++) {
                arrived.incrementAndGet();
                for (int spins = 1; arrived.get() < 2 * (i + 1); spins++) {
                    if (spins % 1000 == 0) {
                        Thread.yield(); // whom it waits for may have no core
                    }
                }
                try {
                    leases.get(i).release();
                    ended.incrementAndGet(i);
                } catch (IllegalStateException e) {
                    // The other one was faster.
                }
            }
        };
        Threads.together(List.of(releaser, releaser));
        for (int i = 0; i < leases.size(); i++) {
            assertEquals(1, ended.get(i), "times that a lease was ended");
        }
    }
}
