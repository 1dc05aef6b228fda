// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Statistic;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scrapes without a pause while 8 threads use the pool, pass leases on, wait for room, end and are replaced. */
class HammerTest {
    private static final long MILLIS = 700;
    private static final String[] PARTS = {"leased", "cached", "uncarved", "lost"};

    private final Panel panel = new Panel();
    private final Queue<PooledBuffer> passedOn = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong acquired = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong oversize = new AtomicLong();
    private volatile boolean stop;

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "direct-view", "unpooled"})
    void scrapesUnderLoadAreConsistent(String policy) throws Exception {
        try (BufferPool pool = BufferPool.builder("busy")
                .policy(policy)
                .max(2 << 20)
                .regionSize(128 << 10)
                .maxSize(32 << 10)
                .build()) {
            BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(panel.registry);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                long seed = i;
                Thread thread = new Thread(() -> generations(pool, seed));
                thread.start();
                threads.add(thread);
            }
            Map<String, Double> before = new TreeMap<>();
            int scrapes = 0;
            // For so long, and until there were many: a slow machine takes longer for that.
            long end = System.nanoTime() + MILLIS * 1_000_000;
            for (; System.nanoTime() - end < 0 || scrapes <= 20; scrapes++) {
                before = check(before, panel.scrape());
            }
            stop = true;
            for (Thread thread : threads) {
                thread.join();
            }
            for (PooledBuffer lease = passedOn.poll(); lease != null; lease = passedOn.poll()) {
                lease.release();
                ended.incrementAndGet();
            }
            assertEquals(List.of(), List.copyOf(failures));
            assertSizes(panel.registry.get("buffers.pool.requested").summary());
            Panel fresh = new Panel();
            BufferPoolMetrics.builder(pool).waits().monitor(fresh.registry);
            assertAtRest(policy, fresh);
            Map<String, Double> atRest = fresh.scrape();
            Map<String, Double> last = check(before, panel.scrape());
            check(atRest, last); // in this order: the tick may still ask for a collection
        }
    }

    private Map<String, Double> check(Map<String, Double> before, Map<String, Double> now) {
        now.forEach((meter, value) -> {
            assertTrue(value >= 0, () -> meter + " is negative: " + value);
            if (isCounter(meter)) {
                Double last = before.getOrDefault(meter, 0.0);
                assertTrue(value >= last, () -> meter + " went from " + last + " to " + value);
            }
        });
        return now;
    }

    private static boolean isCounter(String meter) {
        return !meter.endsWith(Statistic.VALUE.name()) && !meter.endsWith(Statistic.MAX.name());
    }

    /** Every size that was asked for, whether it was had or not. */
    private void assertSizes(DistributionSummary requested) {
        assertEquals(acquired.get() + refused.get(), requested.count());
        assertEquals(asked.get(), requested.totalAmount());
    }

    /** By meters that have only seen the pool at rest; those that saw it busy may be ahead (R1), never behind. */
    private void assertAtRest(String policy, Panel panel) {
        long parts = 0;
        for (String part : PARTS) {
            parts += panel.value("buffers.pool.memory." + part);
        }
        assertEquals(panel.value("buffers.pool.memory.reserved"), parts);
        assertEquals(0, panel.value("buffers.pool.memory.leased"));
        assertEquals(0, panel.value("buffers.pool.leases"));
        long rejected = panel.value("buffers.pool.acquires", "outcome", "rejected");
        assertEquals(refused.get(), rejected);
        assertEquals(acquired.get(), panel.value("buffers.pool.acquires") - rejected);
        assertEquals(ended.get(), panel.value("buffers.pool.releases"));
        assertEquals(acquired.get(), ended.get());
        assertEquals(0, panel.value("buffers.pool.leaks"));
        if (!policy.equals("unpooled")) {
            assertEquals(oversize.get(), panel.value("buffers.pool.acquires", "outcome", "oversize"));
        }
    }

    /** Threads that end leave their counts behind: the moment at which sums may fall short (R1). */
    private void generations(BufferPool pool, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (!stop) {
            Thread thread = new Thread(() -> use(pool, random));
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                failures.add(e);
            }
        }
    }

    private void use(BufferPool pool, SplittableRandom random) {
        try {
            ArrayDeque<PooledBuffer> mine = new ArrayDeque<>();
            for (int i = 0; i < 2_000 && !stop; i++) {
                int size = random.nextInt(50) == 0 ? random.nextInt(40 << 10) : 64 << random.nextInt(6);
                asked.addAndGet(size);
                PooledBuffer lease = random.nextInt(20) == 0 ? patiently(pool, size) : pool.tryAcquire(size);
                if (lease == null) {
                    refused.incrementAndGet();
                } else {
                    acquired.incrementAndGet();
                    oversize.addAndGet(size > 32 << 10 ? 1 : 0);
                    (random.nextInt(4) == 0 ? passedOn : mine).add(lease);
                }
                while (mine.size() > random.nextInt(16)) {
                    end(mine.remove(), random);
                }
                PooledBuffer other = passedOn.poll();
                if (other != null) {
                    end(other, random);
                }
            }
            mine.forEach(lease -> end(lease, random));
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private static PooledBuffer patiently(BufferPool pool, int size) {
        try {
            return pool.acquire(size, Duration.ofNanos(100_000));
        } catch (PoolExhaustedException e) {
            return null;
        }
    }

    private void end(PooledBuffer lease, SplittableRandom random) {
        if (random.nextInt(500) == 0) {
            lease.discard();
        } else {
            lease.release();
        }
        ended.incrementAndGet();
    }
}
