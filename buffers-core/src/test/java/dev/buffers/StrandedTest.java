// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that has ended, was lost or was kept aside pins memory (I4, I5, I8, I9). */
class StrandedTest {
    private static BufferPool.Builder views(long max) {
        return BufferPool.builder("stranded").policy("heap-view").max(max);
    }

    private static boolean drops(BufferPool pool) {
        pool.trim();
        return pool.stats().reservedBytes() == 0 && pool.stats().droppedBytes() == 0;
    }

    @Test
    void anEndedFurtherLeaseReachesNothing() {
        try (BufferPool pool = views(8 << 20).build()) {
            PooledBuffer lease = pool.acquire(4096);
            PooledBuffer further = lease.retain();
            further.release();
            lease.release();
            Eventually.collected("the region is collected", () -> drops(pool));
            Reference.reachabilityFence(further);
            Reference.reachabilityFence(lease);
        }
    }

    @Test
    void anEndedUnpooledLeaseReachesNothing() {
        try (BufferPool pool =
                BufferPool.builder("stranded").policy("unpooled").max(8 << 20).build()) {
            List<PooledBuffer> ended = new ArrayList<>();
            for (int i = 0; i < 300; i++) { // of a heap of 1 GiB
                PooledBuffer lease = pool.acquire(8 << 20);
                lease.release();
                ended.add(lease);
            }
            assertEquals(300, ended.size());
        }
    }

    @Test
    void buffersKeptByChannelForAnotherSizeCauseNoRefusal() {
        try (BufferPool pool = views(64 << 10).build()) {
            ChannelBuffers channel = pool.channel();
            List<PooledBuffer> leases = Leases.of(4, () -> channel.acquire(16384));
            leases.forEach(PooledBuffer::release);
            channel.acquire(2048).release();
            channel.close();
            Conservation.check(pool);
        }
    }

    @Test
    void droppedMemoryOfAnySizeIsUsedBeforeAnAcquireIsRefused() {
        try (BufferPool pool = views(8 << 20).regionSize(1 << 20).build()) {
            pool.acquire(6 << 20).release();
            List<PooledBuffer> leases = new ArrayList<>();
            // Not at once, should the collector just be taking it: the pool hears of that a little later.
            Eventually.holds("nearly all of the 8 MiB can be had", () -> {
                leases.addAll(Leases.all(pool, 65536));
                return leases.size() * 65536L >= 7 << 20;
            });
            leases.forEach(PooledBuffer::release);
            Eventually.collected("and a part of it again as one", () -> {
                PooledBuffer large = pool.tryAcquire(3 << 20);
                return large != null && large.release();
            });
            Conservation.check(pool);
        }
    }

    @Test
    void aRegionIsNoLargerThanTheSetting() {
        try (BufferPool pool = views(8 << 20).regionSize(4096).build()) {
            pool.acquire(1024).release();
            assertEquals(4096, pool.stats().reservedBytes());
        }
    }

    /** Regions too small for a request are given up for it, as they are for a size class. */
    @Test
    void unusedRegionsMakeRoomForAnOversizeRequest() {
        try (BufferPool pool = views(8 << 20).build()) {
            Leases.release(Leases.all(pool, 4096));
            Eventually.collected("an oversize request is served from a pool that is all free", () -> {
                PooledBuffer lease = pool.tryAcquire(4 << 20);
                return lease != null && lease.release();
            });
            assertEquals(0, Conservation.check(pool).leases());
        }
    }

    /** What {@code preallocate} keeps is for policies that cut views. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct"})
    void freeBuffersOfOneSizeDoNotShutOutAnotherForEver(String policy) {
        DirectRoom.make();
        try (BufferPool pool =
                views(1 << 20).policy(policy).preallocate(1 << 20).build()) {
            Leases.release(Leases.all(pool, 4096));
            Eventually.collected("another size can be had", () -> {
                PooledBuffer other = pool.tryAcquire(8192);
                return other != null && other.release();
            });
            Conservation.check(pool);
        }
    }

    /** A slot that is never used again reaches its region no more, though a sleeping thread's magazine may still name it (I9). */
    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#pooled")
    void aDiscardBeforeTheLastLeaseLetsItsMemoryGo(Kind kind) {
        DirectRoom.make();
        try (BufferPool pool = kind.builder("retired").build()) {
            PooledBuffer first = pool.acquire(4096);
            PooledBuffer further = first.retain();
            first.discard();
            further.release();
            Eventually.collected("its memory goes back", () -> drops(pool));
            Conservation.check(pool);
        }
    }
}
