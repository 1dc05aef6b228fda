package dev.buffers.jetty;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;

/**
 * A lease by Jetty's names. It serves one acquire and no other, so that a late release finds its own count at 0 and nobody else's
 * buffer.
 */
final class JettyBuffer implements RetainableByteBuffer {
    /*
     * The count is a field of this object, with the answers and exceptions of Jetty's ReferenceCounter: that one would be two more
     * objects for each acquire. So is the mark REMOVED: a field of its own would make the object larger.
     */
    private static final AtomicIntegerFieldUpdater<JettyBuffer> HOLDS =
            AtomicIntegerFieldUpdater.newUpdater(JettyBuffer.class, "holds");

    private static final int REMOVED = 1 << 30;

    private final PooledBuffer lease;
    private final ByteBuffer buffer;

    /** How many hold it, and perhaps REMOVED. */
    private volatile int holds = 1;

    JettyBuffer(PooledBuffer lease) {
        this.lease = lease;
        this.buffer = lease.buffer();
    }

    private int count() {
        return holds & ~REMOVED;
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
        if (count() == 0) {
            throw new IllegalStateException("released " + this);
        }
        return buffer;
    }

    /** None after the last release, as in Jetty's own: the bounds are somebody else's by then. */
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
