// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.signals.Refusals;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.internal.upkeep.Waiting;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slow path of an acquire (its magazine cannot serve it): the order in which it looks for a free slot, and the refusal.
 *
 * <p>Any thread. May take locks and allocate; calls the policy and wake-ups with no lock held.
 */
final class SlowAcquire implements Waiting.Memory {
    /*
     * find:  stripe (virtual threads) or own magazine -> FreeSlots: depot, slabs, regions -> null
     *
     * Every slot that leaves here is held: its tenancy has begun, and its view is still in it. The stack has room from the beginning until
     * the caller returns with its lease.
     *
     * find is one long method on purpose, with canSucceed spelt out: HotSpot never inlines it into a hit (decision 002).
     *
     * Locks are taken in this order: that of a class in Cutting, then those of ThreadCaches, SlabStore, direct allocations
     * (RegionAllocator), Budget. Under that of WaitQueue or of the size listeners no other is taken. No policy, wake-up or listener of the
     * user runs under any.
     */
    private static final int ATTEMPTS = 3;

    private final SlotOwner pool;
    private final SizeClasses classes;
    private final FreeSlots free;
    private final HandOff handOff;
    private final LeakTracker leaks;
    final Refusals refusals;
    private final Waiting waiting;
    private final Exhaustion.Kind atLimit;
    private final long patience;
    private final boolean zeroes;

    SlowAcquire(SlotOwner pool, SizeClasses classes, FreeSlots free, HandOff handOff, LeakTracker leaks) {
        this.pool = pool;
        this.classes = classes;
        this.free = free;
        this.handOff = handOff;
        this.leaks = leaks;
        this.refusals = new Refusals(pool);
        this.waiting = new Waiting(pool, handOff.waitQueue(), this);
        this.atLimit = pool.settings().atLimit().kind();
        this.patience = pool.settings().atLimit().patience().toNanos();
        this.zeroes = pool.settings().zero() == PoolSettings.Zeroing.ACQUIRE;
    }

    /** What an acquire does at the cap. */
    enum AtCap {
        /** It does what {@code at-limit} says: waits, takes memory beyond the cap, or throws with the numbers. */
        OBEY_SETTING,
        /** It gets null, and is counted as refused. */
        REFUSE,
        /** It gets null, and is not counted. */
        RETURN_NULL,
        /** The same, and at the cap no cache is emptied for it and no memory dropped: it only would like a slot of this size. */
        DO_WITHOUT
    }

    /**
     * Finds a free slot, begins a tenancy on it and counts it.
     *
     * @return null at the cap, unless {@code atCap} is {@code OBEY_SETTING}
     * @throws PoolExhaustedException at the cap, with {@code OBEY_SETTING} unless that allows memory beyond it; with {@code REFUSE} only
     *     when {@code size} can never fit under the cap
     */
    @Nullable Slot find(int size, int sizeClass, AtCap atCap) {
        if (atCap == AtCap.OBEY_SETTING && patience > 0) {
            return findOrWait(size, sizeClass, patience);
        }
        pool.enter();
        free.flushForWaiters(sizeClass);
        if (classes.bytesFor(size) > free.max()) {
            return refuse(size, atCap);
        }
        Slot slot = null;
        if (sizeClass == SizeClasses.OVERSIZE) {
            do {
                pool.checkCaller();
                slot = free.alone(size);
                if (slot == null) {
                    return refuse(size, atCap);
                }
            } while (!slot.begin()); // the tick has revoked it in the meantime, or the pool was closed
            count(slot);
            return prepare(slot, size);
        }
        ThreadCaches threads = free.threads;
        ThreadCache own = threads.own();
        while (slot == null) {
            Magazine magazine = threads.claim(own, sizeClass);
            if (magazine != null) {
                slot = magazine.takeBegun();
                magazine.hits += slot == null ? 0 : 1;
                magazine.unclaim();
                if (slot != null) {
                    break;
                }
            }
            magazine = threads.prepare(own, magazine, sizeClass);
            Slot first = null;
            // A relaxed queue may miss a slot that is just being put in: look again before the pool grows.
            for (int attempt = 0; first == null && attempt < ATTEMPTS; attempt++) {
                first = free.take(sizeClass, magazine);
            }
            first = first != null ? first : free.find(sizeClass, own, atCap != AtCap.DO_WITHOUT);
            if (first == null) {
                return refuse(size, atCap);
            }
            if (first.begin()) { // last: nothing from here to the lease may throw
                slot = first;
                count(slot);
            } else {
                pool.checkCaller(); // in a closed pool every slot is revoked
                own = threads.own(); // this miss may have made it
            }
        }
        return prepare(slot, size);
    }

    /** Counts an acquire that no magazine has served. */
    void count(Slot held) {
        int sizeClass = held.sizeClass();
        AcquireOutcome outcome;
        if (sizeClass == SizeClasses.OVERSIZE) {
            boolean pooled = held.slab.region.charge == Region.Charge.UNTIL_GONE;
            outcome = pooled ? AcquireOutcome.OVERSIZE : AcquireOutcome.UNPOOLED;
        } else {
            outcome = held.slab.countCut() ? AcquireOutcome.CARVED : AcquireOutcome.DEPOT;
        }
        pool.counters.acquired(outcome, sizeClass);
    }

