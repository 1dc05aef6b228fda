package dev.buffers.io;

import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of leases on their way into a channel: written with gathering writes, each lease released as its last byte leaves.
 *
 * <p><b>Threads.</b> One at a time. <b>Ownership.</b> A lease added is the chain's, which releases it; {@link #close} releases
 * what was not written. <b>Cost.</b> One system call for up to {@value #GATHER} buffers; no copies of direct buffers.
 */
public final class BufferChain implements AutoCloseable {
    private static final int GATHER = 16;

    private final ArrayDeque<PooledBuffer> leases = new ArrayDeque<>();
    private final @Nullable ByteBuffer[] gathered = new ByteBuffer[GATHER];
    private long remaining;

    /**
     * Adds what lies between the buffer's position and limit. A lease with nothing there is released at once.
     *
     * @throws IllegalStateException when the lease has ended
     */
    public void add(PooledBuffer lease) {
        int bytes = Objects.requireNonNull(lease, "lease").buffer().remaining();
        if (bytes == 0) {
            lease.release();
        } else {
            leases.add(lease);
            remaining += bytes;
        }
    }

    /**
     * Writes as much as the channel takes now. True when nothing is left. A failed write loses nothing: what was not written
     * is still here, and {@link #close} releases it.
     */
    public boolean writeTo(GatheringByteChannel channel) throws IOException {
        while (remaining > 0) {
            long offered = 0;
            int n = 0;
            for (PooledBuffer lease : leases) {
                if (n == GATHER) {
                    break;
                }
                ByteBuffer buffer = lease.buffer();
                gathered[n++] = buffer;
                offered += buffer.remaining();
            }
            long before = remaining;
            try {
                if (n == 1) {
                    channel.write(leases.element().buffer());
                } else {
                    channel.write(gathered, 0, n);
                }
            } finally {
                releaseWritten(n);
            }
            if (before - remaining < offered) {
                return false; // the channel takes no more now
            }
        }
        return true;
    }

    /** Also after a write that failed in the middle: the buffers' positions say what has left. */
    private void releaseWritten(int offered) {
        for (int i = 0; i < offered; i++) {
            gathered[i] = null;
        }
        long left = 0;
        while (!leases.isEmpty() && !leases.element().buffer().hasRemaining()) {
            leases.remove().release();
        }
        for (PooledBuffer lease : leases) {
            left += lease.buffer().remaining();
        }
        remaining = left;
    }

    /** Bytes not yet written. */
    public long remaining() {
        return remaining;
    }

    /** Whether everything has been written. */
    public boolean isEmpty() {
        return remaining == 0;
    }

    /** Releases every lease that was not written. */
    @Override
    public void close() {
        remaining = 0;
        while (!leases.isEmpty()) {
            leases.remove().close();
        }
    }
}
