// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What does a burst leave behind? 64 threads have 312 MiB out together, in buffers of 16 KiB with every page written, check and release
 * them, and stay alive doing nothing for 15 seconds. An idle JVM does not collect, so one is asked for after 13 of them, when this pool has
 * trimmed.
 */
public final class Burst implements PassContestant.Pass {
    private static final int SIZE = 16 << 10;
    private static final int PAGE = 4 << 10;
    private static final int THREADS = 64;
    private static final int EACH = 312;
    private static final int IDLE_SECONDS = 15;
    private static final int COLLECTED_AFTER = 13;

    /** What the design allows to be kept: 5 % of the peak. */
    public static final int TARGET = THREADS * EACH * SIZE / 20;

    @Override
    public Map<String, Double> run(Map<String, String> parameters) throws IOException, InterruptedException {
        boolean little = parameters.containsKey(Comparison.LITTLE);
        Contenders contender = Contenders.valueOf(parameters.getOrDefault("contender", "buffers"));
        int count = little ? 4 : THREADS;
        int each = little ? 8 : EACH;
        Phaser all = new Phaser(count + 1);
        AtomicInteger wrong = new AtomicInteger();
        Contender source = contender.make(SIZE);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int mark = i;
            threads.add(contender.thread(() -> {
                all.arriveAndAwaitAdvance(); // begin together
                List<Object> leases = take(source, each, mark);
                all.arriveAndAwaitAdvance(); // hold all at once
                wrong.addAndGet(giveBack(source, leases, mark));
                all.arriveAndAwaitAdvance(); // have released all
                all.arriveAndAwaitAdvance(); // stay until the end
            }));
        }
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
        Footprint before = Footprint.collected();
        all.arriveAndAwaitAdvance();
        all.arriveAndAwaitAdvance();
        all.arriveAndAwaitAdvance();
        if (!little) {
            TimeUnit.SECONDS.sleep(COLLECTED_AFTER);
            Footprint.collected();
            TimeUnit.SECONDS.sleep(IDLE_SECONDS - COLLECTED_AFTER);
        }
        double kept = Math.max(1, source.keptBytes());
        Footprint after = Footprint.collected();
        all.arriveAndAwaitAdvance();
        for (Thread thread : threads) {
            thread.join();
        }
        source.close();
        if (wrong.get() != 0) {
            throw new IllegalStateException("memory was given to two at once: buffers=" + wrong);
        }
        return Map.of("kept", kept, "collected", after.growth(before), "resident", after.residentGrowth(before));
    }

    private static List<Object> take(Contender source, int count, int mark) {
        List<Object> leases = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Object lease = source.acquire(SIZE);
            for (int at = 0; at < SIZE; at += PAGE) {
                source.put(lease, at, (byte) mark);
            }
            leases.add(lease);
        }
        return leases;
    }

    /** Releases all, and says how many did not hold the written mark. */
    private static int giveBack(Contender source, List<Object> leases, int mark) {
        int wrong = 0;
        for (Object lease : leases) {
            if (source.get(lease, SIZE - PAGE) != (byte) mark) {
                wrong++;
            }
            source.release(lease);
        }
        return wrong;
    }
}
