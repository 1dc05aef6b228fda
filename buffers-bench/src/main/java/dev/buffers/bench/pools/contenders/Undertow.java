// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import dev.buffers.bench.jvm.DirectMemory;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.DefaultByteBufferPool;
import java.nio.ByteBuffer;

/**
 * Undertow's {@code DefaultByteBufferPool}, direct, at its best: its one size is the largest that the workload asks for, a thread keeps
 * twice as many buffers as any workload has out (shipped: 4, or 12), and the shared queue may keep any number. As shipped its bound is -1,
 * and since it compares with "greater" the queue then keeps none.
 */
final class Undertow implements Contender {
    private static final int THREAD_CACHE = 64;

    private final DirectMemory memory = new DirectMemory();
    private final DefaultByteBufferPool pool;

    Undertow(int size) {
        pool = new DefaultByteBufferPool(true, size, Integer.MAX_VALUE, THREAD_CACHE);
    }

    @Override
    public Object acquire(int size) {
        return pool.allocate();
    }

    @Override
    public ByteBuffer buffer(Object lease) {
        return ((PooledByteBuffer) lease).getBuffer();
    }

    @Override
    public void release(Object lease) {
        ((PooledByteBuffer) lease).close();
    }

    @Override
    public long keptBytes() {
        return memory.growth();
    }

    @Override
    public void close() {
        pool.close();
    }
}
