// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.slab.ChannelInput;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slot;
import org.jspecify.annotations.Nullable;

/** The channel buffers of a {@link SlabPool}. One thread at a time, as {@link ChannelBuffers} says. */
public final class SlabChannelBuffers extends ChannelInput {
    /*
     *   kept  <-- takes all, if no kept slot fits --  return stack  <-- release of a lease that came from here
     *
     * idle() and close() close the return stack and give back its slots, so that no slot stays in an idle channel. The next use after
     * idle() opens it again. The slots here are free: their state says so and their view is in them, so that trim finds them as it finds
     * those in magazines.
     *
     * A leased slot refers to the return stack, never to this object: else a connection that is dropped unclosed would keep its own input
     * from being found lost.
     *
     * All fields are plain, and used by the owner.
     */
    private final SlabPool pool;
    private final ReturnStack returnStack = new ReturnStack();
    private @Nullable Slot kept;

    SlabChannelBuffers(SlabPool pool, int maxInput) {
        super(pool.classes.maxSize(), maxInput);
        this.pool = pool;
    }

    @Override
    protected PlacedSettings settings() {
        return pool.settings();
    }

    @Override
    public PooledBuffer acquire(int size) {
        return acquireOpen(size);
    }

    @Override
    protected void keep(PooledBuffer lease) {
        ((Lease) lease).returnTo(null); // until it is handed off: only this thread ends it here
    }

    @Override
    protected void handOff(PooledBuffer lease) {
        Lease its = (Lease) lease;
        its.handOff();
        comesBack(its);
    }

    @Override
    protected Lease acquireOpen(int size) {
        Lease lease = find(size);
        if (lease == null) {
            giveBack(); // a slot kept here for another size must not cause a refusal
            lease = comesBack((Lease) pool.acquire(size));
        }
        return lease;
    }

    /** A lease of a slot that came back to this channel, or else of one of the pool; null at the cap. */
    @Override
    protected @Nullable Lease find(int size) {
        checkOpen();
        pool.checkCaller();
        if (size < 0) {
            throw new IllegalArgumentException("size must not be negative: size=" + size);
        }
        for (Slot slot = takeKept(size); slot != null; slot = takeKept(size)) {
            Lease returned = pool.leaseReturned(slot, size);
            if (returned != null) {
                return returned; // its slot refers to the return stack, which is open
            }
        }
        Lease lease = pool.tryAcquire(size, SlowAcquire.AtCap.DO_WITHOUT);
        return lease == null ? null : comesBack(lease);
    }

    private Lease comesBack(Lease lease) {
        lease.returnTo(returnStack);
        if (!closed) { // a wake-up may have closed this in the meantime
            returnStack.open();
        }
        return lease;
    }

    @Override
    public void idle() {
        idleOrClose(false);
    }

    @Override
    public void close() {
        idleOrClose(true);
    }

    private void idleOrClose(boolean closing) {
        endInput(closing);
        giveBack();
    }

    /** A kept slot that holds {@code size} bytes and wastes at most half of its bytes; the caller owns it. Null without one. */
    private @Nullable Slot takeKept(int size) {
        for (; ; ) {
            Slot before = null;
            for (Slot slot = kept; slot != null; slot = slot.next) {
                if (slot.size() >= size && slot.size() / 2 <= Math.max(size, pool.classes.sizeOf(0))) {
                    if (before == null) {
                        kept = slot.next;
                    } else {
                        before.next = slot.next;
                    }
                    slot.next = null;
                    return slot;
                }
                before = slot;
            }
            Slot unfit = kept;
            Slot returned = returnStack.takeAll();
            if (returned == null) {
                return null;
            }
            kept = returned;
            giveBack(unfit); // last, because of wake-ups
        }
    }

    private void giveBack() {
        giveBack(returnStack.close());
        Slot mine = kept;
        kept = null; // before: a slot that comes back may call a wake-up, which may use this channel
        giveBack(mine);
    }

    private void giveBack(@Nullable Slot first) {
        Slot slot = first;
        while (slot != null) {
            Slot next = slot.next;
            slot.next = null;
            pool.slowRelease.giveBackFree(slot);
            slot = next;
        }
    }
}
