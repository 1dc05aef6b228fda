package dev.buffers.jetty;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Retainable;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * A lease by Jetty's names. It serves one acquire and no other, so that a late release finds its own count at 0 and nobody else's
 * buffer. It is a {@code Pooled} so that what Jetty copies out of it is copied, and into this pool's buffers.
 */
final class JettyBuffer extends RetainableByteBuffer.Pooled {
    /*
     * The count is a field of this object, with the answers and exceptions of Jetty's ReferenceCounter: that one would be two more
     * objects for each acquire. Hence the superclass gets nothing to count. So is the mark REMOVED: a field of its own
     * would make the object larger.
     */
    private static final AtomicIntegerFieldUpdater<JettyBuffer> HOLDS =
            AtomicIntegerFieldUpdater.newUpdater(JettyBuffer.class, "holds");

    private static final int REMOVED = 1 << 30;

    private final PooledBuffer lease;

    /** How many hold it, and perhaps REMOVED. */
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
        return holds & ~REMOVED;
    }

    @Override
    public void retain() {
        if ((HOLDS.getAndUpdate(this, n -> (n & ~REMOVED) == 0 ? n : n + 1) & ~REMOVED) == 0) {
            throw new IllegalStateException("released " + this);
        }
    }

    @Override
    public boolean release() {
        int before = HOLDS.getAndUpdate(this, n -> (n & ~REMOVED) == 0 ? n : n - 1);
        if ((before & ~REMOVED) == 0) {
            throw new IllegalStateException("already released " + this);
        }
        if (before == 1) {
            lease.release();
        } else if (before == (REMOVED | 1)) {
            lease.discard();
        } else {
            return false;
        }
        return true;
    }

    /** Marks the memory as not to be used again. The caller has still to release it. */
    void remove() {
        HOLDS.getAndUpdate(this, n -> (n & ~REMOVED) == 0 ? n : n | REMOVED);
    }

    /** The memory, which after the last release is somebody else's. */
    @Override
    public ByteBuffer getByteBuffer() {
        if (getRetained() == 0) {
            throw new IllegalStateException("released " + this);
        }
        return super.getByteBuffer();
    }

    /** None after the last release, as in Jetty's own: the bounds are somebody else's by then. */
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
}
