package dev.buffers.internal.pool;

import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Depots;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.monitor.Guard;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.slab.Zeros;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of a release: finds a place for a slot whose tenancy (from one acquire to the last release) has ended.
 *
 * <p>Any thread. May take locks and allocate arrays; calls wake-ups with no lock held.
 */
public final class SlowRelease {
    /*
     * endTenancy:  channel's return stack -> stripe or magazine, exchanging a full batch with the depot -> depot -> slab
     *
     * endTenancy is one long method on purpose. HotSpot never inlines a method of more than 325 bytecodes (FreqInlineSize). So the release
     * that calls it stays small enough to be inlined itself, whatever the share of misses.
     */
    private final PoolState pool;
    private final SizeClasses classes;
    private final SlabStore slabs;
    private final ThreadCaches threads;
    private final Depots depots;
    private final HandOff handOff;
    private final @Nullable Guard guard;

    public SlowRelease(
            PoolState pool,
            SizeClasses classes,
            SlabStore slabs,
            Caches caches,
            HandOff handOff,
            @Nullable Guard guard) {
        this.pool = pool;
        this.classes = classes;
        this.slabs = slabs;
        this.threads = caches.threads;
        this.depots = caches.depots;
        this.handOff = handOff;
        this.guard = guard;
    }

    /**
     * Finds a place for the slot of a tenancy that has ended in the state {@code state}, or retires the slot. If {@code over} is false, the
     * tenancy has not ended yet: {@code state} is the stamp of a lease, and this method first ends that lease as {@link Slot#endHold} says.
     * Nothing more happens while other leases hold the slot.
     *
     * @param itsView null when the view is back in the slot and the release is counted
     * @return the state in which the tenancy has ended, or what {@link Slot#endHold} returned
     */
    long endTenancy(Slot slot, @Nullable ByteBuffer itsView, long state, boolean over) {
        if (over || (state & SlotState.FIRST) != 0) { // a further lease has checked before it ended itself
            checkRoom(slot, over);
        }
        long held = state;
        if (!over) {
            held = slot.endHold(state);
            if (SlotState.isHeld(held)) {
                return held;
            }
            slot.dropRecycledView(); // before the next tenancy may use the recycled lease
        }
        int sizeClass = slot.sizeClass();
        boolean toSlab = SlotState.isDraining(held)
                || pool.isClosed()
                || isWanted(sizeClass)
                || sizeClass == SizeClasses.OVERSIZE;
        ReturnStack stack = slot.returnStack;
        Magazine own = threads.current(sizeClass);
        boolean counted = itsView == null;
        if (itsView != null) {
            ByteBuffer view = guard == null ? itsView : guard.takeBack(slot, itsView, held);
            if (SlotState.endsForGood(held)) {
                try {
                    retire(slot, held);
                } finally {
                    Reference.reachabilityFence(itsView); // the phantom must not report a lost lease before this
                }
                return held;
            }
            if (pool.zeroesOnRelease() && guard == null) {
                Zeros.write(view);
            }
            slot.viewRelease(view);
            counted = own != null || toSlab || stack != null || guard != null;
            if (own != null) {
                own.releases++;
            } else if (counted) {
                pool.counters.recycled(sizeClass);
            }
        }
        if (guard != null && !pool.isClosed() && sizeClass != SizeClasses.OVERSIZE) {
            slot.returnStack = null;
            guard.keepAside(slot, handOff::giveBack);
            return held;
        }
        if (stack != null) {
            if (!toSlab && stack.push(slot)) {
                return held;
            }
            slot.returnStack = null;
        }
        if (toSlab) {
            giveBack(slot);
            return held;
        }
        int slotSize = classes.sizeOf(sizeClass);
        Depot depot = depots.of(sizeClass);
        if (!ThreadCaches.isVirtual(Thread.currentThread())) {
            if (!counted) {
                pool.counters.recycled(sizeClass);
            }
            own = own == null ? threads.own(sizeClass, slotSize) : own;
            if (own.isGranted()) {
                Slot[] full = null;
                if (own.isFull()) {
                    full = depot.emptyBatch();
                    own.unload(full);
                }
                own.put(slot);
                if (full != null) {
                    giveToDepot(full, depot);
                }
            } else {
                giveToDepot(slot);
            }
            return held;
        }
        // The array for an exchange is made before the stripe is claimed.
        Slot[] empty = null;
        boolean given = false;
        try {
            for (int attempt = 0; attempt < 2 && !given; attempt++) {
                ThreadCache stripe = threads.claim();
                if (stripe == null) {
                    break;
                }
                Magazine magazine = stripe.getAcquire(sizeClass);
                Slot[] full = null;
                if (magazine != null && magazine.isGranted()) {
                    if (empty != null && magazine.isFull()) {
                        magazine.unload(empty);
                        full = empty;
                        empty = null;
                    }
                    given = magazine.put(slot);
                    if (given && !counted) {
                        magazine.releases++;
                        counted = true;
                    }
                }
                stripe.unclaim();
                if (full != null) {
                    giveToDepot(full, depot);
                }
                if (magazine == null) {
                    threads.prepareStripes(sizeClass, slotSize);
                } else if (!given && empty == null) {
                    empty = depot.emptyBatch();
                }
            }
        } finally {
            if (!counted) {
                pool.counters.recycled(sizeClass);
            }
        }
        if (empty != null) {
            depot.putEmpty(empty);
        }
        if (!given) {
            giveToDepot(slot);
        }
        return held;
    }

