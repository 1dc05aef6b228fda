package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Depots;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of an acquire (its magazine cannot serve it): the order in which it looks for a free slot.
 *
 * <p>Any thread. May take locks and allocate; calls the policy and wake-ups with no lock held.
 */
final class SlowAcquire {
    /*
     * find:  stripe (virtual threads) or own magazine -> depot -> fullest slab, unused slab of the class -> SlabGrowth -> null
     *
     * A stripe is a cache that virtual threads share; one of them claims it for one take or give. A depot has the free slots of a class
     * that all threads share.
     *
     * find is one long method on purpose. HotSpot never inlines a method of more than 325 bytecodes (FreqInlineSize). So the hit that calls
     * it stays small enough to be inlined itself, whatever the share of misses.
     *
     * Locks are taken in this order: that of a class in SlabGrowth, then those of Revocation, ThreadCaches, SlabStore, RegionAllocator.
     * Under a lock of WaitQueue, Guard or the size listeners no other is taken. No policy, wake-up or listener of the user runs under any.
     */
    private static final int ATTEMPTS = 3;

    private final SlotOwner pool;
    private final SizeClasses classes;
    private final SlabStore slabs;
    private final ThreadCaches threads;
    private final Depots depots;
    private final HandOff handOff;
    private final SlabGrowth growth;
    private final Refusals refusals;
    private final WaitingAcquire waiting;
    private final boolean pooled;
    private final long patience;

    SlowAcquire(
            SlotOwner pool,
            SizeClasses classes,
            SlabStore slabs,
            Caches caches,
            HandOff handOff,
            SlabGrowth growth,
            Refusals refusals) {
        this.pool = pool;
        this.classes = classes;
        this.slabs = slabs;
        this.threads = caches.threads;
        this.depots = caches.depots;
        this.handOff = handOff;
        this.growth = growth;
        this.refusals = refusals;
        this.waiting = new WaitingAcquire(pool, handOff, growth, refusals, this);
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
        this.patience = pool.settings().atLimit().patience().toNanos();
    }

    WaitingAcquire waiting() {
        return waiting;
    }

    /** What an acquire does at the cap. */
    enum AtCap {
        /** It does what {@code at-limit} says: waits, takes memory beyond the cap, or throws with the numbers. */
        OBEY_SETTING,
        /** It gets null. */
        RETURN_NULL,
        /** It is waiting, gets null, and waits on. */
        KEEP_WAITING
    }

    /**
     * Finds a free slot, which the caller owns from then on, and counts it as acquired. The caller begins a tenancy at once, and calls
     * again if the slot turns out to be revoked. The stack has room from here until the caller returns with its lease.
     *
     * @param revoked the revoked slot that the caller was given before, if any
     * @return null at the cap, unless {@code atCap} is {@code OBEY_SETTING}
     */
    @Nullable Slot find(int size, int sizeClass, @Nullable Slot revoked, AtCap atCap) {
        StackProbe.check();
        if (atCap == AtCap.OBEY_SETTING && patience > 0) {
            return findOrWait(size, sizeClass, revoked, patience);
        }
        if (revoked != null) {
            uncountRevoked(revoked);
        }
        pool.checkCaller();
        if (!refusals.canBeHad(size, sizeClass)) {
            return refuse(size, sizeClass, revoked, atCap);
        }
        if (sizeClass == SizeClasses.OVERSIZE || !pooled) {
            Slot alone = null;
            for (int attempt = 0;
                    alone == null && (attempt == 0 || attempt < ATTEMPTS && handOff.awaitTransit());
                    attempt++) {
                alone = growth.alone(size);
            }
            return alone == null ? refuse(size, sizeClass, revoked, atCap) : answer(alone, size, revoked, atCap);
        }
        boolean virtual = ThreadCaches.isVirtual(Thread.currentThread());
        int slotSize = classes.sizeOf(sizeClass);
        Depot depot = depots.of(sizeClass);
        Magazine own = null;
        Slot slot = null;
        if (virtual) {
            ThreadCache stripe = threads.claim();
            if (stripe != null) {
                Magazine magazine = stripe.getAcquire(sizeClass);
                if (magazine != null) {
                    magazine.dropRevoked();
                    slot = magazine.take();
                    magazine.hits += slot == null ? 0 : 1;
                }
                stripe.unclaim();
                if (magazine == null) {
                    threads.prepareStripes(sizeClass, slotSize);
                }
            }
        } else {
            own = threads.own(sizeClass, slotSize);
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
                int most = keeps && !handOff.hasWaiters(sizeClass) ? batch.length : 1;
                // A relaxed queue may miss a slot that is just being put in: look again before the pool grows.
                for (int attempt = 0; n == 0 && attempt < ATTEMPTS; attempt++) {
                    n = depot.takeLoose(batch);
                    n = n > 0 ? n : slabs.take(sizeClass, batch, most);
                    n = n > 0 ? n : depot.unpackBatch(batch);
                }
                // No thread can find a slot that others are just moving: meanwhile the pool is not at its cap.
                for (int attempt = 0;
                        n == 0 && (attempt == 0 || attempt < ATTEMPTS && handOff.awaitTransit());
                        attempt++) {
                    n = growth.grow(sizeClass, batch, most);
                    outcome = n < 0 ? AcquireOutcome.CARVED : AcquireOutcome.DEPOT;
                    n = Math.abs(n);
                }
                if (n == 0) {
                    depot.putEmpty(batch);
                    return refuse(size, sizeClass, revoked, atCap);
                }
                while (n > 0 && batch[n - 1].abandonIfRevoked()) {
                    n--;
                }
                if (n == 0) {
                    // All of them were revoked. In a closed pool every slot is, even one just cut.
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
                ThreadCache stripe = threads.claim();
                if (stripe != null) {
                    Magazine magazine = stripe.getAcquire(sizeClass);
                    if (magazine != null && magazine.isGranted() && magazine.isEmpty()) {
                        magazine.load(batch, n);
                        n = 0;
                    }
                    stripe.unclaim();
                }
            }
            handOff.giveBack(batch, n);
            depot.putEmpty(batch);
            pool.counters.acquired(outcome, sizeClass); // last: if a step before throws, no thread owns the slot
        }
        return answer(slot, size, revoked, atCap);
    }

