// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakTracking;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.Peek;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
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
}
