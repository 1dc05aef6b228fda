// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing that has ended, was lost or was kept aside pins memory (I4, I5, I8, I9). */
class StrandedTest {
    private static BufferPool.Builder views(long max) {
        return BufferPool.builder("stranded").policy("heap-view").max(max);
    }

    @Test
    void anEndedFurtherLeaseReachesNothing() {
        try (BufferPool pool = views(8 << 20).build()) {
            PooledBuffer lease = pool.acquire(4096);
            PooledBuffer further = lease.retain();
            further.release();
            lease.release();
            Conservation.becomesEmpty(pool, true);
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
    void aRegionIsNoLargerThanTheSetting() {
        try (BufferPool pool = views(8 << 20).regionSize(4096).build()) {
            pool.acquire(1024).release();
            assertEquals(4096, pool.stats().reservedBytes());
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
            Conservation.becomesEmpty(pool, true);
            Conservation.check(pool);
        }
    }
}
