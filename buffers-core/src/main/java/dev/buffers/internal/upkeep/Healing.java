// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.HeapCollection;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolState;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the JVM for a collection when memory that a collection would find could have prevented a refusal, or could serve a waiter. A JVM
 * that is idle, or whose heap has room, makes none by itself.
 *
 * <p>Used by the tick alone; all fields are plain.
 */
public final class Healing {
    /*
     *   an acquire was refused, or a waiter waits
     *     and memory was dropped that would suffice for it, or the JVM's direct memory is used up   -> ask
     *     and a lease is out that was out SUSPICIOUS_NANOS ago                                      -> it may be lost: ask
     *
     * HeapCollection makes one collection in ten seconds at most, for the whole JVM. A pool whose collection has found nothing waits twice
     * as long before it asks again, up to MOST_NANOS: its leases are long ones. One that has found something asks as soon as it may.
     */
    /** A lease that is out for so long may be lost. */
    public static final long SUSPICIOUS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** For how long a refusal counts as a need: until the next collection is allowed, and as long again. */
    private static final long NEED_NANOS = 2 * HeapCollection.LEAST_PAUSE;

    /** The leases of a pool. Called by the tick, with no lock held. */
    public interface Leases {
        /** Whether a lease is out that was out {@link #SUSPICIOUS_NANOS} ago. May note leases, and answer at a later call. */
        boolean hasSuspect(long now);

        /** Forgets what {@link #hasSuspect} has noted, if it notes any. */
        default void forgetSuspects() {}
    }

    private final PoolState pool;
    private final RegionAllocator regions;
    private final Leases leases;
    private final boolean asks;

    private long refusals;
    private long refusedAt;
    private long found;
    private boolean demand;
    private boolean asked;
    private long askedAt;
    private long pause = HeapCollection.LEAST_PAUSE;
    private boolean logged;

    public Healing(PoolState pool, RegionAllocator regions, Leases leases) {
        this.pool = pool;
        this.regions = regions;
        this.leases = leases;
        this.asks = pool.settings().collect() == PoolSettings.Collecting.AUTO;
    }

    /**
     * Asks for a collection if one is needed and allowed by now; true when one was begun.
     *
     * @param waitedFor the bytes that the most modest waiter needs; 0 when none waits
     */
    public boolean askIfNeeded(int waitedFor, long now) {
        long refusalsNow = pool.counters.acquires(AcquireOutcome.REJECTED);
        if (refusalsNow != refusals) {
            demand = true;
            refusedAt = now;
        }
        demand &= now - refusedAt < NEED_NANOS;
        refusals = refusalsNow;
        if (!asks || !demand && waitedFor == 0) {
            leases.forgetSuspects();
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
        } else if (regions.wasRefusedByTheJvm()) {
            return regions.refusal();
        }
        return leases.hasSuspect(now) ? "leases that may be lost" : null;
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
