// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A thread-local array stack of ready buffers: no size classes, no checks, no sharing. Not a usable pool, but the limit of one. */
final class Floor implements Contender {
    private static final int DEPTH = 128;

    private final AtomicInteger stacks = new AtomicInteger();
    private final ThreadLocal<Stack> local;
    private final int size;

    Floor(int size) {
        this.size = size;
        local = ThreadLocal.withInitial(() -> {
            stacks.incrementAndGet();
            return new Stack(size);
        });
    }

    private static final class Stack {
        final ByteBuffer[] buffers = new ByteBuffer[DEPTH];
        int count;

        Stack(int size) {
            while (count < DEPTH) {
                buffers[count++] = ByteBuffer.allocateDirect(size);
            }
        }
    }

    @Override
    public Object acquire(int asked) {
        Stack stack = local.get();
        return stack.buffers[--stack.count].clear().limit(asked);
    }

    @Override
    public void release(Object lease) {
        Stack stack = local.get();
        stack.buffers[stack.count++] = (ByteBuffer) lease;
    }

    @Override
    public long keptBytes() {
        return (long) stacks.get() * DEPTH * size;
    }
}
