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
final class SlowAcquire {
    /*
     * find:  stripe (virtual threads) -> depot -> fullest slab, whole slab -> Growth -> null
     *
     * It is one long method on purpose: past 325 bytecodes HotSpot never inlines it (FreqInlineSize), and so the path of a
     * hit that calls it stays small enough to be inlined itself, whatever the share of misses.
     *
     * Locks are taken in this order: SlabGrowth's of a class, Revocation's, ThreadCaches's, SlabStore's, RegionAllocator's. Under those of WaitQueue, Guard and
     * the size listeners no other is taken. No policy, wake-up or listener of the user's runs under any of them.
     */
    private static final int ATTEMPTS = 3;

    /** For how long close waits for others, and how long it takes to close arenas: each time every thread must answer, busy or not. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** For how long it waits for releases that are under way, and may never come. */
    private static final long RELEASING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final SlabPool pool;
    private final SizeClasses classes;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final ThreadCaches magazines;
    private final LeakTracker leaks;
    private final @Nullable Guard guard;
    private final WaitQueue waiters;
    private final WakeUps wakeUps;
    private final Depots depots;
    private final HandOff serving;
    private final Revocation recall;
    private final Maintenance upkeep;
    private final WaitingAcquire waiting;
    private final SlowRelease returns;
    private final boolean pooled;
    private final long patience;
    private final SlabGrowth growth;

    SlowAcquire(
            SlabPool pool,
            SizeClasses classes,
            RegionAllocator regions,
            SlabStore slabs,
            ThreadCaches magazines,
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
        this.waiters = new WaitQueue(pool, classes.count());
        this.wakeUps = new WakeUps(pool);
        this.serving = new HandOff(pool, classes, regions, slabs, waiters, wakeUps);
        this.recall = new Revocation(slabs);
        this.depots = new Depots(classes);
        this.pooled = !(policy instanceof BuiltInPolicy ours) || ours.pooled();
        this.patience = pool.settings().atLimit().patience().toNanos();
        this.growth =
                new SlabGrowth(pool, classes, regions, slabs, this::reclaim, this::recallOthers, this::closeSlabs);
        this.upkeep =
                new Maintenance(pool, classes, regions, slabs, magazines, leaks, guard, waiters, serving, recall, this);
        this.waiting = new WaitingAcquire(pool, regions, slabs, waiters, wakeUps, serving, growth, this, pooled);
        this.returns = new SlowRelease(pool, classes, slabs, magazines, depots, serving, guard);
    }

    WaitQueue waiters() {
        return waiters;
    }

    WaitingAcquire waiting() {
        return waiting;
    }

    SlowRelease returns() {
        return returns;
    }

    Depots depots() {
        return depots;
    }

