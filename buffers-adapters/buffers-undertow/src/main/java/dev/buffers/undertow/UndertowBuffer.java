// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.PooledBuffer;
import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;

/**
 * A lease by Undertow's names, with a position and a limit that no later lease shares: when a read or write fails and ends the exchange, its
 * buffer is closed, and only then does {@code FixedLengthStreamSourceConduit.read}, for example, set back the limit of what it was given.
 */
final class UndertowBuffer implements PooledByteBuffer {
    private final PooledBuffer lease;
    private final ByteBuffer bytes;

    UndertowBuffer(PooledBuffer lease) {
        this.lease = lease;
        this.bytes = lease.buffer().duplicate();
    }

    @Override
    public ByteBuffer getBuffer() {
        lease.buffer(); // throws once the lease has ended
        return bytes;
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
