// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/** Many threads that all held much at once, have released it in no order, partly for each other, and sleep ever since. */
public final class TrimBurst implements AutoCloseable {
    private static final int[] SIZES = {1000, 4096, 4096, 16 << 10, 16 << 10, 50_000, 64 << 10, 200_000};

    /** The bytes that were reserved when all leases were held. */
    public final long peak;

    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    public TrimBurst(BufferPool pool, int count, long bytes) throws Exception {
        CyclicBarrier step = new CyclicBarrier(count + 1);
        ConcurrentLinkedQueue<PooledBuffer> passed = new ConcurrentLinkedQueue<>();
        for (int t = 0; t < count; t++) {
            Random random = new Random(t);
            threads.add(Threads.start(() -> {
                List<PooledBuffer> held = new ArrayList<>();
                for (long left = bytes / count; left > 0; ) {
                    PooledBuffer lease = pool.acquire(SIZES[random.nextInt(SIZES.length)]);
                    left -= lease.capacity();
                    held.add(lease);
                }
                Collections.shuffle(held, random);
                await(step);
                passed.addAll(held.subList(0, held.size() / 2));
                await(step);
                held.subList(held.size() / 2, held.size()).forEach(PooledBuffer::release);
                held.clear();
                for (PooledBuffer lease = passed.poll(); lease != null; lease = passed.poll()) {
                    lease.release();
                }
                await(step);
                Threads.await(end);
            }));
        }
        await(step);
        peak = pool.stats().reservedBytes();
        await(step);
        await(step);
    }

    private static void await(CyclicBarrier step) {
        try {
            step.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends the threads. */
    @Override
    public void close() {
        end.countDown();
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