    Maintenance upkeep() {
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
     * revoked slot. From here until it returns with its lease there is room on the stack.
     *
     * @param revoked slot what the caller was given before, if anything
     * @return null at the cap, unless one insists
     */
    @Nullable Slot find(int size, int sizeClass, @Nullable Slot revoked, Asker asker) {
        StackProbe.check();
        if (asker == Asker.INSISTS && patience > 0) {
            return findOrWait(size, sizeClass, revoked, patience);
        }
        if (revoked != null) {
            uncountRevoked(revoked);
        }
        pool.checkCaller();
        if (!canBeHad(size, sizeClass)) {
            return atCap(size, sizeClass, revoked, asker);
        }
        if (sizeClass == SizeClasses.OVERSIZE || !pooled) {
            Slot alone = null;
            for (int attempt = 0;
                    alone == null && (attempt == 0 || attempt < ATTEMPTS && serving.awaitTransit());
                    attempt++) {
                alone = pooled ? growth.oversize(size) : growth.unpooled(size, Region.Charge.WHILE_LEASED);
            }
            return alone == null ? atCap(size, sizeClass, revoked, asker) : answer(alone, size, revoked, asker);
        }
        boolean virtual = ThreadCaches.isVirtual(Thread.currentThread());
        int slotSize = classes.sizeOf(sizeClass);
        Depot depot = depots.of(sizeClass);
        Magazine own = null;
        Slot slot = null;
        if (virtual) {
            ThreadCache stripe = magazines.claim();
            if (stripe != null) {
                Magazine magazine = stripe.getAcquire(sizeClass);
                if (magazine != null) {
                    magazine.dropRevoked();
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
            own.dropRevoked();
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
                int most = keeps && !pool.hasWaiters(sizeClass) ? batch.length : 1;
                // A relaxed queue may miss what is just being put in: look again before the pool grows for that.
                for (int attempt = 0; n == 0 && attempt < ATTEMPTS; attempt++) {
                    n = depot.takeLoose(batch);
                    n = n > 0 ? n : slabs.take(sizeClass, batch, most);
                    n = n > 0 ? n : depot.unpackBatch(batch);
                }
                // What others are just moving is nobody's to find: the pool is not at its cap while that is so.
                for (int attempt = 0;
                        n == 0 && (attempt == 0 || attempt < ATTEMPTS && serving.awaitTransit());
                        attempt++) {
                    n = grow(sizeClass, batch, most);
                    outcome = n < 0 ? AcquireOutcome.CARVED : AcquireOutcome.DEPOT;
                    n = Math.abs(n);
                }
                if (n == 0) {
                    depot.putEmpty(batch);
                    return atCap(size, sizeClass, revoked, asker);
                }
                while (n > 0 && batch[n - 1].abandonIfRevoked()) {
                    n--;
                }
                if (n == 0) {
                    // All of them were revoked; in a pool that has closed every one is, those just cut as well.
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
                ThreadCache stripe = magazines.claim();
                if (stripe != null) {
                    Magazine magazine = stripe.getAcquire(sizeClass);
                    if (magazine != null && magazine.isGranted() && magazine.isEmpty()) {
                        magazine.load(batch, n);
                        n = 0;
                    }
                    stripe.unclaim();
                }
            }
            serving.giveBack(batch, n);
            depot.putEmpty(batch);
            pool.counters.acquired(
                    outcome, sizeClass); // last: what was thrown before leaves a free slot in nobody's hands
        }
        return answer(slot, size, revoked, asker);
    }

    /** Once for each acquire. */
    Slot answer(Slot slot, int size, @Nullable Slot revoked, Asker asker) {
        if (revoked == null && asker != Asker.WAITS && pool.hasSizeListeners()) {
            pool.notifySizeListeners(size);
        }
        return slot;
    }

    private @Nullable Slot atCap(int size, int sizeClass, @Nullable Slot revoked, Asker asker) {
        pool.checkCaller();
        return asker == Asker.INSISTS ? answer(beyond(size, sizeClass), size, revoked, asker) : null;
    }

    /** Whether the cap is large enough. */
    private boolean canBeHad(int size, int sizeClass) {
        return bytesFor(size, sizeClass) <= regions.max();
    }

    /** How many bytes it takes to serve an acquire. */
    int bytesFor(int size, int sizeClass) {
        return sizeClass == SizeClasses.OVERSIZE || !pooled ? size : classes.sizeOf(sizeClass);
    }

    /** As {@link SlabGrowth#grow}; the wake-ups that follow from it come when no lock is held any more. */
    int grow(int sizeClass, Slot[] into, int most) {
        int[] got = new int[1];
        regions.makeRoom(pool.settings().regionSize());
        wakeUps.batch(() -> got[0] = growth.grow(sizeClass, into, most));
        return got[0];
    }

    /** The same, never null. */
    Slot findOrRefuse(int size, int sizeClass, @Nullable Slot revoked) {
        return Objects.requireNonNull(find(size, sizeClass, revoked, Asker.INSISTS));
    }

    /** The same, waiting for it for at most so many nanoseconds. */
    Slot findOrWait(int size, int sizeClass, @Nullable Slot revoked, long nanos) {
        StackProbe.check();
        if (revoked != null) {
            uncountRevoked(revoked);
        }
        return waiting.findOrWait(size, sizeClass, revoked, nanos);
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

    /** A slot that was found here, and counted, turned out to be a revoked slot: counts it off. */
    void uncountRevoked(Slot slot) {
        int sizeClass = slot.sizeClass();
        AcquireOutcome ofAlone = pooled ? AcquireOutcome.OVERSIZE : AcquireOutcome.UNPOOLED;
        pool.counters.uncountRevoked(sizeClass, sizeClass == SizeClasses.OVERSIZE ? ofAlone : AcquireOutcome.DEPOT);
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
        pool.notifySizeListeners(size);
    }

    // ---------------------------------------------------------------- the whole pool

    /** Brings every free slot home that can be reached: depots, this thread's magazines, dead threads', stripes. */
    void reclaim() {
        SlotConsumer home = serving::giveBack;
        wakeUps.batch(() -> {
            // One by one: who looks meanwhile need not wait for all of this.
            serving.track(() -> magazines.flushOwn(serving::giveBack));
            serving.track(() -> magazines.sweep(true, home));
            depots.each(depot -> serving.track(() -> depot.drain(home)));
            if (guard != null) {
                serving.track(() -> guard.drain(home));
            }
        });
        collect();
    }

    /** Those who wait for a class come before what a thread that acquires has of it in its own magazine. */
    void flushOwn(int sizeClass) {
        magazines.flushOwn(sizeClass, serving::giveBack);
    }

    /** Recalls what other threads' magazines hold, whether they are asleep or not. */
    private void recallOthers() {
        if (magazines.holdElsewhere() || recall.isPending()) {
            serving.transfer(() -> recall.revokeNow(magazines::peekElsewhere));
            if (pool.isUnderPressure()) {
                serving.serveAll();
            }
        }
    }

    /** Hears what the collector has found: leases that were lost, and memory that is gone. */
    void collect() {
        boolean heard = false;
        for (Reference<?> found = pool.lost.poll(); found != null; found = pool.lost.poll()) {
            Slot slot = found instanceof Guard.LentReference lent ? lent.slot : (Slot) found;
            long state = slot.stateVolatile();
            boolean isOver = found instanceof Guard.LentReference lent && !(Slot.isHeld(state) && lent.isOf(state));
            // Held: the lease was forgotten, or never made. Free and not at home: its release came to no end (Slot,
            // S4).
            if (!isOver && slot.viewVolatile() == null && slabs.retire(slot)) {
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
        recall.revokeNow(slabs::eachOut);
        if (pool.isUnderPressure()) {
            serving.serveAll();
        }
        long bytes = slabs.dropUnused(pool.settings().preallocatedBytes());
        pool.counters.trimmedBytes.addAndGet(bytes);
        serving.closeArenas();
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
                serving.closeArenas(CLOSING_NANOS);
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
        recall.revokeNow(slabs::eachOut);
        return slabs.close(awaited);
    }

    void preallocate() {
        growth.preallocate();
    }

    PoolStats stats() {
        collect();
        return new Statistics(pool.counters, classes, slabs, magazines).stats(regions.max(), waiters.size());
    }
}
