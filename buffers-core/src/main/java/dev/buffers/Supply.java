package dev.buffers;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The order of attempts: where an acquire looks that misses its magazine, and where a release goes that no magazine takes.
 *
 * <p>Any thread. May take locks and allocate; calls the policy and wake-ups with no lock held.
 */
final class Supply {
    /*
     * find:    stripe (virtual threads) -> depot -> fullest slab, whole slab -> Growth -> null
     * settle:  channel -> stripe or magazine, exchanging a full batch with the depot -> depot -> home
     *
     * find and settle are each one long method on purpose: past 325 bytecodes HotSpot never inlines them (FreqInlineSize),
     * and so the path of a hit that calls them stays small enough to be inlined itself, whatever the share of misses.
     */
    private static final int ATTEMPTS = 3;

    private final SlabPool pool;
    private final SizeClasses classes;
    private final Regions regions;
    private final Slabs slabs;
    private final ThreadMagazines magazines;
    private final Waiters waiters;
    private final AtomicReferenceArray<Depot> depots;
    private final boolean pooled;
    private final Growth growth;

    Supply(SlabPool pool, SizeClasses classes, Regions regions, Slabs slabs, ThreadMagazines magazines) {
        BufferPolicy policy = pool.settings().policy();
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.magazines = magazines;
        this.waiters = new Waiters(pool);
        this.depots = new AtomicReferenceArray<>(classes.count());
        this.pooled = !(policy instanceof BuiltInPolicy ours) || ours.pooled();
        this.growth = new Growth(pool, classes, regions, slabs, this::reclaim);
    }

    // ---------------------------------------------------------------- acquire

    /** A slot whose tenancy has begun, counted; null at the cap. */
    @Nullable Slot find(int size, int sizeClass) {
        pool.checkCaller();
        if (sizeClass == SizeClasses.OVERSIZE || !pooled) {
            return pooled ? growth.oversize(size) : growth.unpooled(size, Region.Charge.WHILE_LEASED);
        }
        boolean virtual = ThreadMagazines.isVirtual(Thread.currentThread());
        int slotSize = classes.sizeOf(sizeClass);
        Depot depot = depot(sizeClass);
        Magazine own = null;
        Slot slot = null;
        if (virtual) {
            Magazines stripe = magazines.claim();
            if (stripe != null) {
                Magazine magazine = stripe.get(sizeClass);
                slot = magazine == null ? null : magazine.take();
                stripe.unclaim();
                if (magazine == null) {
                    magazines.prepareStripes(sizeClass, slotSize);
                }
            }
        } else {
            own = magazines.own(sizeClass, slotSize);
        }
        if (slot == null) {
            AcquireOutcome outcome = AcquireOutcome.DEPOT;
            boolean keeps = depot.batchSize > 1 && (own == null || own.isGranted());
            Slot[] batch = keeps ? depot.takeBatch() : null;
            int n = batch == null ? 0 : batch.length;
            batch = batch == null ? depot.emptyBatch() : batch;
            int most = keeps && !pool.isUnderPressure() ? batch.length : 1;
            // A relaxed queue may miss what is just being put in: look again before the pool grows for that.
            for (int attempt = 0; n == 0 && attempt < ATTEMPTS; attempt++) {
                n = depot.takeLoose(batch);
                n = n > 0 ? n : slabs.take(sizeClass, batch, most);
                n = n > 0 ? n : depot.unpackBatch(batch);
            }
            if (n == 0) {
                outcome = AcquireOutcome.CARVED;
                n = growth.grow(sizeClass, batch, most);
            }
            if (n == 0) {
                depot.putEmpty(batch);
                pool.checkCaller();
                return null;
            }
            slot = batch[--n];
            // The rest of the batch goes where the next acquire looks first.
            if (own != null && own.isGranted() && own.isEmpty()) {
                own.load(batch, n);
                n = 0;
            } else if (virtual && n > 0) {
                Magazines stripe = magazines.claim();
                if (stripe != null) {
                    Magazine magazine = stripe.get(sizeClass);
                    if (magazine != null && magazine.isGranted() && magazine.isEmpty()) {
                        magazine.load(batch, n);
                        n = 0;
                    }
                    stripe.unclaim();
                }
            }
            slot.begin();
            pool.counters.acquired(outcome, sizeClass);
            goHome(batch, n);
            depot.putEmpty(batch);
        }
        return slot;
    }

