// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Kind;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Free memory that is not where it is needed (I5, I6, I9). */
class MovingGapsTest {
    private static final int TOTAL = 16 << 20;

    /** Threads that are alive and asleep hold a few slots each, scattered over all regions. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void memoryReleasedBySleepingThreadsServesLargeBuffers(int times) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (BufferPool pool = new Kind("heap-view")
                .builder("moving")
                .max((long) TOTAL * times)
                .build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < TOTAL / 4096; i++) {
                leases.add(pool.acquire(4096));
            }
            Collections.shuffle(leases, new Random(3));
            CyclicBarrier released = new CyclicBarrier(5);
            int share = leases.size() / 4;
            for (int t = 0; t < 4; t++) {
                List<PooledBuffer> part = leases.subList(t * share, (t + 1) * share);
                Threads.start(() -> {
                    part.forEach(PooledBuffer::release);
                    try {
                        released.await();
                        end.await();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
            }
            released.await(60, TimeUnit.SECONDS);
            MovingMemoryTest.servesLarge(pool);
        } finally {
            end.countDown();
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
                held.await(60, TimeUnit.SECONDS);
                lease.release();
            }));
            long reserved = Conservation.check(pool).reservedBytes();
            assertEquals(true, reserved <= 5 << 18, "64 leases of 512 bytes reserved " + reserved);
        }
    }
}
