package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of an acquire (its magazine cannot serve it): the order in which it looks for a free slot, and the refusal.
 *
 * <p>Any thread. May take locks and allocate; calls the policy and wake-ups with no lock held.
 */
final class SlowAcquire {
    /*
     * find:  stripe (virtual threads) or own magazine -> depot -> fullest slab, unused slab of the class -> SlabGrowth -> null
     *
     * find is one long method on purpose: HotSpot never inlines it into a hit (decision 002).
     *
     * Locks are taken in this order: that of a class in SlabGrowth, then those of Revocation, ThreadCaches, SlabStore, RegionAllocator.
     * Under a lock of WaitQueue, Guard or the size listeners no other is taken. No policy, wake-up or listener of the user runs under any.
     */
    private static final int ATTEMPTS = 3;

    private final SlotOwner pool;
    private final SizeClasses classes;
    private final SlabStore slabs;
    private final Caches caches;
    private final HandOff handOff;
    private final SlabGrowth growth;
    private final RegionAllocator regions;
    private final WaitingAcquire waiting;
    private final Exhaustion.Kind atLimit;
    private final long patience;

    SlowAcquire(
            SlotOwner pool,
            SizeClasses classes,
            SlabStore slabs,
            Caches caches,
            HandOff handOff,
            SlabGrowth growth,
            RegionAllocator regions) {
        this.pool = pool;
        this.classes = classes;
        this.slabs = slabs;
        this.caches = caches;
        this.handOff = handOff;
        this.growth = growth;
        this.regions = regions;
        this.waiting = new WaitingAcquire(pool, handOff, growth, this);
        this.atLimit = pool.settings().atLimit().kind();
        this.patience = pool.settings().atLimit().patience().toNanos();
    }

    WaitingAcquire waiting() {
        return waiting;
    }

    /** What an acquire does at the cap. */
    enum AtCap {
        /** It does what {@code at-limit} says: waits, takes memory beyond the cap, or throws with the numbers. */
        OBEY_SETTING,
        /** It gets null, and is counted as refused. */
        REFUSE,
        /** It gets null, and tries or waits on. It is not counted, and its caller notifies the size listeners in the end. */
        RETURN_NULL
    }

    /**
     * Finds a free slot, which the caller owns from then on, and counts it as acquired. The caller begins a tenancy at once, and calls
     * again if the slot turns out to be revoked. The stack has room from here until the caller returns with its lease.
     *
     * @param revoked the revoked slot that the caller was given before, if any
     * @return null at the cap, unless {@code atCap} is {@code OBEY_SETTING}
     * @throws PoolExhaustedException at the cap, with {@code OBEY_SETTING} unless that allows memory beyond it; with {@code REFUSE} only
     *     when {@code size} can never fit under the cap
     */
    @Nullable Slot find(int size, int sizeClass, @Nullable Slot revoked, AtCap atCap) {
        StackProbe.check();
        if (atCap == AtCap.OBEY_SETTING && patience > 0) {
            return waiting.findOrWait(size, sizeClass, revoked, patience);
        }
        if (revoked != null) {
            uncountRevoked(revoked);
        }
        pool.checkCaller();
        if (!canBeHad(size, sizeClass)) {
            return refuse(size, sizeClass, revoked, atCap);
        }
        if (sizeClass == SizeClasses.OVERSIZE) {
            Slot alone = null;
            for (int attempt = 0;
                    alone == null && (attempt == 0 || attempt < ATTEMPTS && handOff.awaitTransit());
                    attempt++) {
                alone = growth.alone(size);
            }
            return alone == null ? refuse(size, sizeClass, revoked, atCap) : answer(alone, size, revoked, atCap);
        }
        Slot slot = null;
        ThreadCaches threads = caches.threads;
        Magazine magazine = threads.claim(sizeClass);
        if (magazine != null) {
            magazine.dropRevoked();
            slot = magazine.take();
            magazine.hits += slot == null ? 0 : 1;
            magazine.unclaim();
        }
        if (slot == null) {
            Depot depot = caches.depot(sizeClass);
            boolean hasGrant = threads.prepare(sizeClass, classes.sizeOf(sizeClass));
            AcquireOutcome outcome;
            Slot first;
            do {
                outcome = AcquireOutcome.DEPOT;
                first = hasGrant ? depot.takeBatch() : null;
                int most = hasGrant && !handOff.hasWaiters(sizeClass) ? depot.batchSize : 1;
                // A relaxed queue may miss a slot that is just being put in: look again before the pool grows.
                for (int attempt = 0; first == null && attempt < ATTEMPTS; attempt++) {
                    first = depot.takeLoose();
                    first = first != null ? first : slabs.take(sizeClass, most);
                    first = first != null ? first : depot.takeBatch();
                }
                // No thread can find a slot that others are just moving: meanwhile the pool is not at its cap.
                for (int attempt = 0;
                        first == null && (attempt == 0 || attempt < ATTEMPTS && handOff.awaitTransit());
                        attempt++) {
                    first = growth.grow(sizeClass, most);
                    outcome = first != null && slabs.countCut(first.slab) ? AcquireOutcome.CARVED : outcome;
                }
                if (first == null) {
                    return refuse(size, sizeClass, revoked, atCap);
                }
                while (first != null && first.abandonIfRevoked()) {
                    Slot next = first.next;
                    first.next = null;
                    first = next;
                }
                if (first == null) {
                    // All of them were revoked. In a closed pool every slot is, even one just cut.
                    pool.checkCaller();
                }
            } while (first == null);
            slot = first;
            // The rest goes where the next acquire looks first.
            Slot rest = slot.next;
            slot.next = null;
            magazine = rest != null ? threads.claim(sizeClass) : null;
            if (magazine != null) {
                if (magazine.isGranted() && magazine.isEmpty()) {
                    magazine.load(rest);
                    rest = null;
                }
                magazine.unclaim();
            }
            handOff.giveBack(rest);
            pool.counters.acquired(outcome, sizeClass); // last: if a step before throws, no thread owns the slot
        }
        return answer(slot, size, revoked, atCap);
    }

