// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;

/**
 * A lease by Jetty's names. It serves one acquire and no other: a late release finds the count at 0 and cannot reach the next holder's
 * buffer.
 */
final class JettyBuffer implements RetainableByteBuffer {
    private static final Holds<JettyBuffer> HOLDS =
            new Holds<>(AtomicIntegerFieldUpdater.newUpdater(JettyBuffer.class, "holds"));

    private final PooledBuffer lease;
    private final ByteBuffer buffer;

    @SuppressWarnings("unused") // through HOLDS
    private volatile int holds = 1;

    JettyBuffer(PooledBuffer lease) {
        this.lease = lease;
        this.buffer = lease.buffer();
    }

    private int count() {
        return HOLDS.count(this);
    }

    /** True after the last release too, as Jetty's own says. */
    @Override
    public boolean canRetain() {
        return true;
    }

    @Override
    public boolean isRetained() {
        return count() > 1;
    }

    @Override
    public void retain() {
        HOLDS.retain(this);
    }

    @Override
    public boolean release() {
        return HOLDS.release(this, lease);
    }

    /** Marks the memory as not to be used again. The caller has still to release it. */
    void remove() {
        HOLDS.remove(this);
    }

    /** The memory; after the last release it may belong to another holder. */
    @Override
    public ByteBuffer getByteBuffer() {
        HOLDS.checkHeld(this);
        return buffer;
    }

    /** None after the last release, as in Jetty's own: the bounds may belong to another holder by then. */
    @Override
    public int remaining() {
        return count() == 0 ? 0 : buffer.remaining();
    }

    @Override
    public boolean hasRemaining() {
        return remaining() > 0;
    }

    @Override
    public int capacity() {
        return buffer.capacity();
    }

    @Override
    public boolean isDirect() {
        return buffer.isDirect();
    }

    @Override
    public String toString() {
        int count = count();
        String bytes = count == 0 ? "released" : BufferUtil.toDetailString(buffer);
        return "JettyBuffer@" + Integer.toHexString(hashCode()) + "[rc=" + count + "," + bytes + "]";
    }
}
