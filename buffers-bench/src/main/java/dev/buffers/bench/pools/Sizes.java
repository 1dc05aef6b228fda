// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import java.util.SplittableRandom;

/** The sizes that the workloads ask for: seeded, log-uniform from 64 bytes to 16 KiB, drawn before anything is measured. */
final class Sizes {
    static final int MAX = 16 << 10;

    private static final int COUNT = 1 << 12;

    private final int[] sizes = new int[COUNT];
    private int next;

    Sizes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < COUNT; i++) {
            sizes[i] = (int) Math.round(Math.exp(random.nextDouble(Math.log(64), Math.log(MAX))));
        }
    }

    int next() {
        return sizes[next++ & COUNT - 1];
    }
}
