// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.bench.pools.contenders.Pools;
import java.nio.ByteBuffer;

/** The kinds of memory that are compared. A fork uses one of them, so that every call site sees one class. */
public enum BufferKind {
    /** A plain array; its buffer only wraps it, for checks of its content. */
    byteArray,
    heap,
    direct,
    /** A lease of this library's, cut from a large array. */
    heapView,
    /** A lease of this library's, cut from a large direct buffer. */
    directView;

    private static final int POOLED_BY_DEFAULT = 256 << 10;

    /** A buffer for as long as a fork needs it; its end releases it when it is leased. */
    record Held(ByteBuffer buffer, Runnable end) {}

    /** A buffer of this kind: position 0, limit {@code size}. */
    Held hold(int size) {
        return switch (this) {
            case byteArray, heap -> new Held(ByteBuffer.allocate(size), () -> {});
            case direct -> new Held(ByteBuffer.allocateDirect(size), () -> {});
            case heapView -> lease("heap-view", size);
            case directView -> lease("direct-view", size);
        };
    }

    /** From a separate pool, in which even a large buffer is a view. */
    private static Held lease(String policy, int size) {
        BufferPool pool = BufferPool.builder("claims")
                .policy(policy)
                .maxSize(Math.max(size, POOLED_BY_DEFAULT))
                .build();
        PooledBuffer lease = pool.acquire(size);
        return new Held(lease.buffer(), () -> {
            lease.release();
            Pools.closeQuiet(pool);
        });
    }
}
