// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Many leases at once. */
public final class Leases {
    private Leases() {}

    /** Every lease of that size that the pool serves now. */
    public static List<PooledBuffer> all(BufferPool pool, int size) {
        List<PooledBuffer> all = new ArrayList<>();
        for (PooledBuffer lease = pool.tryAcquire(size); lease != null; lease = pool.tryAcquire(size)) {
            all.add(lease);
        }
        return all;
    }

    public static List<PooledBuffer> of(int count, Supplier<PooledBuffer> acquire) {
        List<PooledBuffer> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leases.add(acquire.get());
        }
        return leases;
    }

    /** Drops a lease of this size, which only the collector finds. */
    public static void lose(BufferPool pool, int size) {
        pool.acquire(size).buffer().put(0, (byte) 1);
    }

    /** Releases and forgets them. */
    public static void release(List<PooledBuffer> leases) {
        leases.forEach(PooledBuffer::release);
        leases.clear();
    }
}
