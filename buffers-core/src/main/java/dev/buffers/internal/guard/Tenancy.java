// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The time from one acquire to the last release of its memory. As a phantom reference on the view that was lent it shows that all its
 * leases were lost.
 *
 * <p>Any thread.
 */
final class Tenancy extends PhantomReference<ByteBuffer> {
    private static final int MOST_HOLDS = 1 << 15;

    /** The pool, as leases see it. */
    interface Owner {
        String name();

        /** Takes the memory back; called by the thread that released the last lease. */
        void takeBack(Tenancy tenancy, boolean discards);

        /** Makes the error for the use of a lease that has ended. */
        IllegalStateException ended(Trace trace, boolean release);
    }

    final Owner owner;
    final Trace trace;
    final int row;

    /** Null once it has ended. Guarded by the lock of {@link BlockStore}; the thread that ends it reads it plainly. */
    @Nullable Block block;

    final IntrusiveList.Link<Tenancy> link = new IntrusiveList.Link<>(this);
    private final AtomicInteger holds = new AtomicInteger(1);
    private volatile boolean discards;

    Tenancy(Owner owner, Block block, int size, ByteBuffer view, ReferenceQueue<ByteBuffer> lost) {
        super(view, lost);
        this.owner = owner;
        this.block = block;
        this.row = block.lentRow;
        this.trace = new Trace(size, block.capacity);
    }

    /** Counts a further lease; false when the last one has ended. */
    boolean hold() {
        for (int now = holds.get(); now > 0; now = holds.get()) {
            if (now == MOST_HOLDS) {
                throw new IllegalStateException("too many leases on one buffer: leases=" + (MOST_HOLDS - 1));
            }
            if (holds.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Ends one lease; true when it was the last. */
    boolean drop(boolean discard) {
        if (discard) {
            discards = true;
        }
        if (holds.decrementAndGet() > 0) {
            return false;
        }
        owner.takeBack(this, discards);
        return true;
    }
}
