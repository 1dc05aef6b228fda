// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Up to which size is a new heap buffer cheaper than a pooled one? The JVM cuts it from the thread's own allocation buffer (TLAB) and
 * zeroes it, and the collector's share is in the time as well. First and last byte are touched, and the lease or the buffer leaves the
 * method, so that nothing can be left out.
 */
public class TlabBenchmark extends Timed {
    @Param({"allocateHeap", "buffersHeap", "buffersHeapView"})
    public Contenders contender;

    @Param({"64", "256", "1024", "4096", "16384"})
    public int size;

    private Contender source;

    @Override
    public void open() {
        source = contender.make(size);
        source.cycle(size);
        promote();
    }

    @Override
    public void close() {
        source.close();
    }

    @Benchmark
    public void buffer(Blackhole hole) {
        Object lease = source.acquire(size);
        source.put(lease, 0, (byte) 1);
        source.put(lease, size - 1, (byte) 2);
        hole.consume(lease);
        source.release(lease);
    }
}
