// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.HeapCollection;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the JVM for a collection when memory that a collection would find could have prevented a refusal, or could serve a waiter. A JVM
 * that is idle, or whose heap has room, makes none by itself.
 *
 * <p>Used by the tick alone; all fields are plain.
 */
final class Healing {
    /*
     *   an acquire was refused, or a waiter waits
     *     and memory was dropped that would suffice for it, or the JVM's direct memory is used up   -> ask
     *     and a lease is out that was out SUSPICIOUS_NANOS ago            -> it may be lost: ask
     *
     * HeapCollection makes one collection in ten seconds at most, for the whole JVM. A pool whose collection has found nothing waits twice
     * as long before it asks again, up to MOST_NANOS: its leases are long ones. One that has found something asks as soon as it may.
     */
    private static final long SUSPICIOUS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int MOST_SUSPECTS = 1 << 14;

    /** For how long a refusal counts as a need: until the next collection is allowed, and as long again. */
    private static final long NEED_NANOS = 2 * HeapCollection.LEAST_PAUSE;

    private final PoolState pool;
    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final boolean asks;

    private final List<Suspect> suspects = new ArrayList<>();
    private int firstSlab;
    private long suspectedAt;
    private long refusals;
    private long refusedAt;
    private long found;
    private boolean demand;
    private boolean asked;
    private long askedAt;
    private long pause = HeapCollection.LEAST_PAUSE;
    private boolean logged;

    Healing(PoolState pool, RegionAllocator regions, SlabStore slabs) {
        this.pool = pool;
        this.regions = regions;
        this.slabs = slabs;
        this.asks = pool.settings().collect() == PoolSettings.Collecting.AUTO;
    }

    /**
     * Asks for a collection if one is needed and allowed by now; true when one was begun.
     *
     * @param waitedFor the bytes that the most modest waiter needs; 0 when none waits
     */
    boolean askIfNeeded(int waitedFor, long now) {
        long refusalsNow = pool.counters.acquires(AcquireOutcome.REJECTED);
        if (refusalsNow != refusals) {
            demand = true;
            refusedAt = now;
        }
        demand &= now - refusedAt < NEED_NANOS;
        refusals = refusalsNow;
        if (!asks || !demand && waitedFor == 0) {
            suspects.clear();
            return false;
        }
        long foundNow = pool.counters.leaks.get() + regions.goneParts();
        if (asked && foundNow != found) {
            asked = false;
            pause = HeapCollection.LEAST_PAUSE;
        }
        String cause = cause(demand ? 1 : waitedFor, now);
        if (cause == null || asked && now - askedAt < pause || !HeapCollection.isAllowed(now)) {
            return false;
        }
        log(cause);
        pause = asked ? Math.min(MOST_NANOS, 2 * pause) : pause;
        asked = true;
        askedAt = now;
        found = foundNow;
        demand = false;
        if (!HeapCollection.begin(now)) {
            return false;
        }
        pool.counters.collections.incrementAndGet();
        return true;
    }

    /** Why a collection could help; null when it could not. */
    private @Nullable String cause(int needed, long now) {
        long dropped = regions.collectableBytes();
        if (dropped > 0 && dropped + regions.room() >= needed) {
            return "dropped=" + dropped;
        }
        if (regions.wasRefusedByTheJvm()) {
            return regions.refusal();
        }
        return hasSuspect(now) ? "leases that may be lost" : null;
    }

    /** A slot and the state in which it was seen. */
    private record Suspect(Slot slot, long state) {
        boolean isHeldStill() {
            long now = slot.stateVolatile();
            return SlotState.isHeld(now) && SlotState.sameTenancy(now, state);
        }
    }

    /** Whether a lease is out that was out a while ago. */
    private boolean hasSuspect(long now) {
        if (suspects.isEmpty()) {
            suspect();
            suspectedAt = now;
            return false;
        }
        if (now - suspectedAt < SUSPICIOUS_NANOS) {
            return false;
        }
        boolean found = suspects.stream().anyMatch(Suspect::isHeldStill);
        suspects.clear();
        return found;
    }

    /** Notes the leases that are out; those of some slabs if there are too many, and next time those of the following ones. */
    private void suspect() {
        List<Slab> all = slabs.all();
        for (int left = all.size(); left > 0 && suspects.size() < MOST_SUSPECTS; left--) {
            firstSlab = firstSlab < all.size() ? firstSlab : 0;
            for (Slot slot : slabs.out(all.get(firstSlab++))) {
                long state = slot.stateVolatile();
                if (SlotState.isHeld(state)) {
                    suspects.add(new Suspect(slot, state));
                }
            }
        }
    }

    private void log(String cause) {
        if (logged) {
            return;
        }
        logged = true;
        String line = HeapCollection.areDisabled()
                ? "a collection could free memory for this pool, but -XX:+DisableExplicitGC forbids to ask for one: pool="
                : "asked the JVM for a collection, to free memory for this pool; collect=off forbids it: pool=";
        pool.call(new Callbacks.Callback("the log", () -> Callbacks.warn(line + pool.name() + ", " + cause, null)));
    }
}
