// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.SelectableChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of leases to be written to a channel. It uses gathering writes, and releases each lease when its last byte is written.
 *
 * <pre>{@code
 * BufferChain unsent = new BufferChain();
 *
 * PooledBuffer answer = pool.acquire(1024);
 * answer.buffer().put(message).flip();
 * unsent.add(answer); // the chain releases it
 * boolean done = unsent.writeTo(socket); // if false, call it again when the socket is writable
 * }</pre>
 *
 * <p><b>Threads.</b> One at a time; passing it on needs a happens-before edge.
 *
 * <p><b>Ownership.</b> The chain owns a lease that was added, and releases it; {@link #close} releases those that were not written. If a
 * write of a channel that is not the JDK's was cut short, the leases that it was given are discarded instead. The channel stays the
 * caller's.
 *
 * <p><b>Cost.</b> One system call for up to {@value #GATHER} buffers; no copies of direct buffers. The JDK copies heap buffers, so that it
 * is given at most 128 KiB of them in one call. Adding allocates nothing, except when the queue must grow. It blocks only as the channel
 * does.
 *
 * <p><b>Errors.</b> What the channel throws is thrown as it is. The buffers' positions say how much was written: nothing is sent twice.
 */
public final class BufferChain implements AutoCloseable {
    private static final int GATHER = 16;

    private final ArrayDeque<PooledBuffer> leases = new ArrayDeque<>();
    private final @Nullable ByteBuffer[] gathered = new ByteBuffer[GATHER];
    private final int[] limits = new int[GATHER];

    /** How many of the first leases a write that was cut short may still use. They are discarded then. */
    private int inDoubt;

    /** An empty chain. */
    public BufferChain() {}

    /**
     * Adds the bytes of a flipped buffer, up to its limit. If {@code flip()} left no bytes, the lease is released at once.
     *
     * <p>A buffer whose position is not 0 is refused, because after {@code put}s without a {@code flip()} the bytes from there on are those
     * of an earlier holder. To send a part of a buffer, or the rest of one that was partly read, add a {@linkplain PooledBuffer#slice
     * slice} and release the lease itself.
     *
     * @param lease the chain's from now on, unless this throws; its buffer must not be moved in the meantime
     * @throws IllegalArgumentException when the buffer's position is not 0; the lease is still the caller's then
     * @throws IllegalStateException when the lease has ended
     */
    public void add(PooledBuffer lease) {
        ByteBuffer buffer = Objects.requireNonNull(lease, "lease").buffer();
        if (buffer.position() != 0) {
            throw new IllegalArgumentException("buffer is in fill mode, or partly read: position=" + buffer.position()
                    + ", limit=" + buffer.limit() + "; accepted: a buffer that was flipped, or a slice of the lease");
        }
        if (buffer.hasRemaining()) {
            leases.add(lease);
        } else {
            lease.release();
        }
    }

    /**
     * Writes to the end, or as much as a channel in non-blocking mode takes now. One that blocks is written until it has taken everything,
     * in as many writes as that needs: a blocking socket of the JDK writes in parts once a virtual thread has used it, and no system call
     * writes 2 GiB. A {@code SelectableChannel} in non-blocking mode is left at its first incomplete write, any other channel at the first
     * write that takes nothing.
     *
     * <p>A failed write loses nothing: unwritten leases are still here, and {@link #close} releases them.
     *
     * @param channel in either mode
     * @return whether all has been written; false only if the channel takes no more now, as only one that does not block may
     * @throws IOException what the channel throws
     * @throws IllegalArgumentException when the channel is a {@code DatagramChannel}, which sends each write as one datagram
     */
    public boolean writeTo(GatheringByteChannel channel) throws IOException {
        StreamLease.checkBytes(channel);
        while (!leases.isEmpty()) {
            int n = gather();
            ByteBuffer first = Objects.requireNonNull(gathered[0]);
            ByteBuffer last = Objects.requireNonNull(gathered[n - 1]);
            int begin = first.position();
            boolean goesOn;
            try {
                if (n == 1) {
                    last.limit(last.position() + StreamLease.atOnce(last, last.remaining()));
                    channel.write(last);
                } else {
                    channel.write(gathered, 0, n);
                }
                goesOn = !last.hasRemaining() || first.position() > begin && mayBlock(channel);
            } catch (Throwable e) {
                inDoubt = StreamLease.mayStillUse(channel, e) ? Math.max(inDoubt, n) : inDoubt;
                throw e;
            } finally { // also after a failed write the buffers' positions say how much was written
                for (int i = 0; i < n; i++) {
                    Objects.requireNonNull(gathered[i]).limit(limits[i]); // a failed write may have left any limit
                }
                Arrays.fill(gathered, 0, n, null);
                while (!leases.isEmpty() && !leases.element().buffer().hasRemaining()) {
                    end(leases.remove());
                }
            }
            if (!goesOn) {
                return false; // the channel takes no more now
            }
        }
        return true;
    }

    /** Whether to write again after an incomplete write, by which a channel in non-blocking mode says that it takes no more now. */
    private static boolean mayBlock(GatheringByteChannel channel) {
        return !(channel instanceof SelectableChannel selectable) || selectable.isBlocking();
    }

    /** Gathers the first buffers, with no more heap memory than the JDK may be given at once, or only the first if that has more. */
    private int gather() {
        int n = 0;
        long heap = 0;
        for (Iterator<PooledBuffer> next = leases.iterator(); n < GATHER && next.hasNext(); n++) {
            ByteBuffer buffer = next.next().buffer();
            heap += buffer.isDirect() ? 0 : buffer.remaining();
            if (n > 0 && heap > StreamLease.MOST_AT_ONCE) {
                break;
            }
            gathered[n] = buffer;
            limits[n] = buffer.limit();
        }
        return n;
    }

    /** {@return how many bytes are not yet written, in all leases together} Looks at each of them. */
    public long remaining() {
        long bytes = 0;
        for (PooledBuffer lease : leases) {
            bytes += lease.buffer().remaining();
        }
        return bytes;
    }

    /** {@return whether everything has been written; true also for a chain to which nothing was added} */
    public boolean isEmpty() {
        return leases.isEmpty();
    }

    /** Releases every lease that was not written. Closing again does nothing. */
    @Override
    public void close() {
        while (!leases.isEmpty()) {
            end(leases.remove());
        }
    }

    private void end(PooledBuffer lease) {
        if (inDoubt == 0) {
            lease.close();
            return;
        }
        inDoubt--;
        if (lease.isOpen()) {
            lease.discard();
        }
    }
}
