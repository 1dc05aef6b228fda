// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.DaemonThreads;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread for all pools. It does what must happen without traffic. It starts with the first pool and ends with the last.
 *
 * <p>Any thread. Holds no pool, and no class loader but this library's ({@link DaemonThreads}). Calls no user code (listener, wake-up, log,
 * MBean server, policy): it gives such calls to the pool's {@link Callbacks}, and does not wait for them.
 */
public final class MaintenanceThread implements Runnable {
    /*
     *   watch, requestTick --requested, unpark--> the daemon: each watched pool whose time has come ticks --> park
     *
     * T1  `requested` is set before the daemon is unparked, and cleared before it looks at the pools: no request is missed.
     * T2  A thread adds its watch before it looks for the daemon, and starts one if it sees none; the first that runs is the daemon, the
     *     others end. A daemon that has found no watch resigns before it looks again. So one of the two sees the other: while there is a
     *     watch, one daemon runs.
     * T3  After a tick a pool is left alone for ten times the processor time of the tick, one second at most, unless a waiter waits: a tick
     *     that was slow because the machine stood still costs nothing.
     * T4  A pool is watched until nothing is left to do for it and none of its callbacks waits for a thread (Callbacks, C3).
     *
     *   field            written by                mode                read by       mode
     *   WATCHES          watch; the daemon         (its own)           any thread    (its own: CopyOnWriteArrayList)
     *   DAEMON           the daemon                compareAndSet, set  any thread    volatile
     *   requested        requestTick; the daemon   volatile            the daemon    volatile
     *   Watch.failure    the daemon; its callback  getAndSet           the callback  getAndSet
     *   others of Watch  the daemon                plain               the daemon    plain (WATCHES publishes the first values)
     */
    /** How often the tick looks for idle memory. */
    public static final long TICK = TimeUnit.SECONDS.toNanos(1);

    /** How often the tick looks at first for memory for waiters; it looks less often while no new waiter comes. */
    public static final long PRESSURE_TICK = TimeUnit.MILLISECONDS.toNanos(20);

    private static final CopyOnWriteArrayList<Watch> WATCHES = new CopyOnWriteArrayList<>();
    private static final AtomicReference<@Nullable Thread> DAEMON = DaemonThreads.MAINTENANCE;
    private static final Runnable SAMPLE = MaintenanceThread::sample;
    private static volatile boolean requested;

    private MaintenanceThread() {}

    /** A pool, weakly held, and what remains to be done when it is gone. Used by the daemon alone. */
    private static final class Watch {
        private final WeakReference<PoolState> pool;
        private final Callbacks callbacks;
        private final Callbacks.Callback onGone;
        private final Callbacks.Callback failed;
        private final Budget budget;

        /** What will be logged next; one at a time. */
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        private boolean onGoneAdded;
        private long next = System.nanoTime();

        /** The next pause while a waiter waits: a quarter longer than the one before, until any pool requests a tick. */
        private long pressurePause = PRESSURE_TICK;

        Watch(PoolState pool, Runnable onGone, Budget budget) {
            String line = "looking after a pool has failed: pool=" + pool.name();
            this.pool = new WeakReference<>(pool);
            this.callbacks = pool.callbacks();
            this.onGone = new Callbacks.Callback("what ends a pool", onGone);
            this.failed = new Callbacks.Callback("the log", () -> Callbacks.warn(line, failure.getAndSet(null)));
            this.budget = budget;
        }

        void failed(Throwable e) {
            if (failure.getAndSet(e) == null) {
                callbacks.add(failed);
            }
        }

        /** Ticks if the time has come; false when nothing is left to do for this pool. */
        boolean tick(boolean hurry) {
            boolean more = look(hurry);
            return !callbacks.start() || more; // T4
        }

        /** Whether the budget, which several pools may share, is watched for another pool that is gone. */
        private boolean isWatchedForAnother() {
            return WATCHES.stream().anyMatch(other -> other != this && other.budget == budget && other.onGoneAdded);
        }

        private boolean look(boolean hurry) {
            long now = System.nanoTime();
            PoolState present = pool.get();
            if (present == null) {
                if (!onGoneAdded) {
                    onGoneAdded = true;
                    callbacks.add(onGone);
                }
                budget.creditInTurn(now);
                budget.collect(Long.MAX_VALUE);
                next = now + TICK;
                return !budget.isEmpty() && !isWatchedForAnother();
            }
            if (hurry) {
                next = Math.min(next - now, PRESSURE_TICK) + now;
                pressurePause = PRESSURE_TICK;
            }
            if (now - next < 0) {
                return true;
            }
            next = now + TICK; // even if the tick throws, or was the last one
            long begun = cpuTime();
            long again = present.tick(now);
            if (again >= TICK) {
                next = System.nanoTime() + again + Math.min(TICK, 10 * (cpuTime() - begun));
            } else if (again >= 0) {
                next = System.nanoTime() + Math.max(again, pressurePause);
                pressurePause = Math.min(TICK, pressurePause + pressurePause / 4);
            }
            return again >= 0;
        }
    }

    /** The processor time of this thread; without the module of its bean 0: then a tick counts as free. */
    private static long cpuTime() {
        try {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        } catch (LinkageError | UnsupportedOperationException e) {
            return 0;
        }
    }

    /**
     * Looks after {@code pool} from now on.
     *
     * @param onGone called when the pool is gone, closed or not; holds no pool, and may run again
     */
    public static void watch(PoolState pool, Runnable onGone, Budget budget) {
        WATCHES.add(new Watch(pool, onGone, budget));
        if (DAEMON.get() == null) {
            new DaemonThreads("buffers-maintenance")
                    .newThread(new MaintenanceThread())
                    .start();
        }
        requestTick();
    }

    /** Asks the daemon to look soon: a waiter waits, or a pool was closed. */
    public static void requestTick() {
        requested = true;
        LockSupport.unpark(DAEMON.get());
    }

    @Override
    public void run() {
        long wait = DAEMON.compareAndSet(null, Thread.currentThread()) ? 1 : 0;
        while (wait > 0) {
            LockSupport.parkNanos(this, wait);
            Thread.interrupted(); // any thread may interrupt it, and then it would never park again
            try {
                wait = round();
            } catch (Throwable e) { // no memory even for the list: the next round may have some
                wait = TICK;
            }
        }
    }

    /** Writes the periodic event of each open pool; called by the recorder's thread. */
    static void sample() {
        for (Watch watch : WATCHES) {
            PoolState pool = watch.pool.get();
            if (pool != null && !pool.isClosed()) {
                FlightEvents.sampled(pool.name(), pool.settings(), pool::stats);
            }
        }
    }

    /** Returns the nanoseconds until the next round; 0 when no pool is left to look after. */
    private static long round() {
        boolean hurry = requested;
        requested = false;
        FlightEvents.hook(SAMPLE, true);
        for (Watch watch : WATCHES) {
            try {
                if (!watch.tick(hurry)) {
                    WATCHES.remove(watch);
                }
            } catch (Throwable e) {
                watch.failed(e);
            }
        }
        if (WATCHES.isEmpty()) {
            FlightEvents.hook(SAMPLE, false);
            DAEMON.set(null);
            if (WATCHES.isEmpty() || !DAEMON.compareAndSet(null, Thread.currentThread())) {
                return 0;
            }
        }
        long now = System.nanoTime();
        long wait = TICK;
        for (Watch watch : WATCHES) {
            wait = Math.min(wait, watch.next - now);
        }
        return Math.max(1, wait);
    }
}
