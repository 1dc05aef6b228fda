// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.slab.AcquireTrace;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The time from one acquire to the last release of its memory, and where both were. As a phantom reference on the view that was lent it
 * shows that all its leases were lost. Once it has ended it refers to no memory.
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

        /** Makes the error for the use of a lease that has ended, and was {@code released} there. */
        IllegalStateException ended(Tenancy tenancy, boolean release, @Nullable Throwable released);
    }

    final Owner owner;
    final AcquireTrace trace;
    final int sizeClass;
    final int capacity;

    /** Where its last lease was released; null before that. */
    volatile @Nullable Throwable released;

    /** Null once it has ended. Guarded by the lock of {@link BlockStore}; the thread that ends it reads it plainly. */
    @Nullable Block block;

    final IntrusiveList.Link<Tenancy> link = new IntrusiveList.Link<>(this);

    /** How many leases there are, and whether one was discarded. Guarded by the lock of this. */
    private int holds = 1;

    private boolean discards;

    Tenancy(Owner owner, Block block, int size, ByteBuffer view, ReferenceQueue<ByteBuffer> lost) {
        super(view, lost);
        this.owner = owner;
        this.block = block;
        this.sizeClass = block.sizeClass();
        this.capacity = block.capacity;
        this.trace = new AcquireTrace(0, size);
    }

    /** Counts a further lease; false when the last one has ended. */
    synchronized boolean hold() {
        if (holds == MOST_HOLDS) {
            throw new IllegalStateException("too many leases on one buffer: leases=" + (MOST_HOLDS - 1));
        }
        holds += holds > 0 ? 1 : 0;
        return holds > 0;
    }

    /** Ends one lease, with the stack of its release; true when it was the last. */
    boolean drop(boolean discard, @Nullable Throwable its) {
        boolean discarded;
        synchronized (this) {
            discards |= discard;
            discarded = discards;
            if (--holds > 0) {
                return false;
            }
        }
        released = its;
        owner.takeBack(this, discarded);
        return true;
    }
}
