package dev.buffers.internal.slab;

import dev.buffers.BufferPolicy;
import dev.buffers.PoolSettings;
import dev.buffers.internal.signals.PoolState;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;

/**
 * The pool as its slots and leases see it: where a slot goes when its tenancy ends, and what is said to a user of a lease that has ended.
 *
 * <p>Any thread. The pool is its one subclass, so that these calls are bound by the compiler.
 */
public abstract class SlotOwner extends PoolState {

    /** Where the collector puts each slot whose view no lease holds any more, though the slot was not given back. */
    public final ReferenceQueue<ByteBuffer> lost = new ReferenceQueue<>();

    private final boolean recyclesLeases;
    private final boolean laysCanaries;

    public SlotOwner(PoolSettings settings, int sizeClasses) {
        super(settings, sizeClasses);
        BufferPolicy policy = settings.policy();
        this.recyclesLeases = settings.leases() == PoolSettings.LeaseMode.RECYCLED;
        this.laysCanaries = settings.guard() && !policy.direct() && policy.views();
    }

    /** Whether each slot has one lease object, which all its tenancies use. */
    public final boolean recyclesLeases() {
        return recyclesLeases;
    }

    /** Whether bytes that nobody may write lie between the slots. */
    final boolean laysCanaries() {
        return laysCanaries;
    }

    /**
     * The tenancy {@code held} of a slot has just ended, and the caller won that: its view goes back, and the slot to where
     * the next acquire will look first.
     */
    protected abstract void takeBack(Slot slot, ByteBuffer view, long held);

    /**
     * Ends the lease of that stamp though its slot is in another state than the one that the lease began with.
     *
     * @return as {@link Slot#endHold}
     */
    protected abstract long endSlowly(Slot slot, ByteBuffer view, long stamp);

    /** The error of a release that came after the lease had ended. It is counted. */
    protected abstract IllegalStateException refused(Slot slot, long stamp);

    /** The error of any other use of a lease that has ended. */
    protected abstract IllegalStateException ended(Slot slot, long stamp);
}
