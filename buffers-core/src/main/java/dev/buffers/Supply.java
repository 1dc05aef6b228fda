package dev.buffers;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
     *
     * Locks are taken in this order: Growth's of a class, Recall's, ThreadMagazines', Slabs', Regions'. Under those of Waiters, Guard and
     * the size listeners no other is taken. No policy, wake-up or listener of the user's runs under any of them.
     */
    private static final int ATTEMPTS = 3;

    private final SlabPool pool;
    private final SizeClasses classes;
    private final Regions regions;
    private final Slabs slabs;
    private final ThreadMagazines magazines;
    private final LeakTracker leaks;
    private final @Nullable Guard guard;
    private final Waiters waiters;
    private final AtomicReferenceArray<Depot> depots;
    private final Serving serving;
    private final Recall recall;
    private final Upkeep upkeep;
    private final boolean pooled;
    private final long patience;
    private final Growth growth;

    Supply(
            SlabPool pool,
            SizeClasses classes,
            Regions regions,
            Slabs slabs,
            ThreadMagazines magazines,
            LeakTracker leaks,
            @Nullable Guard guard) {
        BufferPolicy policy = pool.settings().policy();
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.magazines = magazines;
        this.leaks = leaks;
        this.guard = guard;
        this.waiters = new Waiters(pool, classes.count());
        this.serving = new Serving(pool, classes, regions, slabs, waiters);
        this.recall = new Recall(slabs);
        this.depots = new AtomicReferenceArray<>(classes.count());
        this.pooled = !(policy instanceof BuiltInPolicy ours) || ours.pooled();
        this.patience = pool.settings().atLimit().patience().toNanos();
        this.growth = new Growth(pool, classes, regions, slabs, this::reclaim, this::recallOthers, this::closeSlabs);
        this.upkeep =
                new Upkeep(pool, classes, regions, slabs, magazines, leaks, guard, waiters, serving, recall, this);
    }

    Upkeep upkeep() {
        return upkeep;
    }

    // ---------------------------------------------------------------- acquire

    /** A slot whose tenancy has begun, counted; null at the cap. */
    @Nullable Slot find(int size, int sizeClass) {
        pool.checkCaller();
        if (sizeClass == SizeClasses.OVERSIZE || !pooled) {
            Slot alone = null;
            for (int attempt = 0;
                    alone == null && (attempt == 0 || attempt < ATTEMPTS && serving.othersMove());
                    attempt++) {
                alone = pooled ? growth.oversize(size) : growth.unpooled(size, Region.Charge.WHILE_LEASED);
            }
            return alone;
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
            // What others are just moving is nobody's to find: the pool is not at its cap while that is so.
            for (int attempt = 0; n == 0 && (attempt == 0 || attempt < ATTEMPTS && serving.othersMove()); attempt++) {
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
            serving.goHome(batch, n);
            depot.putEmpty(batch);
            if (slot.viewVolatile() == null) { // a husk: who makes the lease would take it for a magazine's
                slot.abandon();
                pool.counters.husk(sizeClass, outcome);
                return find(size, sizeClass);
            }
        }
        return slot;
    }

    /** Grows a class; the wake-ups that follow from it come when no lock is held any more. */
    private int grow(int sizeClass, Slot[] into, int most) {
        int[] got = new int[1];
        waiters.batch(() -> got[0] = growth.grow(sizeClass, into, most));
        return got[0];
    }

    /** The same, but at the cap what {@code at-limit} says: waits, takes memory beyond it, or throws with the numbers. */
    Slot findOrRefuse(int size, int sizeClass) {
        if (patience > 0) {
            return findOrWait(size, sizeClass, patience).unpacked();
        }
        Slot slot = find(size, sizeClass);
        if (slot == null) {
            pool.checkCaller();
            slot = pool.settings().atLimit().kind() == Exhaustion.Kind.UNPOOLED
                    ? growth.unpooled(size, Region.Charge.NONE)
                    : null;
        }
        if (slot == null) {
            throw refused(size, "");
        }
        return slot;
    }

    /**
     * The same, but waits for at most so many nanoseconds. Whoever comes while others wait for the same goes behind them.
     *
     * @throws PoolExhaustedException when that was not enough, or the thread was interrupted, whose flag is then up
     */
    Waiters.Gift findOrWait(int size, int sizeClass, long patienceNanos) {
        pool.checkCaller();
        int waitsFor = waitsFor(sizeClass);
        if (!waiters.isAnyone(waitsFor)) {
            Slot slot = find(size, sizeClass);
            if (slot != null) {
                return new Waiters.Gift(slot, null);
            }
        }
        int bytes = bytesFor(size, waitsFor);
        if (bytes > regions.max()) {
            throw refused(size, "it can never be had, ");
        } else if (patienceNanos == 0) {
            throw refused(size, "");
        }
        return await(size, sizeClass, new Waiters.Waiter(bytes, waitsFor), patienceNanos);
    }

    private Waiters.Gift await(int size, int sizeClass, Waiters.Waiter waiter, long patienceNanos) {
        Object flight = FlightEvents.waitBegins();
        boolean interrupted = false;
        Slot slot = null;
        waiters.add(waiter);
        Trimmer.hurry();
        try {
            boolean look = waiters.isFirst(waiter);
            while (slot == null) {
                Object gift = waiter.gift();
                if (gift != null) {
                    slot = gift instanceof Region region ? present(cut(region, sizeClass)) : ((Waiters.Gift) gift).slot;
                    if (slot == null) {
                        waiters.add(waiter);
                        look = waiters.isFirst(waiter);
                    }
                } else if (look || waiter.mayLook()) { // finding takes locks, which may use up an unpark
                    look = false;
                    slot = present(find(size, sizeClass));
                } else {
                    pool.checkCaller();
                    long left = patienceNanos - (System.nanoTime() - waiter.since);
                    if (left > 0 && !interrupted) {
                        LockSupport.parkNanos(pool, left);
                        interrupted = Thread.interrupted();
                    } else if (waiters.remove(waiter)) { // else a gift has just come
                        throw refused(size, (interrupted ? "interrupted after " : "waited ") + waited(waiter) + ", ");
                    }
                }
            }
            if (waiter.gift() instanceof Waiters.Gift gift && gift.slot == slot) {
                pool.counters.acquired(AcquireOutcome.DEPOT, slot.sizeClass());
                return gift;
            }
            return new Waiters.Gift(slot, null);
        } finally {
            Object gift = waiters.remove(waiter) ? null : waiter.gift();
            upkeep.gone(waiter);
            if (gift instanceof Region region) {
                if (slot == null || region != slot.slab.region) {
                    passOn(region);
                }
            } else if (gift instanceof Waiters.Gift given && given.slot != slot) {
                given.slot.endUnused();
                given.slot.viewRelease(given.view);
                serving.goHome(new Slot[] {given.slot}, 1);
            }
            serveBehind(waiter, slot != null);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            pool.counters.waited(System.nanoTime() - waiter.since);
            FlightEvents.waitEnded(flight, pool.name(), size, slot != null);
        }
    }

    /**
     * By who waits no more: what lies beside its slot, or what it was told of and has not taken, is for those behind it. With no
     * memory for that the tick does it.
     */
    private void serveBehind(Waiters.Waiter waiter, boolean served) {
        try {
            if (!pool.isUnderPressure() || pool.isClosed()) {
                return;
            }
            if (served) {
                serving.handOut(waiter.sizeClass, Integer.MAX_VALUE);
            } else if (waiter.wasCalled()) {
                serving.serveAll();
            }
        } catch (OutOfMemoryError e) {
            Trimmer.hurry();
        }
    }

    private static String waited(Waiters.Waiter waiter) {
        return DurationText.of(Duration.ofMillis((System.nanoTime() - waiter.since) / 1_000_000));
    }

    /** The same slot; null, and it is dropped, when it is a husk already: then the waiter keeps its place. */
    private @Nullable Slot present(@Nullable Slot slot) {
        if (slot != null && slot.viewVolatile() == null) {
            slot.abandon();
            pool.counters.husk(slot.sizeClass(), AcquireOutcome.DEPOT);
            return null;
        }
        return slot;
    }

    /** A slot of a region that was given, its tenancy begun; null when there is no heap to cut it. */
    private @Nullable Slot cut(Region region, int sizeClass) {
        return sizeClass == SizeClasses.OVERSIZE
                ? growth.alone(region, region.bytes, AcquireOutcome.OVERSIZE)
                : growth.cutForOne(region, sizeClass);
    }

    /** A region that was given to somebody who does not need it any more. */
    private void passOn(Region region) {
        slabs.addUncut(region);
        if (pool.isClosed()) {
            closeSlabs();
        }
        serving.serveRoom(true, 0);
    }

    private PoolExhaustedException refused(int size, String because) {
        countRefusal(size);
        String reason = because + regions.refusal();
        PoolStats stats = pool.stats();
        FlightEvents.exhausted(pool.name(), size, reason, stats);
        return new PoolExhaustedException(pool.name(), size, reason, stats);
    }

    /** The class in which one waits: nothing but {@code oversize} when the policy pools nothing. */
    private int waitsFor(int sizeClass) {
        return pooled ? sizeClass : SizeClasses.OVERSIZE;
    }

    private int bytesFor(int size, int waitsFor) {
        return waitsFor == SizeClasses.OVERSIZE ? size : classes.sizeOf(waitsFor);
    }

    void countRefusal(int size) {
        pool.counters.acquired(AcquireOutcome.REJECTED, SizeClasses.OVERSIZE);
        pool.tellSize(size);
    }

    // ---------------------------------------------------------------- release

    /** A tenancy has ended in the state {@code held}: finds the slot a place, or retires it. {@code itsView} is null when it is back. */
    void settle(Slot slot, @Nullable ByteBuffer itsView, long held) {
        int sizeClass = slot.sizeClass();
        ByteBuffer view = guard == null || itsView == null ? itsView : guard.takeBack(slot, itsView, held);
        if (Slot.endsForGood(held)) {
            retire(slot, held);
            return;
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
            return;
        }
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
            serving.goHome(new Slot[] {slot}, 1);
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
            serving.goHome(new Slot[] {slot}, 1);
        } else if (own == null || !own.put(slot)) {
            goHomeOrDepot(slot);
        }
    }

    /** A tenancy ended whose slot must not be used again. */
    private void retire(Slot slot, long held) {
        slot.channel = null;
        slot.forget();
        if (Slot.isDiscarded(held)) {
            pool.counters.discarded(slot.sizeClass());
        } else {
            pool.counters.recycled(slot.sizeClass());
        }
        slabs.lose(slot);
        if (pool.isUnderPressure()) {
            serving.serveRoom(false, 0);
        }
    }

    private void goHomeOrDepot(Slot slot) {
        Depot depot = depot(slot.sizeClass());
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

    // ---------------------------------------------------------------- the whole pool

    void whenAvailable(int size, int sizeClass, Runnable wake) {
        int waitsFor = waitsFor(sizeClass);
        int bytes = bytesFor(size, waitsFor);
        if (bytes > regions.max()) {
            throw new IllegalArgumentException(
                    "size can never be had: size=" + size + ", max=" + regions.max() + " bytes");
        }
        Waiters.Waiter waiter = new Waiters.Waiter(bytes, waitsFor, wake);
        if (!waiters.isAnyone(waitsFor) && hasRoom(size, waitsFor)) {
            waiters.wake(waiter); // by the calling thread: once it stands in the queue, the tick might
            return;
        }
        waiters.add(waiter);
        boolean now = true;
        try {
            now = waiters.isFirst(waiter) && hasRoom(size, waitsFor) || pool.isClosed();
        } finally {
            now = now && waiters.remove(waiter); // also when looking for room has failed: then nobody waits
        }
        if (now) {
            waiters.wake(waiter);
        } else {
            Trimmer.hurry();
        }
    }

    private boolean hasRoom(int size, int sizeClass) {
        if (sizeClass != SizeClasses.OVERSIZE) {
            Slot[] one = new Slot[1];
            int n = growth.reclaimAndTake(sizeClass, one, 1);
            n = n == 0 ? grow(sizeClass, one, 1) : n;
            serving.goHome(one, n);
            return n > 0;
        }
        Region region = pooled ? growth.reserveAlone(size) : regions.allocatePlain(size, Region.Charge.WHILE_LEASED);
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

    /** Brings every free slot home that can be reached: depots, this thread's magazines, dead threads', stripes. */
    void reclaim() {
        SlotSink home = serving::goHome;
        waiters.batch(() -> {
            // One by one: who looks meanwhile need not wait for all of this.
            serving.carry(this::flushOwn);
            serving.carry(() -> magazines.sweep(true, home));
            eachDepot(depot -> serving.carry(() -> depot.drain(home)));
            if (guard != null) {
                serving.carry(() -> guard.drain(home));
            }
        });
        collect();
    }

    /** By a thread that acquires while others wait: they come before what it has in its own magazines. */
    void flushOwn() {
        magazines.flushOwn(serving::goHome);
    }

    /** Recalls what other threads' magazines hold, whether they are asleep or not. */
    private void recallOthers() {
        if (magazines.holdElsewhere() || recall.isPending()) {
            serving.move(() -> recall.now(magazines::peekElsewhere));
            if (pool.isUnderPressure()) {
                serving.serveAll();
            }
        }
    }

    /** Hears what the collector has found: leases that were lost, and memory that is gone. */
    void collect() {
        boolean heard = false;
        for (Reference<?> found = pool.lost.poll(); found != null; found = pool.lost.poll()) {
            Slot slot = found instanceof Guard.Lent lent ? lent.slot : (Slot) found;
            long state = slot.stateVolatile();
            if (Slot.isHeld(state) && (!(found instanceof Guard.Lent lent) || lent.isOf(state))) {
                slabs.lose(slot); // before what may find no heap
                pool.counters.leaked(slot.sizeClass());
                leaks.lost(slot, state);
                if (guard != null) {
                    guard.lost(slot);
                }
                slot.trace = null;
                slot.clear(); // with guard, what is lent and the slot's own view go one after the other
                heard = true;
            }
        }
        if ((regions.collect() > 0 || heard) && pool.isUnderPressure()) {
            serving.serveRoom(false, 0);
        }
    }

    long trim() {
        reclaim();
        recall.now(slabs::eachOut);
        if (pool.isUnderPressure()) {
            serving.serveAll();
        }
        long bytes = slabs.dropUnused(pool.settings().kept());
        pool.counters.trimmedBytes.addAndGet(bytes);
        if (pool.isUnderPressure()) {
            serving.serveAll();
        }
        return bytes;
    }

    void close() {
        try {
            reclaim();
        } finally {
            closeSlabs();
            waiters.wakeAll();
        }
    }

    /** Waits a while for releases that are under way; what takes longer, the tick closes. */
    private void closeSlabs() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (!closeOnce() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(50_000);
        }
    }

    /** False when free slots are still out. */
    boolean closeOnce() {
        recall.now(slabs::eachOut);
        return slabs.close();
    }

    void preallocate() {
        growth.preallocate();
    }

    PoolStats stats() {
        collect();
        return new Tally(pool.counters, classes, slabs, magazines).stats(regions.max(), waiters.size());
    }

    void eachDepot(Consumer<Depot> visit) {
        for (int c = 0; c < depots.length(); c++) {
            Depot depot = depots.getAcquire(c);
            if (depot != null) {
                visit.accept(depot);
            }
        }
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
