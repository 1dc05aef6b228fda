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
     * objects for each acquire. Hence the superclass is told that there is nothing to count.
     */
    private static final AtomicIntegerFieldUpdater<JettyBuffer> HOLDS =
            AtomicIntegerFieldUpdater.newUpdater(JettyBuffer.class, "holds");

    private final PooledBuffer lease;
    private volatile int holds = 1;
    private boolean removed;

    JettyBuffer(ByteBufferPool pool, PooledBuffer lease) {
        super(pool, lease.buffer(), Retainable.NON_RETAINABLE);
        this.lease = lease;
    }

    @Override
    public boolean canRetain() {
        return holds > 0;
    }

    @Override
    public boolean isRetained() {
        return holds > 1;
    }

    @Override
    public int getRetained() {
        return holds;
    }

    @Override
    public void retain() {
        if (HOLDS.getAndUpdate(this, n -> n == 0 ? 0 : n + 1) == 0) {
            throw new IllegalStateException("released " + this);
        }
    }

    @Override
    public boolean release() {
        int before = HOLDS.getAndUpdate(this, n -> n == 0 ? 0 : n - 1);
        if (before == 0) {
            throw new IllegalStateException("already released " + this);
        }
        if (before > 1) {
            return false;
        }
        if (removed) {
            lease.discard();
        } else {
            lease.release();
        }
        return true;
    }

    /** Its memory is not to be used again. By one who has yet to release it, so that the count orders this before the last release. */
    void remove() {
        removed = true;
    }

    /** The memory, which after the last release is somebody else's. */
    @Override
    public ByteBuffer getByteBuffer() {
        if (holds == 0) {
            throw new IllegalStateException("released " + this);
        }
        return super.getByteBuffer();
    }

    /** None after the last release, as in Jetty's own: the bounds are somebody else's by then. */
    @Override
    public int remaining() {
        return holds == 0 ? 0 : super.remaining();
    }

    @Override
    public boolean hasRemaining() {
        return holds > 0 && super.hasRemaining();
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
        if (holds > 0) {
            super.addValueString(builder);
        }
    }
}