    /**
     * Does what the settings and listeners ask for with each slot that an acquire has found: zeroes its memory, keeps a trace, notifies the
     * size listeners. If that throws, the tenancy ends.
     */
    Slot prepare(Slot held, int size) {
        if (pool.watchesAcquires()) {
            try {
                if (zeroes) {
                    held.erase();
                }
                AcquireTrace trace = leaks.trace(held.stateVolatile(), size);
                if (trace != null) { // else an old one stays: AllocationTest fails with null here
                    held.trace = trace;
                }
                pool.notifySizeListeners(size);
            } catch (Throwable e) {
                held.returnStack = null;
                held.endUnused(null);
                pool.counters.recycled(held.sizeClass());
                handOff.giveBack(held);
                throw e;
            }
        }
        return held;
    }

    /** Like {@link #find} for an acquire that insists; never null. */
    Slot findOrRefuse(int size, int sizeClass) {
        return Objects.requireNonNull(find(size, sizeClass, AtCap.OBEY_SETTING));
    }

    /**
     * Like {@link #find} for an acquire that waits for at most {@code patienceNanos}, behind all earlier waiters of the same class; never
     * null.
     *
     * @throws PoolExhaustedException when the patience ended, or the thread was interrupted; its interrupt flag is then set
     */
    Slot findOrWait(int size, int sizeClass, long patienceNanos) {
        pool.enter();
        checkCanSucceed(size, true);
        free.flushForWaiters(sizeClass);
        Slot slot = handOff.waitQueue().hasWaiters(sizeClass) ? null : find(size, sizeClass, AtCap.RETURN_NULL);
        if (slot != null) {
            return slot;
        } else if (patienceNanos == 0) {
            throw refused(size, "");
        }
        slot = (Slot) waiting.await(size, classes.bytesFor(size), sizeClass, patienceNanos);
        count(slot);
        return prepare(slot, size);
    }

    void whenAvailable(int size, int sizeClass, Runnable wake) {
        checkCanSucceed(size, false);
        waiting.whenAvailable(classes.bytesFor(size), sizeClass, wake);
    }

    @Override
    public boolean hasRoom(WaitQueue.Waiter waiter) {
        return free.hasRoom(waiter.bytes, waiter.sizeClass);
    }

    @Override
    public void serve(int sizeClass) {
        if (sizeClass != SizeClasses.OVERSIZE) {
            free.emptyDepot(sizeClass);
        }
        handOff.serve();
    }

    @Override
    public void turnHasEnded() {
        handOff.turnHasEnded();
    }

    @Override
    public void giveBackUnused(WaitQueue.Room given) {
        Slot slot = (Slot) given;
        slot.endUnused(null);
        handOff.giveBack(slot);
    }

    private @Nullable Slot refuse(int size, AtCap atCap) {
        pool.checkCaller();
        if (leaks.isDue()) {
            MaintenanceThread.requestTick(); // this thread may be virtual, and must not poll the queue of lost slots
        }
        if (atCap == AtCap.RETURN_NULL || atCap == AtCap.DO_WITHOUT) {
            return null;
        }
        if (atCap == AtCap.OBEY_SETTING && atLimit == Exhaustion.Kind.UNPOOLED) {
            if (canSucceed(size)) {
                pool.counters.refused(size); // a collection could have prevented it
            }
            for (Slot beyond = unpooled(size); beyond != null; beyond = unpooled(size)) {
                if (beyond.begin()) {
                    count(beyond);
                    return prepare(beyond, size);
                } // else a thread that takes free memory back was faster
            }
        } else {
            checkCanSucceed(size, true);
        }
        if (atCap == AtCap.OBEY_SETTING) {
            throw refused(size, "");
        }
        refusals.count(size, free.refusal());
        return null;
    }

    private @Nullable Slot unpooled(int size) {
        Slot beyond = free.beyond(size);
        pool.checkCaller();
        if (beyond != null && refusals.beyondIsDue()) {
            refusals.logBeyond(size, canSucceed(size) ? free.refusal() : needs(size));
        }
        return beyond;
    }

    private String needs(int size) {
        return "needs " + classes.bytesFor(size) + " bytes, max is " + free.max();
    }

    private boolean canSucceed(int size) {
        return classes.bytesFor(size) <= free.max();
    }

    /** Throws for a size that the cap can never serve. A wake-up is no acquire, so it is not {@code counted}. */
    void checkCanSucceed(int size, boolean counted) {
        if (!canSucceed(size)) {
            String never = "can never succeed: " + needs(size);
            throw counted ? refusals.error(size, never) : refusals.uncounted(size, never);
        }
    }

    @Override
    public PoolExhaustedException refused(int size, String because) {
        return refusals.error(size, because + free.refusal());
    }
}
