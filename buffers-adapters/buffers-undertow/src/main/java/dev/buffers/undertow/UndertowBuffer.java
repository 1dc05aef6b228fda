// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.PooledBuffer;
import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease by Undertow's names, until it is closed. It ends once, also with recycled leases, whose object may belong to another buffer by
 * then.
 */
@SuppressWarnings("serial") // never serialized
final class UndertowBuffer extends AtomicReference<@Nullable PooledBuffer> implements PooledByteBuffer {
    UndertowBuffer(PooledBuffer lease) {
        super(lease);
    }

    @Override
    public ByteBuffer getBuffer() {
        PooledBuffer lease = get();
        if (lease == null) {
            throw new IllegalStateException("buffer is closed");
        }
        return lease.buffer();
    }

    @Override
    public void close() {
        PooledBuffer lease = getAndSet(null);
        if (lease != null) {
            lease.close();
        }
    }

    @Override
    public boolean isOpen() {
        return get() != null;
    }

    @Override
    public String toString() {
        PooledBuffer lease = get();
        return lease == null ? "UndertowBuffer[closed]" : lease.toString();
    }
}
