// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A framework's server that runs in this JVM, on the loopback interface.
 *
 * @param pools our pools behind it; none when it uses its own
 * @param stop stops it, and closes our pools
 */
record Embedded(int port, List<BufferPool> pools, Closeable stop) implements AutoCloseable {

    /** After so much silence a server closes a connection: no run takes as long. Their defaults are 20 to 60 seconds. */
    static final int IDLE_SECONDS = 3_600;

    /** A figure of all our pools together. */
    long sum(ToLongFunction<PoolStats> figure) {
        return pools.stream()
                .distinct()
                .map(BufferPool::stats)
                .mapToLong(figure)
                .sum();
    }

    /** The leases that were lost, except by Grizzly, which loses some of any pool. */
    long lost(String framework) {
        return framework.equals(FrameworkProgram.GRIZZLY) ? 0 : sum(PoolStats::leaks);
    }

    @Override
    public void close() throws IOException {
        stop.close();
    }
}
