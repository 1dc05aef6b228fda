package dev.buffers.jetty;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;

/**
 * A lease by Jetty's names. It serves one acquire and no other, so that a late release finds its own count at 0 and nobody else's
 * buffer.
 */
final class JettyBuffer implements RetainableByteBuffer {
    private final PooledBuffer lease;
    private final ByteBuffer buffer;
    private final ReferenceCounter holds = new ReferenceCounter();
    private boolean removed;

    JettyBuffer(PooledBuffer lease) {
        this.lease = lease;
        this.buffer = lease.buffer();
    }

    @Override
    public boolean canRetain() {
        return holds.canRetain();
    }

    @Override
    public boolean isRetained() {
        return holds.isRetained();
    }

    @Override
    public void retain() {
        holds.retain();
    }

    @Override
    public boolean release() {
        boolean last = holds.release();
        if (last && removed) {
            lease.discard();
        } else if (last) {
            lease.release();
        }
        return last;
    }

    /** Its memory is not to be used again. By one who has yet to release it, so that the count orders this before the last release. */
    void remove() {
        removed = true;
    }

    /** The memory, which after the last release is somebody else's. */
    @Override
    public ByteBuffer getByteBuffer() {
        if (holds.get() == 0) {
            throw new IllegalStateException("released " + this);
        }
        return buffer;
    }

    /** None after the last release, as in Jetty's own: the bounds are somebody else's by then. */
    @Override
    public int remaining() {
        return holds.get() == 0 ? 0 : buffer.remaining();
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
        int count = holds.get();
        String bytes = count == 0 ? "released" : BufferUtil.toDetailString(buffer);
        return "JettyBuffer@" + Integer.toHexString(hashCode()) + "[rc=" + count + "," + bytes + "]";
    }
}
