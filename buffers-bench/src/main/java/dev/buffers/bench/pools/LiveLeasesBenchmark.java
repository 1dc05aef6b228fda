// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Does an acquire cost more when many leases are out? Acquire half a KiB, touch, release, with 10 and with 100,000 others live. */
public class LiveLeasesBenchmark extends Timed {
    private static final int SIZE = 512;

    /** How many leases are out in that time. */
    @Param({"10", "100000"})
    public int live;

    private final Contender source = Contenders.buffers.make(SIZE);
    private final List<Object> others = new ArrayList<>();

    @Override
    public void open() {
        for (int i = 0; i < live; i++) {
            others.add(source.acquire(SIZE));
        }
        promote();
    }

    @Override
    public void close() {
        others.forEach(source::release);
        source.close();
    }

    @Benchmark
    public int acquireRelease() {
        return source.cycle(SIZE);
    }
}