    /** Notifies the size listeners, once for each acquire: they have been notified when its first slot turned out to be revoked. */
    Slot answer(Slot slot, int size, @Nullable Slot revoked, AtCap atCap) {
        if (revoked == null && atCap != AtCap.RETURN_NULL && pool.hasSizeListeners()) {
            pool.notifySizeListeners(size);
        }
        return slot;
    }

    /** Like {@link #find} for an acquire that insists; never null. */
    Slot findOrRefuse(int size, int sizeClass, @Nullable Slot revoked) {
        return Objects.requireNonNull(find(size, sizeClass, revoked, AtCap.OBEY_SETTING));
    }

    /** Takes back the count of a slot that {@link #find} returned and that turned out to be revoked. */
    void uncountRevoked(Slot slot) {
        int sizeClass = slot.sizeClass();
        boolean plain = slot.slab.region.charge != Region.Charge.UNTIL_GONE;
        AcquireOutcome ofAlone = plain ? AcquireOutcome.UNPOOLED : AcquireOutcome.OVERSIZE;
        pool.counters.uncountRevoked(sizeClass, sizeClass == SizeClasses.OVERSIZE ? ofAlone : AcquireOutcome.DEPOT);
    }

    private @Nullable Slot refuse(int size, int sizeClass, @Nullable Slot revoked, AtCap atCap) {
        pool.checkCaller();
        if (atCap == AtCap.RETURN_NULL) {
            return null;
        }
        if (atCap == AtCap.OBEY_SETTING && atLimit == Exhaustion.Kind.UNPOOLED) {
            Slot beyond = growth.unpooled(size, Region.Charge.NONE);
            if (beyond != null) {
                return answer(beyond, size, revoked, atCap);
            }
        } else {
            checkCanBeHad(size, sizeClass, true);
        }
        if (atCap == AtCap.OBEY_SETTING) {
            throw refused(size, "", revoked);
        }
        countRefused(size, revoked);
        return null;
    }

    /** How many bytes an acquire of this size takes. */
    int bytesFor(int size, int sizeClass) {
        return sizeClass == SizeClasses.OVERSIZE ? size : classes.sizeOf(sizeClass);
    }

    private boolean canBeHad(int size, int sizeClass) {
        return bytesFor(size, sizeClass) <= regions.max();
    }

    /** Throws for a size that the cap can never serve. A wake-up is no acquire, so it is not {@code counted}. */
    void checkCanBeHad(int size, int sizeClass, boolean counted) {
        if (!canBeHad(size, sizeClass)) {
            String never = "it can never be had: it takes " + bytesFor(size, sizeClass) + " bytes";
            throw counted
                    ? refusedFor(size, never, null)
                    : new PoolExhaustedException(pool.name(), size, never, pool.stats());
        }
    }

    /** Counts a refusal at the cap and makes its error; {@code because} comes before the reason why the last region was refused. */
    PoolExhaustedException refused(int size, String because, @Nullable Slot revoked) {
        return refusedFor(size, because + regions.refusal(), revoked);
    }

    private PoolExhaustedException refusedFor(int size, String reason, @Nullable Slot revoked) {
        countRefused(size, revoked);
        PoolStats stats = pool.stats();
        FlightEvents.exhausted(pool.name(), size, reason, stats);
        return new PoolExhaustedException(pool.name(), size, reason, stats);
    }

    private void countRefused(int size, @Nullable Slot revoked) {
        pool.counters.acquired(AcquireOutcome.REJECTED, SizeClasses.OVERSIZE);
        if (revoked == null) { // else the size listeners were notified when that slot was found
            pool.notifySizeListeners(size);
        }
    }
}
