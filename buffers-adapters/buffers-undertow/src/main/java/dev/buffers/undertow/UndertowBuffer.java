// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.PooledBuffer;
import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;

/** A lease by Undertow's names. */
final class UndertowBuffer implements PooledByteBuffer {
    private final PooledBuffer lease;

    UndertowBuffer(PooledBuffer lease) {
        this.lease = lease;
    }

    @Override
    public ByteBuffer getBuffer() {
        return lease.buffer();
    }

    @Override
    public void close() {
        lease.close();
    }

    @Override
    public boolean isOpen() {
        return lease.isOpen();
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