    /** The same, but at the cap what {@code at-limit} says: memory beyond it, or the exception with the numbers. */
    Slot findOrRefuse(int size, int sizeClass) {
        Slot found = find(size, sizeClass);
        if (found != null) {
            return found;
        }
        pool.checkCaller();
        if (pool.settings().atLimit().kind() == Exhaustion.Kind.UNPOOLED) {
            Slot slot = growth.unpooled(size, Region.Charge.NONE);
            if (slot != null) {
                return slot;
            }
        }
        countRefusal();
        throw new PoolExhaustedException(pool.name(), size, regions.refusal(), pool.stats());
    }

    void countRefusal() {
        pool.counters.acquired(AcquireOutcome.REJECTED, SizeClasses.OVERSIZE);
    }

    // ---------------------------------------------------------------- release

    /** A tenancy has ended in the state {@code held}: finds the slot a place, or retires it. */
    void settle(Slot slot, ByteBuffer view, long held) {
        int sizeClass = slot.sizeClass();
        if (Slot.endsForGood(held)) {
            retire(slot, held);
            return;
        }
        if (pool.zeroesOnRelease()) {
            SlabPool.zero(view);
        }
        slot.viewRelease(view);
        boolean home =
                Slot.isDraining(held) || pool.isClosed() || pool.isUnderPressure() || sizeClass == SizeClasses.OVERSIZE;
        ChannelBuffers channel = slot.channel;
        if (channel != null) {
            if (!home && channel.takeBack(slot)) {
                countRelease(sizeClass);
                return;
            }
            slot.channel = null;
        }
        if (home) {
            pool.counters.recycled(sizeClass);
            goHome(new Slot[] {slot}, 1);
            return;
        }
        int slotSize = classes.sizeOf(sizeClass);
        Depot depot = depot(sizeClass);
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
            return;
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
    }

