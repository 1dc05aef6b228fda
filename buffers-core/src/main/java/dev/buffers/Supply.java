package dev.buffers;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The order of attempts: where an acquire looks that misses its magazine, and where a release goes that no magazine takes.
 *
 * <p>Any thread. May take locks and allocate; calls the policy and wake-ups with no lock held.
 */
final class Supply {
    /*
     * find:    stripe (virtual threads) -> depot -> fullest slab, whole slab -> an unused region cut anew, first those at
     *          home, then, in a pool that is not small, with all idle slots brought home -> dropped region -> new region ->
     *          everything brought home and all of this once more -> null
     * settle:  channel -> stripe or magazine, exchanging a full batch with the depot -> depot -> home
     *
     * Growth is geometric: a class's next region is as large as all it has, between FIRST_BYTES and region-size, so that
     * touching every class once stays cheap. Below RECUT_FROM no magazine or depot is emptied for the sake of
     * another class before the pool grows: two sizes that take turns would cut each other's slabs anew for ever.
     *
     * find and settle are each one long method on purpose: past 325 bytecodes HotSpot never inlines them (FreqInlineSize),
     * and so the path of a hit that calls them stays small enough to be inlined itself, whatever the share of misses.
     */
    private static final int FIRST_BYTES = 64 << 10;
    private static final int FEW_SLOTS_FROM = 16 << 10;
    private static final int ONE_SLOT_FROM = 128 << 10;
    private static final long RECUT_FROM = 8 << 20;
    private static final int ATTEMPTS = 3;

    private final SlabPool pool;
    private final SizeClasses classes;
    private final Regions regions;
    private final Slabs slabs;
    private final ThreadMagazines magazines;
    private final Waiters waiters;
    private final AtomicReferenceArray<Depot> depots;
    private final boolean pooled;
    private final boolean views;
    private final boolean recycledLeases;

    Supply(SlabPool pool, SizeClasses classes, Regions regions, Slabs slabs, ThreadMagazines magazines) {
        PoolSettings settings = pool.settings();
        BufferPolicy policy = settings.policy();
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.magazines = magazines;
        this.waiters = new Waiters(pool);
        this.depots = new AtomicReferenceArray<>(classes.count());
        this.pooled = !(policy instanceof BuiltInPolicy ours) || ours.pooled();
        this.views = policy.views();
        this.recycledLeases = settings.leases() == PoolSettings.LeaseMode.RECYCLED;
    }

    // ---------------------------------------------------------------- acquire

