// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import org.jspecify.annotations.Nullable;

/** One of the pools, and what the probes hear of it. */
final class Memory {
    private final BufferPool pool;
    private final Probes probes;
    private final int largest;

    Memory(BufferPool pool, Probes probes) {
        this.pool = pool;
        this.probes = probes;
        boolean reused = !pool.settings().policy().name().equals("unpooled");
        this.largest = reused ? pool.settings().maxSize() : -1;
    }

    BufferPool pool() {
        return pool;
    }

    boolean isDirect() {
        return pool.settings().policy().direct();
    }

    /** The most bytes that a buffer may have whose memory is used again. */
    int largest() {
        return largest;
    }

    SharedLease acquire(int size) {
        return shared(pool.acquire(size), size);
    }

    /** Null at the cap, above it, and from a closed pool. */
    @Nullable SharedLease tryAcquire(int size) {
        PooledBuffer lease;
        try {
            lease = pool.tryAcquire(size);
        } catch (IllegalStateException | PoolExhaustedException e) {
            return null;
        }
        return lease == null ? null : shared(lease, size);
    }

    private SharedLease shared(PooledBuffer lease, int size) {
        if (size <= largest) {
            probes.allocatedFromPool(size);
        } else {
            probes.allocated(size);
        }
        return new SharedLease(lease, this);
    }

    /** What the probes hear when a lease of that capacity has ended. */
    void released(int capacity) {
        if (capacity <= largest) {
            probes.released(capacity);
        }
    }
}
