// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolContract;
import dev.buffers.support.TrimTime;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lease dropped without a release (I8): counted, never used again, its bytes back once the rest of its slab is, also if it was a
 * connection's that was dropped unclosed.
 */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class LostLeaseTest extends PoolContract {
    private static final int VIEWS = 40;
    private static final int CONNECTIONS = 500;

    @Test
    void aLostLeaseIsCountedAndItsSlabComesBack() {
        BufferPool pool = pool();
        PooledBuffer beside = pool.acquire(4096);
        Leases.lose(pool, 4096);
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
        PoolStats stats = Conservation.check(pool, 1);
        if (kind.isViews()) {
            assertEquals(4096, stats.lostBytes());
        }
        beside.release();
        pool.trim();
        assertEquals(0, Conservation.check(pool).lostBytes());
        Conservation.becomesEmpty(pool, false);
        assertEquals(1, Conservation.check(pool).leaks());
    }

    @Test
    void aLostOversizeLeaseComesBackByItself() {
        BufferPool pool = pool();
        Leases.lose(pool, 1 << 20);
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
        Conservation.check(pool);
        Conservation.becomesEmpty(pool, false);
    }

    @Test
    void aLossIsCountedOnceHoweverManyLeasesWereLost() {
        BufferPool pool = pool();
        loseThree(pool);
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
        System.gc();
        assertEquals(1, Conservation.check(pool).leaks());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeaseOfWhichAPartIsHeldIsNotLost(boolean guard) {
        BufferPool pool = pool(kind.builder("contract").guard(guard));
        PooledBuffer part = retained(pool);
        for (int i = 0; i < 3; i++) {
            System.gc();
            assertEquals(0, Conservation.check(pool, 1).leaks());
        }
        part.buffer().put(0, (byte) 1);
        // The first lease can end no more, and with this one the memory is lost.
        part.release();
        part = null;
        Eventually.collected("the loss is counted", () -> pool.stats().leaks() == 1);
    }

    @Tag("full")
    @Test
    void aDiscardIsNoLoss() {
        BufferPool pool = pool();
        pool.acquire(4096).discard();
        for (int i = 0; i < 3; i++) {
            System.gc();
            PoolStats stats = Conservation.check(pool);
            assertEquals(0, stats.leaks());
            assertEquals(1, stats.releases(ReleaseOutcome.DISCARDED));
        }
        Conservation.becomesEmpty(pool, true);
    }

    private static void loseThree(BufferPool pool) {
        PooledBuffer lease = pool.acquire(4096);
        lease.retain().slice(0, 10);
    }

    private static PooledBuffer retained(BufferPool pool) {
        return pool.acquire(4096).retain();
    }

    /** The memory of a lost lease is not reused as long as a view that the user made of the lease lives. */
    @Test
    void nothingIsUsedAgainUnderALiveView() {
        BufferPool pool = pool(kind.builder("contract").max(4 << 20));
        TrimTime time = new TrimTime(pool);
        List<ByteBuffer> views = new ArrayList<>();
        List<PooledBuffer> between = new ArrayList<>();
        for (int i = 0; i < VIEWS; i++) {
            views.add(viewOfALostLease(pool, i));
            between.add(pool.acquire(i % 2 == 0 ? 4096 : 500));
        }
        between.forEach(PooledBuffer::release);
        Eventually.collected("the losses are counted", () -> pool.stats().leaks() == VIEWS);
        for (int round = 0; round < 30; round++) {
            List<PooledBuffer> leases = Leases.all(pool, round % 3 == 0 ? 4096 : round % 3 == 1 ? 20_000 : 300_000);
            leases.forEach(lease -> soil(lease.buffer().clear()));
            leases.forEach(PooledBuffer::release);
            if (round % 5 == 0) {
                pool.trim();
                time.seconds(20);
                System.gc();
            }
        }
        for (int i = 0; i < VIEWS; i++) {
            ByteBuffer view = views.get(i);
            while (view.hasRemaining()) {
                assertEquals((byte) i, view.get(), "memory under a live view was used again");
            }
        }
        Conservation.check(pool);
        views.clear();
        Conservation.becomesEmpty(pool, true);
    }

    private static ByteBuffer viewOfALostLease(BufferPool pool, int i) {
        ByteBuffer view = pool.acquire(i % 2 == 0 ? 4096 : 500).buffer().slice();
        for (int at = 0; at < view.capacity(); at++) {
            view.put(at, (byte) i);
        }
        return view;
    }

    private static void soil(ByteBuffer bytes) {
        while (bytes.remaining() >= 8) {
            bytes.putLong(-1);
        }
    }

    /** A connection with unread input that has handed off the bytes it read before. */
    private static PooledBuffer connection(BufferPool pool) {
        ChannelBuffers channel = pool.channel();
        channel.input(100).put((byte) 1);
        PooledBuffer handedOff = channel.handOffInput();
        channel.input(100).put((byte) 2);
        return handedOff;
    }

    @Test
    void inputAndHandedOffBufferOfDroppedConnectionAreFound() {
        BufferPool pool = pool();
        for (int i = 0; i < CONNECTIONS; i++) {
            connection(pool);
        }
        Eventually.collected("all are found", () -> pool.stats().leaks() == 2 * CONNECTIONS);
        Conservation.check(pool);
        Conservation.becomesEmpty(pool, true);
    }

    /** A buffer that a worker holds does not hide the input of its connection, neither before its release nor after. */
    @Test
    void inputOfDroppedConnectionIsFoundWhileWorkerHoldsHandedOffBuffer() {
        BufferPool pool = pool();
        List<PooledBuffer> workers = Leases.of(CONNECTIONS, () -> connection(pool));
        Eventually.collected("the inputs are found", () -> pool.stats().leaks() == CONNECTIONS);
        workers.forEach(PooledBuffer::release);
        Conservation.check(pool);
        for (int i = 0; i < CONNECTIONS; i++) {
            connection(pool).release();
        }
        Eventually.collected("the inputs are found", () -> pool.stats().leaks() == 2 * CONNECTIONS);
        Conservation.check(pool);
    }
}
