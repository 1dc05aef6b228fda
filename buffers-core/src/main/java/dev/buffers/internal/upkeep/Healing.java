// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.memory.Need;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.DaemonThreads;
import dev.buffers.internal.signals.PoolState;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the JVM for a collection when memory that a collection would find could have prevented a refusal or an acquire beyond the cap, or
 * could serve a waiter. A JVM that is idle, or whose heap has room, makes none by itself.
 *
 * <p>Used by the tick alone, also in a closed pool; all fields are plain. A collection has its own thread.
 */
public final class Healing {
    /*
     *   an acquire that fits the cap was refused or served beyond it, or a waiter waits: in this pool, or another one of the budget (Need)
     *     and memory was dropped that would suffice for it, or the JVM's direct memory is used up   -> ask
     *     and a lease of this pool is out that was out SUSPICIOUS_NANOS ago                         -> it may be lost: ask
     *
     * When, is a question of Pace. Whether a lease is lost is known by a collection alone, and a lease that was reachable at the last one
     * may be lost since. So a pool that keeps lacking memory keeps asking, as often as the cost permits.
     *
     * A collection has its own thread: with a concurrent collector System.gc() returns only when the collection has ended, and until then
     * the daemon serves waiters. The thread credits the taken memory, and requests a tick for the lost leases that were found.
     */
    /** A lease that is out for so long may be lost. */
    public static final long SUSPICIOUS_NANOS = TimeUnit.SECONDS.toNanos(1);

    static final Pace PACE = new Pace();

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
    private final boolean isOff;

    private long leaks;

    /** Whether leases were found to be lost since the last collection began. */
    private boolean follows;

    private boolean logged;

    public Healing(PoolState pool, RegionAllocator regions, Leases leases) {
        this.pool = pool;
        this.regions = regions;
        this.leases = leases;
        this.isOff = pool.settings().collect() == PoolSettings.Collecting.OFF;
    }

    /**
     * Asks for a collection if one is needed and allowed by now; true when one was begun.
     *
     * @param refused as {@link Counters#takeLeastRefused} says
     * @param waitedFor the bytes that the most modest waiter needs; 0 when none waits
     */
    public boolean askIfNeeded(int refused, int waitedFor, long now) {
        if (isOff) {
            return false;
        }
        Need need = regions.budget.need;
        int lacked = waitedFor == 0 ? refused : Math.min(refused, waitedFor);
        if (lacked != Counters.NONE_REFUSED && need.note(lacked, now)) {
            MaintenanceThread.requestTick(); // other pools of the budget begin to note their leases
        }
        if (leaks != pool.counters.leaks.get()) {
            leaks = pool.counters.leaks.get();
            follows = true;
            leases.forgetSuspects(); // some of them are found by now
            need.renew();
        }
        int needed = need.least(now);
        if (needed == Need.NONE) {
            follows = false;
            leases.forgetSuspects();
            return false;
        }
        String cause = cause(needed, now);
        return cause != null && ask(cause, now);
    }

    private boolean ask(String cause, long now) {
        boolean forbidden = DirectLimit.flag("DisableExplicitGC");
        if (!forbidden && !PACE.begin(now, follows)) {
            return false;
        }
        if (!logged) {
            logged = true;
            log(forbidden, cause);
        }
        if (forbidden) {
            return false;
        }
        follows = false;
        regions.budget.need.answer();
        return begin();
    }

    /** Begins a collection. False when the JVM has no memory for a thread. */
    private boolean begin() {
        Budget budget = regions.budget;
        try {
            new DaemonThreads("buffers-collection")
                    .newThread(() -> collect(budget))
                    .start();
            pool.counters.collections.incrementAndGet();
            return true;
        } catch (OutOfMemoryError e) {
            PACE.end(0, 0);
            return false; // the heap is collected for that reason, or the next attempt has a thread
        }
    }

    private static void collect(Budget budget) {
        long begun = System.nanoTime();
        long spent = 0;
        try {
            spent = -spentNanos();
            System.gc();
            spent += spentNanos();
        } catch (OutOfMemoryError e) {
            spent = System.nanoTime() - begun;
        } finally {
            PACE.end(System.nanoTime() - begun, spent);
        }
        budget.creditAll();
        MaintenanceThread.requestTick();
    }

    /** The time that the JVM has spent on collections so far; without the module of its beans all time counts. */
    private static long spentNanos() {
        try {
            long millis = 0;
            for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
                millis += Math.max(0, each.getCollectionTime());
            }
            return TimeUnit.MILLISECONDS.toNanos(millis);
        } catch (LinkageError e) {
            return System.nanoTime();
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
        return leases.hasSuspect(now)
                ? "some leases are out for long, and only a collection tells whether they are lost"
                : null;
    }

    private void log(boolean forbidden, String cause) {
        String line = forbidden
                ? "a collection could free memory for this pool, but -XX:+DisableExplicitGC forbids to ask for one: pool="
                : "asked the JVM for a collection, to free memory for this pool; collect=off forbids it: pool=";
        pool.call(new Callbacks.Callback("the log", () -> Callbacks.warn(line + pool.name() + ", " + cause, null)));
    }
}
