// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;

/** The end of a fork's pool. */
public final class Pools {
    private Pools() {}

    /** Closes a pool from which nothing may be out any more. */
    public static void closeQuiet(BufferPool pool) {
        PoolStats stats = pool.stats();
        pool.close();
        if (stats.leases() != 0) {
            throw new IllegalStateException("leases are still out: " + stats);
        }
    }
}
