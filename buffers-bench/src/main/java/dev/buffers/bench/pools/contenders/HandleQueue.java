// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The same queue, with a handle for each acquire that ends exactly once, as our leases do: what a plain queue costs when it sees a double
 * release. It has no cap and one size.
 */
final class HandleQueue extends SharedQueue {
    HandleQueue(int size) {
        super(size);
    }

    @SuppressWarnings("serial") // never serialised
    private static final class Handle extends AtomicReference<@Nullable ByteBuffer> {
        Handle(Object buffer) {
            super((ByteBuffer) buffer);
        }
    }

    @Override
    public Object acquire(int asked) {
        return new Handle(super.acquire(asked));
    }

    @Override
    public ByteBuffer buffer(Object lease) {
        return notEnded(((Handle) lease).getPlain());
    }

    @Override
    public void release(Object lease) {
        super.release(notEnded(((Handle) lease).getAndSet(null)));
    }

    private static ByteBuffer notEnded(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            throw new IllegalStateException("was released before");
        }
        return buffer;
    }
}
