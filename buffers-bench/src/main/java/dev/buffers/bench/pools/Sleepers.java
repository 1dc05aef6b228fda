// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import com.sun.management.OperatingSystemMXBean;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.OnceContestant;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * Does a server of many threads that mostly sleep cost less? 200 platform threads each take five sizes, touch them, give them back and
 * sleep for one to four milliseconds: the CPU time of all, and the memory that is kept while all sleep.
 */
public final class Sleepers implements PassContestant.Pass {
    private static final int THREADS = 200;
    private static final int ROUNDS = 300;

    /** Before that: with fewer the compilers still work in the rounds that count, longer for one pool than for another. */
    private static final int WARM_ROUNDS = 1500;

    private static final int[] SIZES = {500, 2000, 4 << 10, 8 << 10, 16 << 10};
    private static final int LONGEST_MILLIS = 4;

    @Override
    public Map<String, Double> run(Map<String, String> parameters) throws Exception {
        boolean little = parameters.containsKey(Comparison.LITTLE);
        int threads = little ? 4 : THREADS;
        int rounds = little ? 3 : ROUNDS;
        int warmRounds = little ? 3 : WARM_ROUNDS;
        Contenders contender = Contenders.valueOf(parameters.getOrDefault("contender", "buffers"));
        Contender source = contender.make(SIZES[SIZES.length - 1]);
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Footprint before = Footprint.collected();
        CyclicBarrier phases = new CyclicBarrier(threads + 1);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> sleepers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long seed = i;
            Thread thread = contender.thread(() -> {
                try {
                    SplittableRandom random = new SplittableRandom(seed);
                    rounds(source, warmRounds, random); // compiles, and fills what the contender keeps
                    phases.await();
                    phases.await();
                    rounds(source, rounds, random);
                    phases.await();
                    phases.await(); // asleep, but alive, while memory is counted
                } catch (Exception | AssertionError e) {
                    failures.add(e);
                    phases.reset();
                }
            });
            thread.start();
            sleepers.add(thread);
        }
        try {
            phases.await(2, TimeUnit.MINUTES);
            double cpu = process.getProcessCpuTime();
            phases.await(2, TimeUnit.MINUTES);
            phases.await(2, TimeUnit.MINUTES);
            cpu = process.getProcessCpuTime() - cpu;
            double kept = Math.max(1, source.keptBytes());
            double resident = Footprint.collected().residentGrowth(before);
            phases.await(2, TimeUnit.MINUTES);
            for (Thread thread : sleepers) {
                thread.join();
            }
            source.close();
            return Map.of(OnceContestant.CPU_NANOS, Math.max(1, cpu), "kept", kept, "resident", resident);
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("a thread has failed: failures=" + failures, e);
        }
    }

    private static void rounds(Contender source, int rounds, SplittableRandom random) throws InterruptedException {
        Object[] leases = new Object[SIZES.length];
        for (int round = 0; round < rounds; round++) {
            byte mark = (byte) random.nextInt();
            for (int i = 0; i < SIZES.length; i++) {
                leases[i] = source.acquire(SIZES[i]);
                source.put(leases[i], SIZES[i] - 1, mark);
            }
            for (int i = 0; i < SIZES.length; i++) {
                if (source.get(leases[i], SIZES[i] - 1) != mark) {
                    throw new IllegalStateException("a buffer has another thread's byte: size=" + SIZES[i]);
                }
                source.release(leases[i]);
            }
            Thread.sleep(1 + random.nextInt(LONGEST_MILLIS));
        }
    }
}
