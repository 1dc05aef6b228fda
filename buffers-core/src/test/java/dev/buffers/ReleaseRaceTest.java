package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Two threads that end the same lease within nanoseconds of each other: one of them does (rule S1 of {@link Slot}, P1 of {@link
 * PooledBuffer}). A barrier lets threads go microseconds apart, and misses what these see.
 */
class ReleaseRaceTest {
    private static final int ROUNDS = 50_000;

    @Test
    void aFirstLeaseEndsOnce() throws Exception {
        try (BufferPool pool = pool()) {
            race(() -> pool.acquire(128));
            assertEquals(ROUNDS, Conservation.check(pool).releases(ReleaseOutcome.INVALID));
        }
    }

    @Test
    void aFurtherLeaseEndsOnce() throws Exception {
        try (BufferPool pool = pool();
                PooledBuffer first = pool.acquire(128)) {
            race(first::retain);
            assertEquals(ROUNDS, Conservation.check(pool, 1).releases(ReleaseOutcome.INVALID));
        }
    }

    private static BufferPool pool() {
        return BufferPool.builder("release-race")
                .policy("heap-view")
                .max(64 << 20)
                .build();
    }

    /** Each lease is released by both, at once. */
    private static void race(Supplier<PooledBuffer> acquire) throws Exception {
        PooledBuffer[] leases = new PooledBuffer[ROUNDS];
        AtomicIntegerArray ended = new AtomicIntegerArray(ROUNDS);
        AtomicInteger arrived = new AtomicInteger();
        for (int part = 0; part < ROUNDS; part += 10_000) { // a memory has 32,767 further leases at most
            int from = part;
            for (int i = from; i < from + 10_000; i++) {
                leases[i] = acquire.get();
            }
            Threads.Action releaser = () -> {
                for (int i = from; i < from + 10_000; i++) {
                    arrived.incrementAndGet();
                    for (int spins = 1; arrived.get() < 2 * (i + 1); spins++) {
                        if (spins % 1000 == 0) {
                            Thread.yield(); // whom it waits for may have no core
                        }
                    }
                    try {
                        leases[i].release();
                        ended.incrementAndGet(i);
                    } catch (IllegalStateException e) {
                        // The other one was faster.
                    }
                }
            };
            Threads.together(List.of(releaser, releaser));
        }
        for (int i = 0; i < ROUNDS; i++) {
            assertEquals(1, ended.get(i), "times that lease " + i + " was ended");
        }
    }
}
