// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import org.jspecify.annotations.Nullable;

/**
 * How far a transfer had come when it failed. Never thrown: {@link Transfers} adds it, as a suppressed exception, to what an end of the
 * transfer threw, so that the failure keeps its class. {@link #of} finds it there.
 *
 * <p>The source has given exactly the {@link #transferred} bytes followed by the {@link #unwritten} ones. Write the latter to the sink and
 * then transfer again: this loses and repeats nothing.
 *
 * <p><b>Threads.</b> Any: it is immutable, except for the array's content. <b>Ownership.</b> The array is the caller's, and no pooled
 * memory.
 */
public final class PartialTransferException extends Exception {
    private static final long serialVersionUID = 1;

    /** As {@link #transferred}. */
    private final long transferred;

    /** As {@link #unwritten}. */
    private final byte[] unwritten;

    private PartialTransferException(long transferred, byte[] unwritten) {
        super("transferred=" + transferred + ", unwritten=" + unwritten.length, null, false, false);
        this.transferred = transferred;
        this.unwritten = unwritten;
    }

    /**
     * Finds this exception for a failed transfer. Looks at the exceptions suppressed in the failure and in its causes, so a future's {@code
     * ExecutionException} may be passed too. Null when none is there: no transfer threw it, or the exception does not allow suppression. An
     * exception object that was thrown twice has the figures of the later transfer.
     *
     * @param failure what a transfer threw, or its future failed with
     * @return how far it came, or null
     */
    public static @Nullable PartialTransferException of(Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 16; depth++) {
            Throwable[] suppressed = at.getSuppressed();
            for (int i = suppressed.length - 1; i >= 0; i--) {
                if (suppressed[i] instanceof PartialTransferException partial) {
                    return partial;
                }
            }
            at = at.getCause();
        }
        return null;
    }

    static void addTo(Throwable failure, long transferred, byte[] unwritten) {
        failure.addSuppressed(new PartialTransferException(transferred, unwritten));
    }

    /** {@return how many bytes the sink is known to have taken} */
    public long transferred() {
        return transferred;
    }

    /**
     * The bytes that left the source and that the sink is not known to have taken; none when the source could be set back to them. A
     * channel has taken none of them. A stream does not say how much of a failed write it took, and may have taken the first of them; so
     * may an asynchronous channel whose write timed out. Every call gives the same array.
     *
     * @return the bytes themselves
     */
    public byte[] unwritten() {
        return unwritten;
    }
}
