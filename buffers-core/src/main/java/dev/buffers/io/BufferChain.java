package dev.buffers.io;

import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of leases to be written to a channel. It uses gathering writes, and releases each lease when its last byte is written.
 *
 * <p><b>Threads.</b> One at a time; passing it on needs a happens-before edge.
 *
 * <p><b>Ownership.</b> The chain owns a lease that was added, and releases it; {@link #close} releases what was not written. The channel
 * stays the caller's.
 *
 * <p><b>Cost.</b> One system call for up to {@value #GATHER} buffers; no copies of direct buffers. Adding allocates nothing, except when
 * the queue must grow. It blocks only as the channel does.
 *
 * <p><b>Errors.</b> What the channel throws is thrown as it is. The buffers' positions say what was written: nothing is sent twice.
 */
public final class BufferChain implements AutoCloseable {
    private static final int GATHER = 16;

    private final ArrayDeque<PooledBuffer> leases = new ArrayDeque<>();
    private final @Nullable ByteBuffer[] gathered = new ByteBuffer[GATHER];
    private long remaining;

    /** An empty chain. */
    public BufferChain() {}

    /**
     * Adds the bytes between the buffer's position and limit. A lease with no bytes there is released at once.
     *
     * @param lease the chain's from now on; its buffer must not be moved meanwhile
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
     * Writes as much as the channel takes now. True when nothing is left. A failed write loses nothing: what was not written is still here,
     * and {@link #close} releases it.
     *
     * @param channel in either mode: one that does not block is written until it takes no more
     * @return whether all has been written
     * @throws IOException what the channel throws
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

    /** Also called after a write that failed in the middle: the buffers' positions say what was written. */
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

    /**
     * How many bytes are not yet written, in all leases together.
     *
     * @return bytes
     */
    public long remaining() {
        return remaining;
    }

    /**
     * Whether everything has been written.
     *
     * @return true also for a chain to which nothing was added
     */
    public boolean isEmpty() {
        return remaining == 0;
    }

    /** Releases every lease that was not written. Closing again does nothing. */
    @Override
    public void close() {
        remaining = 0;
        while (!leases.isEmpty()) {
            leases.remove().close();
        }
    }
}
