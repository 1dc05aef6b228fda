// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;

/** This library. */
final class OurPool implements Contender {
    private final BufferPool pool;

    OurPool(BufferPool.Builder settings) {
        pool = settings.build();
    }

    @Override
    public Object acquire(int size) {
        return pool.acquire(size);
    }

    @Override
    public ByteBuffer buffer(Object lease) {
        return ((PooledBuffer) lease).buffer();
    }

    @Override
    public void release(Object lease) {
        ((PooledBuffer) lease).release();
    }

    @Override
    public long keptBytes() {
        return pool.stats().reservedBytes();
    }

    @Override
    public void showIn(MeterRegistry registry) {
        BufferPoolMetrics.monitor(registry, pool);
    }

    @Override
    public void close() {
        Pools.closeQuiet(pool);
    }
}
