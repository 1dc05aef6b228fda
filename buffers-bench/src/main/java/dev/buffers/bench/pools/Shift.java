// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Does memory move between sizes? 64 MiB of 4 KiB buffers are taken and given back, then the same 64 MiB in buffers of 32 KiB: by how much
 * has what the contender keeps grown? A queue or a pool of one size has no answer; Undertow's is left out for that.
 */
public final class Shift implements PassContestant.Pass {
    private static final int SMALL = 4 << 10;
    private static final int LARGE = 32 << 10;
    private static final int TOTAL = 64 << 20;
    /** What the design allows it to grow by: a quarter. */
    public static final int TARGET = TOTAL / 4;

    @Override
    public Map<String, Double> run(Map<String, String> parameters) throws InterruptedException {
        Contenders contender = Contenders.valueOf(parameters.getOrDefault("contender", "buffers"));
        int total = parameters.containsKey(Comparison.LITTLE) ? 1 << 20 : TOTAL;
        Contender source = contender.make(LARGE);
        long[] kept = new long[2];
        Thread thread = contender.thread(() -> {
            fill(source, total, SMALL);
            kept[0] = source.keptBytes();
            fill(source, total, LARGE);
            kept[1] = source.keptBytes();
        });
        thread.start();
        thread.join();
        source.close();
        if (kept[1] == 0) {
            throw new IllegalStateException("nothing was done: " + contender);
        }
        return Map.of("kept", (double) Math.max(1, kept[1] - kept[0]));
    }

    private static void fill(Contender source, int total, int size) {
        List<Object> leases = new ArrayList<>();
        for (int taken = 0; taken < total; taken += size) {
            Object lease = source.acquire(size);
            source.put(lease, size - 1, (byte) 1);
            leases.add(lease);
        }
        leases.forEach(source::release);
    }
}