    /** A slot whose tenancy has begun, counted; null at the cap. */
    @Nullable Slot find(int size, int sizeClass) {
        pool.checkCaller();
        if (sizeClass == SizeClasses.OVERSIZE || !pooled) {
            return findAlone(size);
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
                n = grow(sizeClass, batch, most);
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
            Region region = regions.allocatePlain(size, Region.Charge.NONE);
            Slot slot = region == null ? null : alone(region, size, AcquireOutcome.UNPOOLED);
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

    /** More slots of a class from anywhere but its own slabs; up to {@code most} into {@code into}. Says how many. */
    private int grow(int sizeClass, Slot[] into, int most) {
        int size = classes.sizeOf(sizeClass);
        Region region = slabs.takeUnused(size, !views);
        if (region == null && regions.reservedBytes() >= RECUT_FROM) {
            int n = reclaimAndTake(sizeClass, into, most);
            if (n > 0) {
                return n;
            }
            region = slabs.takeUnused(size, !views);
        }
        if (region == null) {
            region = reserve(sizeClass, size);
        }
        if (region == null) {
            int n = reclaimAndTake(sizeClass, into, most);
            if (n > 0) {
                return n;
            }
            region = slabs.takeUnused(size, !views);
            region = region == null ? reserve(sizeClass, size) : region;
            region = region == null && views ? regions.adopt(size, Integer.MAX_VALUE) : region;
        }
        if (region == null) {
            // Unused regions that do not fit this class come back to the budget once the collector has them; until then
            // whoever can use them adopts them.
            slabs.dropUnused(pool.settings().preallocate());
            return 0;
        }
        Slab slab = cut(region, sizeClass, size);
        int n = slab == null ? 0 : slabs.addAndTake(slab, into, most);
        if (pool.isClosed()) {
            closeSlabs();
        }
        return n;
    }

    private int reclaimAndTake(int sizeClass, Slot[] into, int most) {
        reclaim();
        return slabs.take(sizeClass, into, most);
    }

    private @Nullable Region reserve(int sizeClass, int size) {
        long target = views ? targetBytes(sizeClass, size) : size;
        Region region = regions.adopt(
                size, (int) Math.max(target, views ? pool.settings().regionSize() : size));
        while (region == null && target >= size) {
            long fits = Math.min(target, regions.room()) / size * size;
            if (fits == 0) {
                regions.refuse("the cap is reached");
                return null;
            }
            region = regions.allocate((int) fits);
            target = fits / 2;
        }
        return region;
    }

    private long targetBytes(int sizeClass, int size) {
        int first =
                size >= ONE_SLOT_FROM ? size : size >= FEW_SLOTS_FROM ? Math.max(FIRST_BYTES, 2 * size) : FIRST_BYTES;
        long most = pool.settings().regionSize();
        long wanted = Math.max(size, Math.min(most, Math.max(first, slabs.carvedBytes(sizeClass))));
        return wanted / size * size;
    }

    private @Nullable Slab cut(Region region, int sizeClass, int size) {
        try {
            return new Slab(pool, region, sizeClass, size, pool.lost, recycledLeases);
        } catch (OutOfMemoryError e) {
            regions.drop(region, false); // whoever adopted it would only fail again
            regions.refuse("the JVM is out of memory while cutting a slab: " + e.getMessage());
            return null;
        }
    }

    /** A region of its own for one lease: larger than the largest class, or all of them by policy. */
    private @Nullable Slot findAlone(int size) {
        if (!pooled) {
            Region region = regions.allocatePlain(size, Region.Charge.WHILE_LEASED);
            return region == null ? null : alone(region, size, AcquireOutcome.UNPOOLED);
        }
        Region region = reserveAlone(size);
        return region == null ? null : alone(region, region.bytes, AcquireOutcome.OVERSIZE);
    }

    private @Nullable Region reserveAlone(int size) {
        for (int attempt = 0; ; attempt++) {
            Region region = regions.adopt(size, (int) Math.min(Integer.MAX_VALUE, size * 5L / 4));
            region = region == null ? regions.allocate(size) : region;
            if (region != null || attempt == 1) {
                region = region == null ? slabs.takeUnused(size, false) : region;
                region = region == null && views ? regions.adopt(size, Integer.MAX_VALUE) : region;
                if (region == null) {
                    slabs.dropUnused(pool.settings().preallocate());
                }
                return region;
            }
            reclaim();
        }
    }

    private @Nullable Slot alone(Region region, int size, AcquireOutcome outcome) {
        Slab slab = cut(region, SizeClasses.OVERSIZE, size);
        if (slab == null) {
            return null;
        }
        slab.condemn(); // it ends with its lease
        Slot[] one = new Slot[1];
        slabs.addAndTake(slab, one, 1);
        Slot slot = one[0];
        slot.begin();
        pool.counters.acquired(outcome, SizeClasses.OVERSIZE);
        return slot;
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
            int n = reclaimAndTake(sizeClass, one, 1);
            n = n == 0 ? grow(sizeClass, one, 1) : n;
            goHome(one, n);
            return n > 0;
        }
        Region region = pooled ? reserveAlone(size) : regions.allocatePlain(size, Region.Charge.WHILE_LEASED);
        if (region != null && pooled) {
            slabs.addUncut(region);
            if (pool.isClosed()) {
                closeSlabs();
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

    void preallocate() {
        long left = pool.settings().preallocate();
        while (left > 0 && views) { // the others could not know which sizes to keep
            int bytes = (int) Math.min(left, pool.settings().regionSize());
            Region region = regions.allocate(bytes);
            if (region == null) {
                throw new PoolExhaustedException(pool.name(), bytes, regions.refusal(), pool.stats());
            }
            slabs.addUncut(region);
            left -= bytes;
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
            closeSlabs();
            wakeAll();
        }
    }

    /** Waits for releases that are under way: a few instructions each, unless a thread dies in the middle of one. */
    private void closeSlabs() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (!slabs.close() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(50_000);
        }
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
