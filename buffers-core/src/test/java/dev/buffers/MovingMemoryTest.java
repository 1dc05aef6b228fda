// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory moves between size classes (I6): a pool that was full of small buffers serves large ones from the same bytes. */
class MovingMemoryTest {
    private static final int TOTAL = 16 << 20;
    private static final int SMALL = 4 << 10;
    private static final int LARGE = 32 << 10;

    static Stream<Arguments> viewsAndCaps() {
        return Stream.of("heap-view", "direct-view", Kind.OWN)
                .flatMap(policy -> Stream.of(1, 2).map(times -> Arguments.of(policy, times)));
    }

    private static BufferPool pool(String policy, long max) {
        DirectRoom.make();
        return new Kind(policy).builder("moving").max(max).build();
    }

    @ParameterizedTest
    @MethodSource("viewsAndCaps")
    void memoryReleasedByOneThreadServesLargeBuffers(String policy, int times) {
        try (BufferPool pool = pool(policy, (long) TOTAL * times)) {
            List<PooledBuffer> leases = fill(pool);
            leases.forEach(PooledBuffer::release);
            servesLarge(pool);
        }
    }

    private static List<PooledBuffer> fill(BufferPool pool) {
        return Leases.of(TOTAL / SMALL, () -> pool.acquire(SMALL));
    }

    private static void servesLarge(BufferPool pool) {
        long before = Conservation.check(pool).reservedBytes();
        List<PooledBuffer> leases = new ArrayList<>();
        // An array is a header short of a power of two, so that a few large slots less are cut of such regions.
        int most = TOTAL / LARGE;
        int least = pool.settings().policy().direct() ? most : most * 31 / 32;
        for (int i = 0; i < most; i++) {
            PooledBuffer lease = i < least ? pool.acquire(LARGE) : pool.tryAcquire(LARGE);
            if (lease != null) {
                leases.add(lease);
            }
        }
        PoolStats after = Conservation.check(pool, leases.size());
        assertTrue(
                after.reservedBytes() + after.droppedBytes() <= before * 5 / 4,
                () -> "grew from " + before + " to " + after);
        leases.forEach(PooledBuffer::release);
        Conservation.check(pool);
    }

    /** Threads that are alive and asleep hold a few slots each, scattered over all regions. */
    @ParameterizedTest
    @CsvSource({
        "heap-view, 1, false",
        "heap-view, 2, false",
        "direct-view, 1, false",
        "own, 2, false",
        "heap-view, 1, true",
        "heap-view, 2, true"
    })
    void memoryReleasedByOtherThreadsServesLargeBuffers(String policy, int times, boolean asleep) throws Exception {
        CountDownLatch end = new CountDownLatch(asleep ? 1 : 0);
        try (BufferPool pool = pool(policy, (long) TOTAL * times)) {
            List<PooledBuffer> leases = fill(pool);
            Collections.shuffle(leases, new Random(3));
            CyclicBarrier released = new CyclicBarrier(5);
            List<Thread> threads = new ArrayList<>();
            int share = leases.size() / 4;
            for (int t = 0; t < 4; t++) {
                List<PooledBuffer> part = leases.subList(t * share, (t + 1) * share);
                threads.add(Threads.start(() -> {
                    part.forEach(PooledBuffer::release);
                    try {
                        released.await();
                        end.await();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }));
            }
            released.await();
            for (Thread thread : asleep ? List.<Thread>of() : threads) {
                thread.join();
            }
            servesLarge(pool);
        } finally {
            end.countDown();
        }
    }

    /** Buffers with an allocation each cannot be cut anew: their memory moves through the collector. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct"})
    void exactBuffersMoveThroughTheCollector(String policy) {
        try (BufferPool pool = pool(policy, TOTAL)) {
            fill(pool).forEach(PooledBuffer::release);
            List<PooledBuffer> leases = new ArrayList<>();
            Eventually.collected("large buffers from the memory of small ones", () -> {
                PooledBuffer lease = pool.tryAcquire(LARGE);
                while (lease != null) {
                    leases.add(lease);
                    lease = pool.tryAcquire(LARGE);
                }
                return leases.size() >= TOTAL / LARGE * 3 / 4;
            });
            Conservation.check(pool, leases.size());
            leases.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
    }

    @Test
    void adoptedMemoryIsTheSameMemory() {
        try (BufferPool pool = pool("heap-view", 1 << 20)) {
            PooledBuffer lease = pool.acquire(1 << 20);
            byte[] array = lease.buffer().array();
            lease.release();
            assertEquals(1 << 20, pool.stats().droppedBytes());
            PooledBuffer again = pool.acquire(1 << 20);
            assertEquals(0, Conservation.check(pool, 1).droppedBytes());
            assertTrue(array == again.buffer().array());
            again.release();
        }
    }

    /** Threads that all miss at once share regions: 64 batches of 16 KiB, not 64 regions of 64 KiB. */
    @Test
    void aHerdSharesRegions() throws Exception {
        try (BufferPool pool =
                new Kind("heap-view").builder("moving").max(64 << 20).build()) {
            CyclicBarrier held = new CyclicBarrier(64);
            Threads.together(Collections.nCopies(64, () -> {
                PooledBuffer lease = pool.acquire(512);
                held.await();
                lease.release();
            }));
            long reserved = Conservation.check(pool).reservedBytes();
            assertEquals(true, reserved <= 5 << 18, "64 leases of 512 bytes reserved " + reserved);
        }
    }
}
