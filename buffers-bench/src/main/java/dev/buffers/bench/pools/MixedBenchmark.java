// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import org.openjdk.jmh.annotations.Benchmark;

/** What does a lease cost that stays in its method? Acquire a mixed size, touch one byte, release; one thread. */
public class MixedBenchmark extends Timed {
    private final Sizes sizes = new Sizes(2);

    @Benchmark
    public int mixed(ContenderState state) {
        return state.source.cycle(sizes.next());
    }
}
