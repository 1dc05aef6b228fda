// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import tlschannel.BufferAllocator;

/**
 * What TLS Channel decrypts into when the reader's own buffer is too small.
 *
 * <p>Any thread.
 */
final class PlainLeases implements BufferAllocator {
    /*
     * TLS Channel allocates this buffer for the handshake too, which puts nothing into it, and then keeps it until some read needs it,
     * mostly for as long as the connection lives. So the first one is no lease but an array, which goes with the connection; any later one
     * is needed for a record, and given back as soon as that is read. Each has exactly the capacity that was asked for: TLS Channel counts
     * the bytes that it asks for, and the capacity of what it frees.
     */
    private static final ByteBuffer FREED = ByteBuffer.allocate(0);

    private final Leases leases;

    /** The first buffer; null before, {@link #FREED} after it. Under the lock. */
    private @Nullable ByteBuffer first;

    PlainLeases(Leases leases) {
        this.leases = leases;
    }

    @Override
    public ByteBuffer allocate(int size) {
        synchronized (this) {
            if (first == null) {
                first = ByteBuffer.allocate(size);
                return first;
            }
        }
        return leases.allocate(size);
    }

    @Override
    public void free(ByteBuffer buffer) {
        synchronized (this) {
            if (buffer == first) {
                first = FREED;
                return;
            }
        }
        leases.free(buffer);
    }
}
