// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import com.sun.management.OperatingSystemMXBean;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.OnceContestant;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Is the pool at home with virtual threads? 200,000 of them, at most 64 alive at once, each acquire 16 KiB, touch it, yield, check,
 * release: the time for all of them the second time, and the memory kept when they have ended. Undertow's pool takes no part: it leaves a
 * buffer with each thread that has ended until the collector finds the thread, and so runs out of direct memory.
 */
public final class ManyVirtualThreads implements PassContestant.Pass {
    private static final int THREADS = 200_000;
    private static final int LIVE = 64;
    private static final int SIZE = 16 << 10;

    @Override
    public Map<String, Double> run(Map<String, String> parameters) throws IOException, InterruptedException {
        int count = parameters.containsKey(Comparison.LITTLE) ? 200 : THREADS;
        Contender source = Contenders.valueOf(parameters.getOrDefault("contender", "buffers"))
                .make(SIZE);
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Footprint before = Footprint.collected();
        pass(source, count);
        double cpu = process.getProcessCpuTime();
        double wall = pass(source, count);
        cpu = process.getProcessCpuTime() - cpu;
        double kept = Math.max(1, source.keptBytes());
        Footprint after = Footprint.collected();
        source.close();
        return Map.of(
                OnceContestant.CPU_NANOS,
                Math.max(1, cpu),
                OnceContestant.WALL_NANOS,
                wall,
                "kept",
                kept,
                "collected",
                after.growth(before),
                "resident",
                after.residentGrowth(before));
    }

    /** All of them, once. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding unmounts the thread, which is the point
    private static double pass(Contender source, int count) throws InterruptedException {
        Semaphore alive = new Semaphore(LIVE);
        LongAdder right = new LongAdder();
        long begun = System.nanoTime();
        ThreadFactory virtual = VirtualThreads.factory();

        for (int i = 0; i < count; i++) {
            byte mark = (byte) i;
            alive.acquire();
            Thread thread = virtual.newThread(() -> {
                Object lease = source.acquire(SIZE);
                source.put(lease, 0, mark);
                Thread.yield();
                if (source.get(lease, 0) == mark) {
                    right.increment();
                }
                source.release(lease);
                alive.release();
            });
            thread.start();
        }
        alive.tryAcquire(LIVE, 1, TimeUnit.MINUTES);
        if (right.sum() != count) {
            throw new IllegalStateException("not every thread found what it wrote: right=" + right + " of " + count);
        }
        return System.nanoTime() - begun;
    }
}
