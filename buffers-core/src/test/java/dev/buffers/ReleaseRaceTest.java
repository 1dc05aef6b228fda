// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Threads;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two threads that end the same lease, or take another from it, within nanoseconds of each other: one of them ends it (rule S1 of
 * {@code Slot}, P1 of {@link PooledBuffer}).
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

    /**
     * A further lease of an ending lease belongs to the same tenancy, or is refused: it never gets a slot that is free by then, or another
     * holder's.
     */
    @Test
    void furtherLeaseOfEndingLeaseHasTheSameTenancy() throws Exception {
        try (BufferPool pool = pool()) {
            Supplier<PooledBuffer> further = () -> {
                try (PooledBuffer first = pool.acquire(128)) {
                    return first.retain();
                }
            };
            rounds(TimeUnit.SECONDS.toNanos(5), () -> {
                List<PooledBuffer> leases =
                        Stream.generate(further).limit(ROUNDS).toList();
                AtomicIntegerArray wentBack = new AtomicIntegerArray(ROUNDS);
                IntConsumer takesMore = i -> {
                    for (int more = 0; more < 100; more++) {
                        wentBack.addAndGet(i, leases.get(i).retain().release() ? 1 : 0);
                    }
                };
                IntConsumer releases = i -> {
                    for (int later = i % 50; later > 0; later--) {
                        Thread.onSpinWait();
                    }
                    wentBack.addAndGet(i, leases.get(i).release() ? 1 : 0);
                };
                together(takesMore, releases);
                for (int i = 0; i < ROUNDS; i++) {
                    assertEquals(1, wentBack.get(i), "times that the memory went back");
                }
            });
            Conservation.check(pool);
        }
    }

    private static BufferPool pool() {
        return BufferPool.builder("release-race")
                .policy("heap-view")
                .max(1 << 20)
                .build();
    }

    /** Each lease is released by both threads at once. Returns the number of leases. */
    private static long race(Supplier<PooledBuffer> acquire) throws Exception {
        return rounds(TimeUnit.SECONDS.toNanos(5), () -> {
            List<PooledBuffer> leases = Stream.generate(acquire).limit(ROUNDS).toList();
            AtomicIntegerArray ended = new AtomicIntegerArray(ROUNDS);
            IntConsumer releaser = i -> {
                leases.get(i).release();
                ended.incrementAndGet(i);
            };
            together(releaser, releaser);
            for (int i = 0; i < ROUNDS; i++) {
                assertEquals(1, ended.get(i), "times that a lease was ended");
            }
        });
    }

    /** Returns the number of rounds, which is lower where two threads share one core. */
    private static long rounds(long nanos, Threads.Action part) throws Exception {
        long start = System.nanoTime();
        int parts = 0;
        do {
            part.run();
            parts++;
        } while (parts < PARTS && System.nanoTime() - start < nanos);
        return (long) parts * ROUNDS;
    }

    /** Both do the same round at once; one of them may find that the other was faster. */
    private static void together(IntConsumer first, IntConsumer second) throws Exception {
        Threads.inRounds(ROUNDS, unlessEnded(first), unlessEnded(second));
    }

    private static IntConsumer unlessEnded(IntConsumer round) {
        return i -> {
            try {
                round.accept(i);
            } catch (IllegalStateException e) {
                // The other one was faster.
            }
        };
    }
}