    /** Notifies the size listeners, once for each acquire. */
    Slot answer(Slot slot, int size, @Nullable Slot revoked, AtCap atCap) {
        if (revoked == null && atCap != AtCap.KEEP_WAITING && pool.hasSizeListeners()) {
            pool.notifySizeListeners(size);
        }
        return slot;
    }

    private @Nullable Slot refuse(int size, int sizeClass, @Nullable Slot revoked, AtCap atCap) {
        pool.checkCaller();
        return atCap == AtCap.OBEY_SETTING ? answer(beyond(size, sizeClass), size, revoked, atCap) : null;
    }

    /** Like {@link #find} for an acquire that insists; never null. */
    Slot findOrRefuse(int size, int sizeClass, @Nullable Slot revoked) {
        return Objects.requireNonNull(find(size, sizeClass, revoked, AtCap.OBEY_SETTING));
    }

    /** Like {@link #find}, but waits for a slot for at most {@code nanos} nanoseconds. */
    Slot findOrWait(int size, int sizeClass, @Nullable Slot revoked, long nanos) {
        StackProbe.check();
        if (revoked != null) {
            uncountRevoked(revoked);
        }
        return waiting.findOrWait(size, sizeClass, revoked, nanos);
    }

    /** Ends a {@code tryAcquire} at the cap: throws when the cap can never serve the size, and otherwise counts the refusal. */
    void refuseSilently(int size, int sizeClass) {
        refusals.checkCanBeHad(size, sizeClass);
        refusals.count(size);
    }

    /** Takes memory beyond the cap if that is allowed, and throws otherwise. */
    private Slot beyond(int size, int sizeClass) {
        Slot slot = null;
        if (pool.settings().atLimit().kind() == Exhaustion.Kind.UNPOOLED) {
            slot = growth.unpooled(size, Region.Charge.NONE);
        } else {
            refusals.checkCanBeHad(size, sizeClass);
        }
        if (slot == null) {
            throw refusals.refused(size, "");
        }
        return slot;
    }

    /** Takes back the count of a slot that {@link #find} returned and that turned out to be revoked. */
    void uncountRevoked(Slot slot) {
        int sizeClass = slot.sizeClass();
        AcquireOutcome ofAlone = pooled ? AcquireOutcome.OVERSIZE : AcquireOutcome.UNPOOLED;
        pool.counters.uncountRevoked(sizeClass, sizeClass == SizeClasses.OVERSIZE ? ofAlone : AcquireOutcome.DEPOT);
    }
}
