// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Netty's two allocators, direct. As shipped they are called from plain threads and sample one lease in 128 for leaks. At their best:
 *
 * <ul>
 *   <li>threads are {@code FastThreadLocalThread}s, as Netty's event loops are: only these have their own caches or magazines without
 *       asking, and their thread-locals are found without hashing;
 *   <li>caches are for all threads, not only for those that run an event loop: both constructors' last argument;
 *   <li>leak detection is off;
 *   <li>from Java 24 on {@code Unsafe} and native access are allowed, which Netty asks for and no longer takes by itself.
 * </ul>
 *
 * <p>The checks of bounds and of reference counts stay on: without them a stale buffer writes into the memory of any other holder.
 */
final class Netty implements Contender {
    private final ByteBufAllocator allocator;
    private final ByteBufAllocatorMetric metric;

    <A extends ByteBufAllocator & ByteBufAllocatorMetricProvider> Netty(A allocator) {
        this.allocator = allocator;
        metric = allocator.metric();
    }

    static Netty pooledBest() {
        return new Netty(new PooledByteBufAllocator(
                true,
                PooledByteBufAllocator.defaultNumHeapArena(),
                PooledByteBufAllocator.defaultNumDirectArena(),
                PooledByteBufAllocator.defaultPageSize(),
                PooledByteBufAllocator.defaultMaxOrder(),
                PooledByteBufAllocator.defaultSmallCacheSize(),
                PooledByteBufAllocator.defaultNormalCacheSize(),
                true));
    }

    @Override
    public Object acquire(int size) {
        return allocator.directBuffer(size);
    }

    @Override
    public void put(Object lease, int index, byte value) {
        ((ByteBuf) lease).setByte(index, value);
    }

    @Override
    public byte get(Object lease, int index) {
        return ((ByteBuf) lease).getByte(index);
    }

    @Override
    public void release(Object lease) {
        ((ByteBuf) lease).release();
    }

    @Override
    public long keptBytes() {
        return metric.usedDirectMemory();
    }
}