    /** A free slot that a channel gives back, its release long counted. */
    void giveFree(Slot slot) {
        slot.channel = null;
        Magazine own = magazines.current(slot.sizeClass());
        if (pool.isClosed() || pool.isUnderPressure()) {
            goHome(new Slot[] {slot}, 1);
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
        wakeForRoom();
    }

    /** After bytes came back to the budget. */
    private void wakeForRoom() {
        if (pool.isUnderPressure()) {
            wakeWhoFits(SizeClasses.OVERSIZE, regions.room());
        }
    }

    private void goHomeOrDepot(Slot slot) {
        Depot depot = depot(slot.sizeClass());
        if (!depot.putLoose(slot)) {
            goHome(new Slot[] {slot}, 1);
        }
        lookAgain(depot);
    }

    private void goHomeOrDepot(Slot[] full, Depot depot) {
        if (!depot.putBatch(full)) {
            goHome(full, full.length);
            depot.putEmpty(full);
        }
        lookAgain(depot);
    }

    /** Whoever began to wait since the release has looked into the depot before the slot was in it, or finds it there. */
    private void lookAgain(Depot depot) {
        VarHandle.fullFence(); // a relaxed offer is only a release
        if (pool.isUnderPressure()) {
            depot.drain(this::goHome);
        }
    }

    private void goHome(Slot[] slots, int count) {
        if (count == 0) {
            return;
        }
        int unused = slabs.comeHome(slots, count);
        if (pool.isUnderPressure()) {
            wakeWhoFits(slots[0].sizeClass(), Math.max(unused, regions.room()));
            for (int i = 1; i < count; i++) {
                wakeWhoFits(slots[i].sizeClass(), 0);
            }
        }
    }

    /** Wakes the oldest who can use a slot of this class, and as many more as can use {@code bytes} that no class has. */
    private void wakeWhoFits(int sizeClass, long bytes) {
        long left = bytes;
        Waiters.Waiter next = waiters.next(sizeClass, left);
        while (next != null) {
            waiters.wake(next);
            left -= Math.max(1, next.size);
            next = left > 0 ? waiters.next(SizeClasses.OVERSIZE, left) : null;
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

    // ---------------------------------------------------------------- the whole pool

    void whenAvailable(int size, int sizeClass, Runnable wake) {
        int waitsFor = pooled ? sizeClass : SizeClasses.OVERSIZE;
        int bytes = waitsFor == SizeClasses.OVERSIZE ? size : classes.sizeOf(waitsFor);
        if (bytes > regions.max()) {
            throw new IllegalArgumentException(
                    "size can never be had: size=" + size + ", max=" + regions.max() + " bytes");
        }
        Waiters.Waiter waiter = new Waiters.Waiter(bytes, waitsFor, wake);
        waiters.add(waiter);
        boolean now = true;
        try {
            now = hasRoom(size, waitsFor) || pool.isClosed();
        } finally {
            now = now && waiters.remove(waiter); // also when looking for room has failed: then nobody waits
        }
        if (now) {
            waiters.wake(waiter);
        }
    }

    private boolean hasRoom(int size, int sizeClass) {
        if (sizeClass != SizeClasses.OVERSIZE) {
            Slot[] one = new Slot[1];
            int n = growth.reclaimAndTake(sizeClass, one, 1);
            n = n == 0 ? growth.grow(sizeClass, one, 1) : n;
            goHome(one, n);
            return n > 0;
        }
        Region region = pooled ? growth.reserveAlone(size) : regions.allocatePlain(size, Region.Charge.WHILE_LEASED);
        if (region != null && pooled) {
            slabs.addUncut(region);
            if (pool.isClosed()) {
                growth.closeSlabs();
            }
        } else if (region != null) {
            regions.drop(region, true);
        }
        return region != null;
    }

    /** Calls everybody who waits, to look for themselves. */
    private void wakeAll() {
        for (Waiters.Waiter next = waiters.next(); next != null; next = waiters.next()) {
            waiters.wake(next);
        }
    }

    /** Brings every free slot home that can be reached: depots, this thread's magazines, dead threads', stripes. */
    private void reclaim() {
        SlotSink home = this::goHome;
        magazines.flushOwn(home);
        magazines.sweep(true, home);
        for (int c = 0; c < depots.length(); c++) {
            Depot depot = depots.getAcquire(c);
            if (depot != null) {
                depot.drain(home);
            }
        }
        collect();
    }

    /** Hears what the collector has found: leases that were lost, and dropped regions that are gone. */
    private void collect() {
        boolean heard = false;
        for (Reference<?> found = pool.lost.poll(); found != null; found = pool.lost.poll()) {
            Slot slot = (Slot) found;
            if (Slot.isHeld(slot.stateVolatile())) {
                pool.counters.leaked(slot.sizeClass());
                slabs.lose(slot);
                heard = true;
            }
        }
        if (regions.collect() > 0 || heard) {
            wakeForRoom();
        }
    }

    long trim() {
        reclaim();
        long bytes = slabs.dropUnused(pool.settings().preallocate());
        pool.counters.trimmedBytes.addAndGet(bytes);
        wakeAll();
        return bytes;
    }

    void close() {
        try {
            reclaim();
        } finally {
            growth.closeSlabs();
            wakeAll();
        }
    }

    void preallocate() {
        growth.preallocate();
    }

    PoolStats stats() {
        collect();
        return new Tally(pool.counters, classes, slabs, magazines).stats(regions.max(), waiters.size());
    }

    private Depot depot(int sizeClass) {
        Depot depot = depots.getAcquire(sizeClass);
        if (depot == null) {
            depots.compareAndSet(sizeClass, null, new Depot(classes.sizeOf(sizeClass)));
            depot = Objects.requireNonNull(depots.getAcquire(sizeClass));
        }
        return depot;
    }
}
