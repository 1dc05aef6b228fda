package dev.buffers;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a slot goes whose tenancy has ended, when no magazine takes it at once.
 *
 * <p>Any thread. May take locks and allocate arrays; calls wake-ups with no lock held.
 */
final class Returns {
    /*
     * settle:  channel -> stripe or magazine, exchanging a full batch with the depot -> depot -> home
     *
     * It is one long method on purpose: past 325 bytecodes HotSpot never inlines it (FreqInlineSize), and so the path of a
     * release that calls it stays small enough to be inlined itself, whatever the share of misses.
     */
    private final SlabPool pool;
    private final SizeClasses classes;
    private final Slabs slabs;
    private final ThreadMagazines magazines;
    private final Depots depots;
    private final Serving serving;
    private final @Nullable Guard guard;

    Returns(
            SlabPool pool,
            SizeClasses classes,
            Slabs slabs,
            ThreadMagazines magazines,
            Depots depots,
            Serving serving,
            @Nullable Guard guard) {
        this.pool = pool;
        this.classes = classes;
        this.slabs = slabs;
        this.magazines = magazines;
        this.depots = depots;
        this.serving = serving;
        this.guard = guard;
    }

    /**
     * A tenancy has ended in the state {@code state}: finds the slot a place, or retires it. When the tenancy is not {@code over},
     * {@code state} is the stamp of a lease that ends here first, as {@link Slot#drop} says; nothing more happens while others hold the
     * slot.
     *
     * @param itsView null when it is back in the slot
     * @return the state in which the tenancy has ended, or what {@code drop} returns
     */
    long settle(Slot slot, @Nullable ByteBuffer itsView, long state, boolean over) {
        long held = state;
        if (!over) {
            held = slot.drop(state);
            if (Slot.isHeld(held)) {
                return held;
            }
            slot.letGo(); // before its recycled lease may be the next tenancy's
        }
        int sizeClass = slot.sizeClass();
        ByteBuffer view = guard == null || itsView == null ? itsView : guard.takeBack(slot, itsView, held);
        if (Slot.endsForGood(held)) {
            retire(slot, held);
            return held;
        }
        if (view != null) {
            if (pool.zeroesOnRelease() && guard == null) {
                SlabPool.zero(view);
            }
            slot.viewRelease(view);
        }
        if (guard != null && !pool.isClosed() && sizeClass != SizeClasses.OVERSIZE) {
            slot.channel = null;
            pool.counters.recycled(sizeClass);
            guard.keepAside(slot, serving::goHome);
            return held;
        }
        boolean home =
                Slot.isDraining(held) || pool.isClosed() || pool.isUnderPressure() || sizeClass == SizeClasses.OVERSIZE;
        ChannelBuffers channel = slot.channel;
        if (channel != null) {
            if (!home && channel.takeBack(slot)) {
                countRelease(sizeClass);
                return held;
            }
            slot.channel = null;
        }
        if (home) {
            pool.counters.recycled(sizeClass);
            serving.goHome(new Slot[] {slot}, 1);
            return held;
        }
        int slotSize = classes.sizeOf(sizeClass);
        Depot depot = depots.of(sizeClass);
        if (!ThreadMagazines.isVirtual(Thread.currentThread())) {
            Magazine own = magazines.own(sizeClass, slotSize);
            if (own.isGranted()) {
                Slot[] full = null;
                if (own.isFull()) {
                    full = depot.emptyBatch();
                    own.unload(full);
                }
                own.give(slot);
                if (full != null) {
                    goHomeOrDepot(full, depot);
                }
            } else {
                own.countRelease();
                goHomeOrDepot(slot);
            }
            return held;
        }
        // What an exchange needs is made before the stripe is claimed for it.
        Slot[] empty = null;
        boolean given = false;
        for (int attempt = 0; attempt < 2 && !given; attempt++) {
            Magazines stripe = magazines.claim();
            if (stripe == null) {
                break;
            }
            Magazine magazine = stripe.get(sizeClass);
            Slot[] full = null;
            if (magazine != null && magazine.isGranted()) {
                if (empty != null && magazine.isFull()) {
                    magazine.unload(empty);
                    full = empty;
                    empty = null;
                }
                given = magazine.give(slot);
            }
            stripe.unclaim();
            if (full != null) {
                goHomeOrDepot(full, depot);
            }
            if (magazine == null) {
                magazines.prepareStripes(sizeClass, slotSize);
            } else if (!given && empty == null) {
                empty = depot.emptyBatch();
            }
        }
        if (empty != null) {
            depot.putEmpty(empty);
        }
        if (!given) {
            pool.counters.recycled(sizeClass);
            goHomeOrDepot(slot);
        }
        return held;
    }

    /** A free slot that a channel gives back, its release long counted. */
    void giveFree(Slot slot) {
        slot.channel = null;
        Magazine own = magazines.current(slot.sizeClass());
        if (pool.isClosed() || pool.isUnderPressure()) {
            serving.goHome(new Slot[] {slot}, 1);
        } else if (own == null || !own.put(slot)) {
            goHomeOrDepot(slot);
        }
    }

    /** A tenancy ended whose slot must not be used again. */
    private void retire(Slot slot, long held) {
        slot.channel = null;
        if (Slot.isDiscarded(held)) {
            pool.counters.discarded(slot.sizeClass());
        } else {
            pool.counters.recycled(slot.sizeClass());
        }
        slabs.lose(slot);
        slot.forget(); // now, or a recall might put back what was forgotten
        if (pool.isUnderPressure()) {
            serving.serveRoom(false, 0);
        }
    }

    private void goHomeOrDepot(Slot slot) {
        Depot depot = depots.of(slot.sizeClass());
        if (!depot.putLoose(slot)) {
            serving.goHome(new Slot[] {slot}, 1);
        }
        lookAgain(depot);
    }

    private void goHomeOrDepot(Slot[] full, Depot depot) {
        if (!depot.putBatch(full)) {
            serving.goHome(full, full.length);
            depot.putEmpty(full);
        }
        lookAgain(depot);
    }

    /** Whoever began to wait since the release has looked into the depot before the slot was in it, or finds it there. */
    private void lookAgain(Depot depot) {
        VarHandle.fullFence(); // a relaxed offer is only a release
        if (pool.isUnderPressure()) {
            depot.drain(serving::goHome);
        }
    }

    private void countRelease(int sizeClass) {
        Magazine own = magazines.current(sizeClass);
        if (own == null) {
            pool.counters.recycled(sizeClass);
        } else {
            own.countRelease();
        }
    }

    void countChannelHit(int sizeClass) {
        Magazine own = magazines.current(sizeClass);
        if (own == null) {
            pool.counters.acquired(AcquireOutcome.CHANNEL, sizeClass);
        } else {
            own.countChannelHit();
        }
    }
}
