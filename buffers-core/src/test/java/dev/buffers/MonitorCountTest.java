// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static dev.buffers.AcquireOutcome.THREAD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.CountedCode;
import dev.buffers.support.CountedCode.Steps;
import dev.buffers.support.Manual;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How long the ways of an acquire and a release are: the classes visited, the methods that return, the monitors entered, the depth of calls. */
class MonitorCountTest {
    private static final int LARGE = 8 << 20;

    /** All ways on both policies. The first round initialises the classes; a tick of the pool's may lengthen one of the others. */
    static final class Ways implements Supplier<Map<String, Steps>> {
        private final Map<String, Steps> ways = new LinkedHashMap<>();
        private String policy = "";

        @Override
        public Map<String, Steps> get() {
            for (int round = 0; round < 4; round++) {
                for (String each : List.of("heap-view", "direct-view")) {
                    policy = each;
                    keep("hit", hit());
                    keep("miss", miss());
                    keep("growth", growth(0));
                    keep("growth above 8 MiB", growth(LARGE));
                    keep("foreign release", foreignRelease());
                    keep("waiter", waiter(1 << 20));
                    keep("waiter above 8 MiB", waiter(2 * LARGE));
                }
            }
            return ways;
        }

        private void keep(String way, Steps steps) {
            ways.merge(way + ", " + policy, steps, (best, now) -> now.returns() < best.returns() ? now : best);
        }

        private BufferPool pool(long max) {
            return BufferPool.builder("counted").policy(policy).max(max).build();
        }

        /** An acquire that the thread's magazine serves. */
        private Steps hit() {
            try (BufferPool pool = pool(LARGE)) {
                pool.acquire(4096).release();
                PooledBuffer[] lease = new PooledBuffer[1];
                Steps steps = Steps.of(() -> lease[0] = pool.acquire(4096));
                lease[0].release();
                assertEquals(1, pool.stats().acquires(THREAD));
                return steps;
            }
        }

        /** An acquire that finds the magazine empty, and free slots in a slab. */
        private Steps miss() {
            try (BufferPool pool = pool(LARGE)) {
                List<PooledBuffer> leases = new ArrayList<>();
                leases.add(pool.acquire(4096));
                Steps[] steps = new Steps[1];
                for (long hits = -1; hits < pool.stats().acquires(THREAD); ) {
                    hits = pool.stats().acquires(THREAD);
                    steps[0] = Steps.of(() -> leases.add(pool.acquire(4096)));
                }
                assertEquals(1, pool.stats().regions());
                leases.forEach(PooledBuffer::release);
                return steps[0];
            }
        }

        /** A thread's first acquire of a class, for which a region is allocated. */
        private Steps growth(long reserved) {
            try (BufferPool pool = pool(4 * LARGE)) {
                List<PooledBuffer> leases = new ArrayList<>();
                do {
                    leases.add(pool.acquire(64 << 10));
                } while (pool.stats().reservedBytes() <= reserved);
                long regions = pool.stats().regions();
                Steps steps = Steps.of(() -> leases.add(pool.acquire(4096)));
                assertEquals(regions + 1, pool.stats().regions());
                leases.forEach(PooledBuffer::release);
                return steps;
            }
        }

        /** A release by a thread that has released before. */
        private Steps foreignRelease() {
            try (BufferPool pool = pool(LARGE)) {
                PooledBuffer first = pool.acquire(4096);
                PooledBuffer second = pool.acquire(4096);
                Steps[] steps = new Steps[1];
                Thread other = new Thread(() -> {
                    first.release();
                    steps[0] = Steps.of(second::release);
                });
                other.start();
                try {
                    other.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return steps[0];
            }
        }

        /** An acquire at the cap, until it is in the queue. */
        private Steps waiter(int max) {
            try (BufferPool pool = pool(max)) {
                List<PooledBuffer> leases = new ArrayList<>();
                for (PooledBuffer lease = pool.tryAcquire(64 << 10); lease != null; ) {
                    leases.add(lease);
                    lease = pool.tryAcquire(64 << 10);
                }
                Steps steps = Steps.of("WaitQueue.add", () -> {
                    try {
                        pool.acquire(64 << 10, Duration.ofMillis(20)).release();
                        throw new AssertionError("the pool has room");
                    } catch (PoolExhaustedException expected) {
                        leases.forEach(PooledBuffer::release);
                    }
                });
                assertEquals(
                        "WaitQueue.add", steps.monitors().get(steps.monitors().size() - 1));
                return steps;
            }
        }
    }

    /** The page has the figures of an older commit too, and the larger one of both policies. */
    @Test
    void waysAreAsShortAsPageSays() throws Exception {
        List<String> longer = longer();
        for (int more = 20; more > 0 && !longer.isEmpty(); more--) { // a collection during a way makes it longer
            longer = longer();
        }
        assertEquals(List.of(), longer);
    }

    private static List<String> longer() throws Exception {
        List<String> longer = new ArrayList<>();
        Map<String, Steps> ways = CountedCode.get(Ways.class);
        String page = Manual.page("docs/proof.md");
        ways.forEach((name, steps) -> {
            List<Integer> figures = List.of(
                    steps.classes().size(), steps.returns(), steps.monitors().size(), steps.depth());
            System.out.println(name + ": classes, returns, monitors, depth=" + figures);
            String way = name.substring(0, name.indexOf(','));
            Matcher row = Pattern.compile("\\| " + way + " (?:\\| ([0-9]+), ([0-9]+) ){4}\\|")
                    .matcher(page);
            assertTrue(row.find(), way);
            int[] most = Pattern.compile(", ([0-9]+) ")
                    .matcher(row.group())
                    .results()
                    .mapToInt(figure -> Integer.parseInt(figure.group(1)))
                    .toArray();
            for (int i = 0; i < most.length; i++) {
                if (figures.get(i) > most[i]) {
                    longer.add(name + figures + ", monitors: " + steps.monitors());
                }
            }
        });
        return longer;
    }
}
