// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import java.nio.ByteBuffer;
import java.util.Locale;

/** The buffer sources that a server process can be started with. */
public enum Sources {
    /** The pool, with whatever settings the system properties give it. */
    POOL,
    FRESH_HEAP,
    FRESH_DIRECT,
    /** Each buffer is the next piece of a large one. */
    BUMP_HEAP,
    BUMP_DIRECT;

    /** What it stands for, to be closed by the caller. */
    public BufferSource open() {
        return switch (this) {
            case POOL -> new PooledBuffers(BufferPool.create());
            case FRESH_HEAP -> new FreshBuffers(ByteBuffer::allocate);
            case FRESH_DIRECT -> new FreshBuffers(ByteBuffer::allocateDirect);
            case BUMP_HEAP -> new FreshBuffers(new BumpAllocator(ByteBuffer::allocate));
            case BUMP_DIRECT -> new FreshBuffers(new BumpAllocator(ByteBuffer::allocateDirect));
        };
    }

    /** The name as it is written on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