    /** Without room on the stack nothing begins: a lease stays open; if its tenancy is over, its slot is lost (Slot, S4). */
    private void checkRoom(Slot slot, boolean over) {
        try {
            StackProbe.check();
        } catch (StackOverflowError e) {
            if (over && guard != null) {
                slot.trace = null; // the trace refers to the slot's own view
            }
            throw e;
        }
    }

    /** Takes a free slot that a channel gives back. Its release was counted earlier. */
    void giveBackFree(Slot slot) {
        StackProbe.check();
        slot.returnStack = null;
        Magazine own = threads.current(slot.sizeClass());
        if (pool.isClosed() || isWanted(slot.sizeClass())) {
            giveBack(slot);
        } else if (own == null || !own.put(slot)) {
            giveToDepot(slot);
        }
    }

    /** Retires a slot that must not be used again after its tenancy. */
    private void retire(Slot slot, long held) {
        slot.returnStack = null;
        slabs.retire(slot); // first: if this fails, the phantom reports the slot
        slot.detach(); // now, or a revocation might put the view back
        if (SlotState.isDiscarded(held)) {
            pool.counters.discarded(slot.sizeClass());
        } else {
            pool.counters.recycled(slot.sizeClass());
        }
        handOff.closeArenas(slot);
        if (handOff.hasWaiters()) {
            handOff.offerRoom();
        }
    }

    private void giveBack(Slot slot) {
        handOff.giveBack(new Slot[] {slot}, 1);
        handOff.closeArenas(slot);
    }

    private void giveToDepot(Slot slot) {
        Depot depot = depots.of(slot.sizeClass());
        if (!depot.putLoose(slot)) {
            giveBack(slot);
        }
        serveLateWaiters(depot, slot.sizeClass());
    }

    private void giveToDepot(Slot[] full, Depot depot) {
        int sizeClass = full[0].sizeClass();
        if (!depot.putBatch(full)) {
            handOff.giveBack(full, full.length);
            depot.putEmpty(full);
        }
        serveLateWaiters(depot, sizeClass);
    }

    /** Serves the waiters that came since the release: they may have looked into the depot before the slot was in it. */
    private void serveLateWaiters(Depot depot, int sizeClass) {
        VarHandle.fullFence(); // a relaxed offer is only a release
        if (isWanted(sizeClass)) {
            depot.drain(handOff::giveBack);
        }
    }

    /** Whether a waiter waits for a slot of this class. */
    private boolean isWanted(int sizeClass) {
        return pool.isUnderPressure() && handOff.hasWaiters(sizeClass);
    }
}
