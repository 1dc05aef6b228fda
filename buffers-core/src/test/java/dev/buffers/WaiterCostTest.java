// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.buffers.support.WaitHeldTick;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a release costs that serves a waiter does not grow with the number of waiters (I5): counted in allocated bytes. */
@SuppressWarnings("try") // some pools and leases are only held
class WaiterCostTest {
    private static final int MAX = 4 << 20;
    private static final int[] SIZES = {1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10};
    private static final int SERVED = 500;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A pool at its cap, with a constant number of wake-ups that wait for five sizes. */
    private static final class Crowd implements AutoCloseable {
        private final BufferPool pool;
        private final Deque<PooledBuffer> leases = new ArrayDeque<>();
        private int served;
        private boolean closing;

        Crowd(String policy, int waiters) {
            pool = BufferPool.builder("crowd")
                    .policy(policy)
                    .max(MAX)
                    .regionSize(64 << 10)
                    .threadCache(0)
                    .build();
            for (int i = 0, refused = 0; refused < SIZES.length; i++) {
                PooledBuffer lease = pool.tryAcquire(SIZES[i % SIZES.length]);
                refused = lease == null ? refused + 1 : 0;
                if (lease != null) {
                    leases.add(lease);
                }
            }
            for (int i = 0; i < waiters; i++) {
                waitFor(SIZES[i % SIZES.length]);
            }
        }

        private void waitFor(int size) {
            pool.whenAvailable(size, () -> served(size));
        }

        private void served(int size) {
            PooledBuffer lease = closing ? null : pool.tryAcquire(size);
            if (lease != null) {
                served++;
                leases.add(lease);
            }
            if (!closing) {
                waitFor(size);
            }
        }

        /** The bytes that this thread allocates for each waiter that its releases serve. */
        long bytesForEach() {
            int before = served;
            long begin = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int released = 0; served - before < SERVED; released++) {
                assertTrue(released < 100 * SERVED, "releases serve no waiter");
                leases.remove().release();
            }
            return (THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - begin) / (served - before);
        }

        @Override
        public void close() {
            closing = true;
            pool.close();
            leases.forEach(PooledBuffer::release);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct-view"})
    void servingOneOfTenThousandWaitersCostsAtMostTwiceThatOfOneOfHundred(String policy) throws Exception {
        try (WaitHeldTick held = new WaitHeldTick();
                Crowd warm = new Crowd(policy, 100);
                Crowd few = new Crowd(policy, 100);
                Crowd many = new Crowd(policy, 10_000)) {
            warm.bytesForEach();
            long least = few.bytesForEach();
            long most = many.bytesForEach();
            assertTrue(most <= 2 * least, () -> "bytes with 100: " + least + ", with 10,000: " + most);
        }
    }
}
