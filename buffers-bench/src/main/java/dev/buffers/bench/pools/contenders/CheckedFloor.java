// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The floor whose buffers are released exactly once: each has one handle, used again for each lease. The
 * limit of a pool that sees a double release, by any thread, until the handle is leased again, and does nothing else.
 */
final class CheckedFloor implements Contender {
    private static final int DEPTH = 128;

    private final AtomicInteger stacks = new AtomicInteger();
    private final ThreadLocal<Stack> local;
    private final int size;

    CheckedFloor(int size) {
        this.size = size;
        local = ThreadLocal.withInitial(() -> {
            stacks.incrementAndGet();
            return new Stack(size);
        });
    }

    @SuppressWarnings("serial") // it is never serialized
    private static final class Handle extends AtomicBoolean {
        final ByteBuffer buffer;

        Handle(int size) {
            buffer = ByteBuffer.allocateDirect(size);
        }
    }

    private static final class Stack {
        final Handle[] handles = new Handle[DEPTH];
        int count;

        Stack(int size) {
            while (count < DEPTH) {
                handles[count++] = new Handle(size);
            }
        }
    }

    @Override
    public Object acquire(int asked) {
        Stack stack = local.get();
        Handle handle = stack.handles[--stack.count];
        handle.setOpaque(true); // no other thread has it
        handle.buffer.clear().limit(asked);
        return handle;
    }

    @Override
    public ByteBuffer buffer(Object lease) {
        Handle handle = (Handle) lease;
        if (!handle.get()) {
            throw new IllegalStateException("was released before");
        }
        return handle.buffer;
    }

    @Override
    public void release(Object lease) {
        Handle handle = (Handle) lease;
        if (!handle.compareAndSet(true, false)) {
            throw new IllegalStateException("was released before");
        }
        Stack stack = local.get();
        stack.handles[stack.count++] = handle;
    }

    @Override
    public long keptBytes() {
        return (long) stacks.get() * DEPTH * size;
    }
}
