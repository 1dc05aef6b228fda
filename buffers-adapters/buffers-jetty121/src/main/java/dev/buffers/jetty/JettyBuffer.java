// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Retainable;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * A lease by Jetty's names. It serves one acquire and no other: a late release finds the count at 0 and cannot reach the next holder's
 * buffer. It is a {@code Pooled} so that Jetty's copies are real copies, in this pool's buffers.
 */
final class JettyBuffer extends RetainableByteBuffer.Pooled {
    /* The superclass gets nothing to count: see Holds. */
    private static final Holds<JettyBuffer> HOLDS =
            new Holds<>(AtomicIntegerFieldUpdater.newUpdater(JettyBuffer.class, "holds"));

    private final PooledBuffer lease;

    @SuppressWarnings("unused") // through HOLDS
    private volatile int holds = 1;

    JettyBuffer(ByteBufferPool pool, PooledBuffer lease) {
        super(pool, lease.buffer(), Retainable.NON_RETAINABLE);
        this.lease = lease;
    }

    @Override
    public boolean canRetain() {
        return getRetained() > 0;
    }

    @Override
    public boolean isRetained() {
        return getRetained() > 1;
    }

    @Override
    public int getRetained() {
        return HOLDS.count(this);
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
        return super.getByteBuffer();
    }

    /** None after the last release, as in Jetty's own: the bounds may belong to another holder by then. */
    @Override
    public int remaining() {
        return getRetained() == 0 ? 0 : super.remaining();
    }

    @Override
    public boolean hasRemaining() {
        return getRetained() > 0 && super.hasRemaining();
    }

    /** Throws after the last release, and then before it has acquired a buffer for the copy. */
    @Override
    public RetainableByteBuffer copy() {
        getByteBuffer();
        return super.copy();
    }

    /** For {@code toDetailString()}: the bytes, which after the last release are not shown. */
    @Override
    protected void addValueString(StringBuilder builder) {
        if (getRetained() > 0) {
            super.addValueString(builder);
        }
    }

    /* The superclass uses the memory without getByteBuffer in the methods below, and append(RetainableByteBuffer) calls one of them. */

    @Override
    public long space() {
        HOLDS.checkHeld(this);
        return super.space();
    }

    @Override
    public void limit(long limit) {
        HOLDS.checkHeld(this);
        super.limit(limit);
    }

    @Override
    public byte get(long index) {
        HOLDS.checkHeld(this);
        return super.get(index);
    }

    @Override
    public boolean append(ByteBuffer bytes) {
        HOLDS.checkHeld(this);
        return super.append(bytes);
    }

    @Override
    public Mutable add(ByteBuffer bytes) {
        HOLDS.checkHeld(this);
        return super.add(bytes);
    }

    @Override
    public Mutable add(RetainableByteBuffer bytes) {
        HOLDS.checkHeld(this);
        return super.add(bytes);
    }

    @Override
    public Mutable put(byte b) {
        HOLDS.checkHeld(this);
        return super.put(b);
    }

    @Override
    public Mutable put(long index, byte b) {
        HOLDS.checkHeld(this);
        return super.put(index, b);
    }

    @Override
    public Mutable putShort(short s) {
        HOLDS.checkHeld(this);
        return super.putShort(s);
    }

    @Override
    public Mutable putInt(int i) {
        HOLDS.checkHeld(this);
        return super.putInt(i);
    }

    @Override
    public Mutable putLong(long l) {
        HOLDS.checkHeld(this);
        return super.putLong(l);
    }

    @Override
    public Mutable put(byte[] bytes, int offset, int length) {
        HOLDS.checkHeld(this);
        return super.put(bytes, offset, length);
    }
}
