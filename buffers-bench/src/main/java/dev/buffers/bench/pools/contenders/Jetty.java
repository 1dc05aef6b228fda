// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * Jetty's {@code ArrayByteBufferPool}, direct; statistics are off, as shipped. As shipped its buckets are 4 KiB apart. At its best it has a
 * bucket for each power of two, which is what 12.1 offers in place of its deprecated {@code Quadratic}: a bucket is a list that is
 * searched, and more buckets make shorter lists; and its memory is unlimited, so that no release goes over all buckets to add up idle
 * memory. A size that is exactly a bucket's capacity gets the next larger bucket (12.1.14), so that each has one byte more than its power
 * of two.
 */
final class Jetty implements Contender {
    private static final int LEAST_LOG = 6;
    private static final int GREATEST_LOG = 16;

    private final ArrayByteBufferPool pool;

    Jetty(ArrayByteBufferPool pool) {
        this.pool = pool;
    }

    static Jetty best() {
        int[] capacities = IntStream.rangeClosed(LEAST_LOG, GREATEST_LOG)
                .map(log -> (1 << log) + 1)
                .toArray();
        return new Jetty(new ArrayByteBufferPool.WithBucketCapacities(-1, -1, capacities));
    }

    @Override
    public Object acquire(int size) {
        RetainableByteBuffer.Mutable lease = pool.acquire(size, true);
        lease.getByteBuffer().clear().limit(size);
        return lease;
    }

    @Override
    public ByteBuffer buffer(Object lease) {
        return ((RetainableByteBuffer.Mutable) lease).getByteBuffer();
    }

    @Override
    public void release(Object lease) {
        ((RetainableByteBuffer.Mutable) lease).release();
    }

    @Override
    public long keptBytes() {
        return pool.getDirectMemory();
    }

    @Override
    public void close() {
        pool.clear();
    }
}
