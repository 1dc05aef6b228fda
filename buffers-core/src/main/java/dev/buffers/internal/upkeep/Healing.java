// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.DaemonThreads;
import dev.buffers.internal.signals.PoolState;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks the JVM for a collection when memory that a collection would find could have prevented a refusal, or could serve a waiter. A JVM
 * that is idle, or whose heap has room, makes none by itself.
 *
 * <p>Used by the tick alone; all fields are plain.
 */
public final class Healing {
    /*
     *   an acquire that fits the cap was refused, or a waiter waits
     *     and memory was dropped that would suffice for it, or the JVM's direct memory is used up   -> ask
     *     and a lease is out that was out SUSPICIOUS_NANOS ago                                      -> it may be lost: ask
     *
     * For all pools of one copy of the library there is one collection in LEAST_NANOS at most. A pool whose collection has found nothing
     * waits twice as long before it asks again, up to MOST_NANOS: its leases are long ones. One that has found something asks as soon as it
     * may.
     *
     * Each collection has its own thread: with a concurrent collector System.gc() returns only when the collection has ended, and until then
     * the daemon serves waiters.
     */
    /** A lease that is out for so long may be lost. */
    public static final long SUSPICIOUS_NANOS = TimeUnit.SECONDS.toNanos(1);

    static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** For how long a refusal counts as a need: until the next collection is allowed, and as long again. */
    private static final long NEED_NANOS = 2 * LEAST_NANOS;

    private static final AtomicLong LAST = new AtomicLong(System.nanoTime() - LEAST_NANOS);

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

    private int leastRefused = Counters.NONE_REFUSED;
    private long refusedAt;

    /** What all collections had found when this pool last asked for one; the next field is how long it waits since then. */
    private long found;

    private long pause;
    private long askedAt;
    private boolean logged;

    public Healing(PoolState pool, RegionAllocator regions, Leases leases) {
        this.pool = pool;
        this.regions = regions;
        this.leases = leases;
    }

    /**
     * Asks for a collection if one is needed and allowed by now; true when one was begun.
     *
     * @param refused as {@link Counters#takeLeastRefused} says
     * @param waitedFor the bytes that the most modest waiter needs; 0 when none waits
     */
    public boolean askIfNeeded(int refused, int waitedFor, long now) {
        refusedAt = refused == Counters.NONE_REFUSED ? refusedAt : now;
        leastRefused = now - refusedAt < NEED_NANOS ? Math.min(leastRefused, refused) : Counters.NONE_REFUSED;
        int needed = waitedFor == 0 ? leastRefused : Math.min(leastRefused, waitedFor);
        if (pool.settings().collect() == PoolSettings.Collecting.OFF || needed == Counters.NONE_REFUSED) {
            leases.forgetSuspects();
            return false;
        }
        long foundNow = pool.counters.leaks.get() + regions.budget.gone();
        if (foundNow != found) {
            pause = 0;
        }
        String cause = cause(needed, now);
        long last = LAST.get();
        if (cause == null || now - askedAt < pause || now - last < LEAST_NANOS || !LAST.compareAndSet(last, now)) {
            return false;
        }
        boolean forbidden = DirectLimit.flag("DisableExplicitGC");
        if (!logged) {
            logged = true;
            log(forbidden, cause);
        }
        pause = Math.max(LEAST_NANOS, Math.min(MOST_NANOS, 2 * pause));
        askedAt = now;
        found = foundNow;
        leastRefused = Counters.NONE_REFUSED;
        return !forbidden && collect();
    }

    /** Begins a collection. False when the JVM has no memory for a thread. */
    private boolean collect() {
        try {
            new DaemonThreads("buffers-collection").newThread(System::gc).start();
            pool.counters.collections.incrementAndGet();
            return true;
        } catch (OutOfMemoryError e) {
            return false; // the heap is collected for that reason, or the next attempt has a thread
        }
    }

    /** Why a collection could help; null when it could not. */
    private @Nullable String cause(int needed, long now) {
        long dropped = regions.budget.collectable();
        if (dropped > 0 && dropped + regions.budget.room() >= needed) {
            return "dropped=" + dropped;
        } else if (regions.isAtDirectLimit()) {
            return regions.refusal();
        }
        return leases.hasSuspect(now) ? "leases that may be lost" : null;
    }

    private void log(boolean forbidden, String cause) {
        String line = forbidden
                ? "a collection could free memory for this pool, but -XX:+DisableExplicitGC forbids to ask for one: pool="
                : "asked the JVM for a collection, to free memory for this pool; collect=off forbids it: pool=";
        pool.call(new Callbacks.Callback("the log", () -> Callbacks.warn(line + pool.name() + ", " + cause, null)));
    }
}
