// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import java.nio.ByteBuffer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/** One MPMC queue of direct buffers of one size: the pool of ten lines. */
class SharedQueue implements Contender {
    private static final int CAPACITY = 1 << 17;

    private final MpmcVarHandleArrayQueue<ByteBuffer> free = new MpmcVarHandleArrayQueue<>(CAPACITY);
    private final int size;

    SharedQueue(int size) {
        this.size = size;
    }

    @Override
    public Object acquire(int asked) {
        @Nullable ByteBuffer buffer = free.poll();
        buffer = buffer == null ? ByteBuffer.allocateDirect(size) : buffer;
        return buffer.clear().limit(asked);
    }

    @Override
    public void release(Object lease) {
        free.offer((ByteBuffer) lease);
    }

    @Override
    public final long keptBytes() {
        return (long) free.size() * size;
    }

    @Override
    public final void close() {
        free.clear();
    }
}
