// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.PoolState;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The pool as its slots and leases see it: what happens when a tenancy ends, and the errors for a lease that has ended.
 *
 * <p>Any thread. The pool is the only class below it that has objects, so the compiler can bind these calls directly.
 */
public abstract class SlotOwner extends PoolState {

    /**
     * The collector puts a slot here when no lease holds its view any more although the slot was not given back. Only the tick polls it, on
     * a platform thread (LeakTracker).
     */
    public final ReferenceQueue<ByteBuffer> lost = new ReferenceQueue<>();

    public SlotOwner(PoolName name, PlacedSettings settings, int sizeClasses) {
        super(name, settings, sizeClasses);
    }

    /**
     * Called by the thread that has just ended a tenancy in the state {@code held}: puts the view into the slot, and the slot where the
     * next acquire looks first.
     *
     * @param home a magazine of the slot's class, whose thread may be another, or anything else
     */
    protected abstract void takeBack(Slot slot, ByteBuffer view, long held, @Nullable Object home);

    /** Ends the lease with that stamp as {@link Slot#endHold} does; its slot is in another state than when the lease began. */
    protected abstract long endSlowly(Slot slot, ByteBuffer view, long stamp);

    /** Counts a release of a lease that had already ended, and returns the error for it. */
    final IllegalStateException endedTwice(Slot slot) {
        counters.invalid.incrementAndGet();
        return ended("PooledBuffer already released", slot);
    }

    /** The error for any other use of a lease that has ended. */
    final IllegalStateException usedAfterEnd(Slot slot) {
        return ended("PooledBuffer used after its release", slot);
    }

    private IllegalStateException ended(String what, Slot slot) {
        return new IllegalStateException(
                what + ": pool=" + name() + ", capacity=" + slot.size() + "; -Dbuffers.guard=on shows both stacks");
    }
}
