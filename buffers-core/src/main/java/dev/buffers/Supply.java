package dev.buffers;

import java.lang.ref.Reference;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The order of attempts: where an acquire looks that misses its magazine. And what concerns all free slots of a pool.
 *
 * <p>Any thread. May take locks and allocate; calls the policy and wake-ups with no lock held.
 */
final class Supply {
    /*
     * find:  stripe (virtual threads) -> depot -> fullest slab, whole slab -> Growth -> null
     *
     * It is one long method on purpose: past 325 bytecodes HotSpot never inlines it (FreqInlineSize), and so the path of a
     * hit that calls it stays small enough to be inlined itself, whatever the share of misses.
     *
     * Locks are taken in this order: Growth's of a class, Recall's, ThreadMagazines', Slabs', Regions'. Under those of Waiters, Guard and
     * the size listeners no other is taken. No policy, wake-up or listener of the user's runs under any of them.
     */
    private static final int ATTEMPTS = 3;

    /** For how long close waits for others, and how long it takes to close arenas: each time every thread must answer, busy or not. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** For how long it waits for releases that are under way, and may never come. */
    private static final long RELEASING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final SlabPool pool;
    private final SizeClasses classes;
    private final Regions regions;
    private final Slabs slabs;
    private final ThreadMagazines magazines;
    private final LeakTracker leaks;
    private final @Nullable Guard guard;
    private final Waiters waiters;
    private final WakeUps wakeUps;
    private final Depots depots;
    private final Serving serving;
    private final Recall recall;
    private final Upkeep upkeep;
    private final Waiting waiting;
    private final Returns returns;
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
        this.wakeUps = new WakeUps(pool);
        this.serving = new Serving(pool, classes, regions, slabs, waiters, wakeUps);
        this.recall = new Recall(slabs);
        this.depots = new Depots(classes);
        this.pooled = !(policy instanceof BuiltInPolicy ours) || ours.pooled();
        this.patience = pool.settings().atLimit().patience().toNanos();
        this.growth = new Growth(pool, classes, regions, slabs, this::reclaim, this::recallOthers, this::closeSlabs);
        this.upkeep =
                new Upkeep(pool, classes, regions, slabs, magazines, leaks, guard, waiters, serving, recall, this);
        this.waiting = new Waiting(pool, regions, slabs, waiters, wakeUps, serving, growth, this, pooled);
        this.returns = new Returns(pool, classes, slabs, magazines, depots, serving, guard);
    }

    Waiters waiters() {
        return waiters;
    }

    Waiting waiting() {
        return waiting;
    }

    Returns returns() {
        return returns;
    }

    Depots depots() {
        return depots;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    // ---------------------------------------------------------------- acquire

    /** Who asks for a slot, and what at the cap. */
    enum Asker {
        /** An acquire that does at the cap what {@code at-limit} says: waits, takes memory beyond it, or throws with the numbers. */
        INSISTS,
        /** One that gets null. */
        WISHES,
        /** One that waits, and gets null as long as it has to. */
        WAITS
    }

    /**
     * A free slot, the caller's, counted as acquired. The caller begins a tenancy at once, and comes again when that turns out to be a
     * husk. From here until it returns with its lease there is room on the stack.
     *
     * @param husk what the caller was given before, if anything
     * @return null at the cap, unless one insists
     */
    @Nullable Slot find(int size, int sizeClass, @Nullable Slot husk, Asker asker) {
        StackRoom.check();
        if (asker == Asker.INSISTS && patience > 0) {
            return findOrWait(size, sizeClass, husk, patience);
        }
        if (husk != null) {
            husk(husk);
        }
        pool.checkCaller();
        if (!canBeHad(size, sizeClass)) {
            return atCap(size, sizeClass, husk, asker);
        }
        if (sizeClass == SizeClasses.OVERSIZE || !pooled) {
            Slot alone = null;
            for (int attempt = 0;
                    alone == null && (attempt == 0 || attempt < ATTEMPTS && serving.othersMove());
                    attempt++) {
                alone = pooled ? growth.oversize(size) : growth.unpooled(size, Region.Charge.WHILE_LEASED);
            }
            return alone == null ? atCap(size, sizeClass, husk, asker) : answer(alone, size, husk, asker);
        }
        boolean virtual = ThreadMagazines.isVirtual(Thread.currentThread());
        int slotSize = classes.sizeOf(sizeClass);
        Depot depot = depots.of(sizeClass);
        Magazine own = null;
        Slot slot = null;
        if (virtual) {
            Magazines stripe = magazines.claim();
            if (stripe != null) {
                Magazine magazine = stripe.getAcquire(sizeClass);
                if (magazine != null) {
                    magazine.dropHusks();
                    slot = magazine.take();
                    magazine.hits += slot == null ? 0 : 1;
                }
                stripe.unclaim();
                if (magazine == null) {
                    magazines.prepareStripes(sizeClass, slotSize);
                }
            }
        } else {
            own = magazines.own(sizeClass, slotSize);
            own.dropHusks();
            slot = own.take();
            own.hits += slot == null ? 0 : 1;
        }
        if (slot == null) {
            AcquireOutcome outcome;
            boolean keeps = depot.batchSize > 1 && (own == null || own.isGranted());
            Slot[] batch;
            int n;
            do {
                outcome = AcquireOutcome.DEPOT;
                batch = keeps ? depot.takeBatch() : null;
                n = batch == null ? 0 : batch.length;
                batch = batch == null ? depot.emptyBatch() : batch;
                int most = keeps && !pool.isWanted(sizeClass) ? batch.length : 1;
                // A relaxed queue may miss what is just being put in: look again before the pool grows for that.
                for (int attempt = 0; n == 0 && attempt < ATTEMPTS; attempt++) {
                    n = depot.takeLoose(batch);
                    n = n > 0 ? n : slabs.take(sizeClass, batch, most);
                    n = n > 0 ? n : depot.unpackBatch(batch);
                }
                // What others are just moving is nobody's to find: the pool is not at its cap while that is so.
                for (int attempt = 0;
                        n == 0 && (attempt == 0 || attempt < ATTEMPTS && serving.othersMove());
                        attempt++) {
                    n = grow(sizeClass, batch, most);
                    outcome = n < 0 ? AcquireOutcome.CARVED : AcquireOutcome.DEPOT;
                    n = Math.abs(n);
                }
                if (n == 0) {
                    depot.putEmpty(batch);
                    return atCap(size, sizeClass, husk, asker);
                }
                while (n > 0 && batch[n - 1].abandonIfHusk()) {
                    n--;
                }
                if (n == 0) { // all of them husks; in a pool that has closed every one is, those just cut as well
                    depot.putEmpty(batch);
                    pool.checkCaller();
                }
            } while (n == 0);
            slot = batch[--n];
            // The rest of the batch goes where the next acquire looks first.
            if (own != null && own.isGranted() && own.isEmpty()) {
                own.load(batch, n);
                n = 0;
            } else if (virtual && n > 0) {
                Magazines stripe = magazines.claim();
                if (stripe != null) {
                    Magazine magazine = stripe.getAcquire(sizeClass);
                    if (magazine != null && magazine.isGranted() && magazine.isEmpty()) {
                        magazine.load(batch, n);
                        n = 0;
                    }
                    stripe.unclaim();
                }
            }
            serving.goHome(batch, n);
            depot.putEmpty(batch);
            pool.counters.acquired(
                    outcome, sizeClass); // last: what was thrown before leaves a free slot in nobody's hands
        }
        return answer(slot, size, husk, asker);
    }

    /** Once for each acquire. */
    Slot answer(Slot slot, int size, @Nullable Slot husk, Asker asker) {
        if (husk == null && asker != Asker.WAITS && pool.isTold()) {
            pool.tell(size);
        }
        return slot;
    }

    private @Nullable Slot atCap(int size, int sizeClass, @Nullable Slot husk, Asker asker) {
        pool.checkCaller();
        return asker == Asker.INSISTS ? answer(beyond(size, sizeClass), size, husk, asker) : null;
    }

    /** Whether the cap is large enough. */
    private boolean canBeHad(int size, int sizeClass) {
        return bytesFor(size, sizeClass) <= regions.max();
    }

    /** How many bytes it takes to serve an acquire. */
    int bytesFor(int size, int sizeClass) {
        return sizeClass == SizeClasses.OVERSIZE || !pooled ? size : classes.sizeOf(sizeClass);
    }

    /** As {@link Growth#grow}; the wake-ups that follow from it come when no lock is held any more. */
    int grow(int sizeClass, Slot[] into, int most) {
        int[] got = new int[1];
        regions.makeRoom(pool.settings().regionSize());
        wakeUps.batch(() -> got[0] = growth.grow(sizeClass, into, most));
        return got[0];
    }

    /** The same, never null. */
    Slot findOrRefuse(int size, int sizeClass, @Nullable Slot husk) {
        return Objects.requireNonNull(find(size, sizeClass, husk, Asker.INSISTS));
    }

    /** The same, waiting for it for at most so many nanoseconds. */
    Slot findOrWait(int size, int sizeClass, @Nullable Slot husk, long nanos) {
        StackRoom.check();
        if (husk != null) {
            husk(husk);
        }
        return waiting.findOrWait(size, sizeClass, husk, nanos);
    }

    /** Memory beyond the cap, where that is allowed. */
    private Slot beyond(int size, int sizeClass) {
        Slot slot = null;
        if (pool.settings().atLimit().kind() == Exhaustion.Kind.UNPOOLED) {
            slot = growth.unpooled(size, Region.Charge.NONE);
        } else {
            checkCanBeHad(size, sizeClass);
        }
        if (slot == null) {
            throw refused(size, "");
        }
        return slot;
    }

    /** Refuses an acquire that the cap can never serve. */
    void checkCanBeHad(int size, int sizeClass) {
        if (!canBeHad(size, sizeClass)) {
            throw refusedFor(size, never(size, sizeClass));
        }
    }

    /** The same of what is no acquire, and not counted as one. */
    void checkCanBeWaitedFor(int size, int sizeClass) {
        if (!canBeHad(size, sizeClass)) {
            throw new PoolExhaustedException(pool.name(), size, never(size, sizeClass), pool.stats());
        }
    }

    private String never(int size, int sizeClass) {
        return "it can never be had: it takes " + bytesFor(size, sizeClass) + " bytes";
    }

    /** A slot that was found here, and counted, turned out to be a husk: counts it off. */
    void husk(Slot slot) {
        int sizeClass = slot.sizeClass();
        AcquireOutcome ofAlone = pooled ? AcquireOutcome.OVERSIZE : AcquireOutcome.UNPOOLED;
        pool.counters.husk(sizeClass, sizeClass == SizeClasses.OVERSIZE ? ofAlone : AcquireOutcome.DEPOT);
    }

    PoolExhaustedException refused(int size, String because) {
        return refusedFor(size, because + regions.refusal());
    }

    private PoolExhaustedException refusedFor(int size, String reason) {
        countRefusal(size);
        PoolStats stats = pool.stats();
        FlightEvents.exhausted(pool.name(), size, reason, stats);
        return new PoolExhaustedException(pool.name(), size, reason, stats);
    }

    void countRefusal(int size) {
        pool.counters.acquired(AcquireOutcome.REJECTED, SizeClasses.OVERSIZE);
        pool.tell(size);
    }

    // ---------------------------------------------------------------- the whole pool

    /** Brings every free slot home that can be reached: depots, this thread's magazines, dead threads', stripes. */
    void reclaim() {
        SlotSink home = serving::goHome;
        wakeUps.batch(() -> {
            // One by one: who looks meanwhile need not wait for all of this.
            serving.carry(() -> magazines.flushOwn(serving::goHome));
            serving.carry(() -> magazines.sweep(true, home));
            depots.each(depot -> serving.carry(() -> depot.drain(home)));
            if (guard != null) {
                serving.carry(() -> guard.drain(home));
            }
        });
        collect();
    }

    /** Those who wait for a class come before what a thread that acquires has of it in its own magazine. */
    void flushOwn(int sizeClass) {
        magazines.flushOwn(sizeClass, serving::goHome);
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
            boolean isOver = found instanceof Guard.Lent lent && !(Slot.isHeld(state) && lent.isOf(state));
            // Held: the lease was forgotten, or never made. Free and not at home: its release came to no end (Slot,
            // S4).
            if (!isOver && slot.viewVolatile() == null && slabs.lose(slot)) {
                pool.counters.leaked(slot.sizeClass());
                slot.clear(); // with guard, what is lent and the slot's own view go one after the other
                heard = true;
                leaks.lost(slot, state);
                if (guard != null) {
                    guard.lost(slot);
                }
                slot.trace = null;
            }
        }
        if ((regions.collect() > 0 || heard) && pool.isUnderPressure()) {
            serving.offerRoom();
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
        serving.closeDropped();
        if (pool.isUnderPressure()) {
            serving.serveAll();
        }
        return bytes;
    }

    void close() {
        try {
            reclaim();
        } finally {
            try {
                closeSlabs();
            } finally { // what has found no heap the tick does again
                serving.callAll();
                serving.closeDropped(CLOSING_NANOS);
            }
        }
    }

    /** Waits a while for what others are just moving, and less for releases that may never come; what takes longer, the tick closes. */
    void closeSlabs() {
        long start = System.nanoTime();
        while (!closeOnce(System.nanoTime() - start < RELEASING_NANOS) && System.nanoTime() - start < CLOSING_NANOS) {
            LockSupport.parkNanos(50_000);
        }
    }

    /** False when free slots are still out, apart from those without a view unless these are {@code awaited}. */
    boolean closeOnce(boolean awaited) {
        recall.now(slabs::eachOut);
        return slabs.close(awaited);
    }

    void preallocate() {
        growth.preallocate();
    }

    PoolStats stats() {
        collect();
        return new Tally(pool.counters, classes, slabs, magazines).stats(regions.max(), waiters.size());
    }
}
