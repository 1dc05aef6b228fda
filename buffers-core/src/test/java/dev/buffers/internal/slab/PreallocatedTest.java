// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.TrimTime;
import dev.buffers.support.WaitingThread;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Preallocated memory stays, cut or not: for trim as for the tick. */
class PreallocatedTest {
    private static final int REGION = 1 << 20;
    private static final int KEPT = 4 * REGION;
    private static final int SMALL = 64 << 10;

    private static BufferPool.Builder builder(long max, long preallocated) {
        return BufferPool.builder("preallocated")
                .policy("heap-view")
                .max(max)
                .regionSize(REGION)
                .preallocate(preallocated);
    }

    private static BufferPool pool() {
        return builder(2 * KEPT, KEPT).build();
    }

    /** Preallocates less than a region. */
    private static BufferPool small() {
        return builder(16 << 20, SMALL).build();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 7})
    void trimKeepsPreallocatedBytes(int regionsUsed) {
        try (BufferPool pool = pool()) {
            use(pool, regionsUsed);
            long above = pool.stats().reservedBytes() - KEPT;
            assertEquals(above, pool.trim());
            assertEquals(KEPT, Conservation.check(pool).reservedBytes());
            assertEquals(KEPT / REGION, pool.stats().regions());
        }
    }

    @Test
    void tickKeepsPreallocatedBytes() {
        try (BufferPool pool = pool()) {
            use(pool, 7);
            new TrimTime(pool).seconds(30);
            assertEquals(KEPT, Conservation.check(pool).reservedBytes());
        }
    }

    /** A burst at the cap takes over the memory of one large lease; afterwards the pool keeps the small regions, not that memory. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void adoptedLargeRegionIsNotKeptInPlaceOfSmallOnes(boolean trim) {
        try (BufferPool pool = small()) {
            PooledBuffer large = pool.acquire(8_000_000);
            byte[] memory = large.buffer().array(); // so that no collection takes it before the burst
            large.release();
            List<PooledBuffer> burst = Leases.all(pool, 1024);
            assertTrue(burst.stream().anyMatch(lease -> lease.buffer().array() == memory), "it was taken over");
            burst.forEach(PooledBuffer::release);
            if (trim) {
                pool.trim();
            } else {
                new TrimTime(pool).seconds(30);
            }
            assertEquals(SMALL, Conservation.check(pool).reservedBytes());
        }
    }

    /** Nothing says for which sizes. */
    @Test
    void exactPolicyPreallocatesNothing() {
        try (BufferPool pool = builder(KEPT, KEPT).policy("heap").build()) {
            assertEquals(0, pool.stats().reservedBytes());
        }
    }

    /** The preallocated region is idle for long before the next one is. */
    @Test
    void preallocatedRegionStaysThoughOthersAreInUse() {
        try (BufferPool pool = small()) {
            PooledBuffer ofNext = pool.acquire(128 << 10);
            pool.acquire(1024).release();
            TrimTime time = new TrimTime(pool);
            time.seconds(30);
            ofNext.release();
            time.seconds(30);
            assertEquals(SMALL, Conservation.check(pool).reservedBytes());
        }
    }

    /** The preallocated region has a lost slot, and ends with its last lease. */
    @Test
    void anotherRegionIsKeptInPlaceOfSpoiledOne() {
        try (BufferPool pool = small()) {
            PooledBuffer discarded = pool.acquire(32 << 10);
            List<PooledBuffer> others = List.of(pool.acquire(32 << 10), pool.acquire(32 << 10));
            discarded.discard();
            others.forEach(PooledBuffer::release);
            pool.trim();
            assertEquals(SMALL, Conservation.check(pool).reservedBytes());
        }
    }

    /** The lease at the cap takes the memory of the preallocated region, though another would do. */
    @Test
    void anotherRegionIsKeptInPlaceOfOversizeMemory() {
        try (BufferPool pool = builder(2 * REGION, REGION).maxSize(256 << 10).build()) {
            List<PooledBuffer> all = Leases.of(8, () -> pool.acquire(256 << 10));
            all.forEach(PooledBuffer::release);
            pool.acquire(900 << 10).release();
            pool.trim();
            assertEquals(REGION, Conservation.check(pool).reservedBytes());
        }
    }

    /** The region of 64 KiB is smaller than the preallocated one, and alone does not suffice in its place. */
    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "heap-view"})
    void regionsThatAreKeptInPlaceOfSpoiledOneSuffice(String policy) {
        try (BufferPool pool =
                builder(8 << 20, REGION).policy(policy).maxSize(64 << 10).build()) {
            List<PooledBuffer> leases = Leases.of(200, () -> pool.acquire(4096));
            leases.add(pool.acquire(256));
            leases.addAll(Leases.of(200, () -> pool.acquire(4096)));
            leases.remove(0).discard();
            leases.forEach(PooledBuffer::release);
            pool.trim();
            assertTrue(Conservation.check(pool).reservedBytes() >= REGION - 16);
            assertTrue(pool.stats().reservedBytes() < 2 * REGION);
        }
    }

    @Test
    void largeRegionOfWakeUpIsNotKept() {
        try (BufferPool pool = small()) {
            pool.whenAvailable(8_000_000, () -> {});
            pool.acquire(1024).release();
            assertEquals(SMALL, Conservation.check(pool).reservedBytes());
        }
    }

    /** Only trim keeps preallocated memory: no request that nothing else can serve is refused for it (I5). */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oversizeRequestDropsPreallocatedRegions(boolean waits) throws Exception {
        try (BufferPool pool = builder(KEPT, KEPT).build()) {
            if (waits) {
                WaitingThread waiting = WaitingThread.start(pool, 2 * REGION, Duration.ofSeconds(30));
                Eventually.collected("who waits is served", waiting::hasEnded);
                waiting.release();
            } else {
                Eventually.collected("an oversize request is served", () -> {
                    PooledBuffer lease = pool.tryAcquire(2 * REGION);
                    return lease != null && lease.release();
                });
            }
            assertEquals(0, Conservation.check(pool).leases());
        }
    }

    private static void use(BufferPool pool, int regions) {
        List<PooledBuffer> leases = Leases.of(4 * regions, () -> pool.acquire(REGION / 4));
        leases.forEach(PooledBuffer::release);
    }
}
