// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import tlschannel.BufferAllocator;

/**
 * The leases of one connection, found by their buffers. It belongs to the connection, so that a connection which is dropped takes it along
 * and its leases are seen to be lost.
 *
 * <p>Any thread: one may be reading while another writes.
 */
final class Leases implements BufferAllocator {
    private final BufferPool pool;

    /** Three of them, or up to six while buffers grow. Under the lock. */
    private @Nullable Held first;

    Leases(BufferPool pool) {
        this.pool = pool;
    }

    /** A lease, and the buffer by which TLS Channel knows it. */
    private static final class Held {
        final PooledBuffer lease;
        final ByteBuffer buffer;

        @Nullable Held next;

        Held(PooledBuffer lease, ByteBuffer buffer) {
            this.lease = lease;
            this.buffer = buffer;
        }
    }

    /** A buffer of exactly that capacity: TLS Channel compares capacities to see whether a buffer may still grow. */
    @Override
    public ByteBuffer allocate(int size) {
        PooledBuffer lease = pool.acquire(size);
        try {
            ByteBuffer whole = lease.buffer();
            Held held = new Held(lease, whole.capacity() == size ? whole : whole.slice());
            add(held);
            return held.buffer;
        } catch (Throwable e) {
            lease.close();
            throw e;
        }
    }

    private synchronized void add(Held held) {
        held.next = first;
        first = held;
    }

    @Override
    public void free(ByteBuffer buffer) {
        remove(buffer).lease.release();
    }

    private synchronized Held remove(ByteBuffer buffer) {
        Held before = null;
        for (Held held = first; held != null; before = held, held = held.next) {
            if (held.buffer == buffer) {
                if (before == null) {
                    first = held.next;
                } else {
                    before.next = held.next;
                }
                return held;
            }
        }
        throw new IllegalStateException("not a buffer of this connection, or freed before: buffer=" + buffer);
    }
}
