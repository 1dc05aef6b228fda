// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;

/** The Jetty 12.1 part of the pool. Any thread. */
abstract class VersionedPool implements ByteBufferPool {
    final Twins twins;

    VersionedPool(Twins twins) {
        this.twins = twins;
    }

    /**
     * An empty buffer in Jetty's flush mode, position and limit 0, big-endian, the caller's until it releases it.
     *
     * @param size bytes; the capacity is that of the size class, and at least 4 KiB, as of Jetty's own pool, for 0 and for more than 32
     *     bytes. Jetty asks for less where it writes a line or a frame's header, and gets 128 bytes there
     * @param direct which of the pools serves it; the memory is direct if the first pool's policy says so, too
     * @throws dev.buffers.PoolExhaustedException at the cap, if {@code at-limit} says so
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when the pool is closed
     */
    @Override
    public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
        return new JettyBuffer(this, twins.acquire(size, direct));
    }

    /**
     * Releases a buffer whose memory must not be used again, because an I/O failed and may still write into it. The buffer is discarded
     * once the others that retain it have released it too. For the application's I/O: Jetty 12.1 has no such method in its interface, and
     * never calls this one. A buffer of another pool is released.
     *
     * @param buffer which the caller holds
     * @return true when this was the last release
     * @throws IllegalStateException when the buffer has been released already
     */
    public boolean releaseAndRemove(RetainableByteBuffer buffer) {
        RetainableByteBuffer inner = buffer;
        while (inner instanceof RetainableByteBuffer.Wrapper wrapper) {
            inner = wrapper.getWrapped();
        }
        if (inner instanceof JettyBuffer ours) {
            ours.remove();
        }
        return buffer.release();
    }
}
