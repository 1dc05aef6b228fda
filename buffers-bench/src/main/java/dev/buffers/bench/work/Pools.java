package dev.buffers.bench.work;

import dev.buffers.BufferPool;

/** The end of a fork's pool. */
final class Pools {
    private Pools() {}

    /** Closes a pool from which nothing may be out any more. */
    static void closeQuiet(BufferPool pool) {
        long leases = pool.stats().leases();
        pool.close();
        if (leases != 0) {
            throw new IllegalStateException("leases are still out: leases=" + leases);
        }
    }
}
