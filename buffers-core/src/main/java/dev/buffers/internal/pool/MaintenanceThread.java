package dev.buffers.internal.pool;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.DaemonThreads;
import dev.buffers.internal.signals.PoolState;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread for all pools: what must happen without traffic happens in it. It starts with the first pool and ends
 * with the last.
 *
 * <p>Any thread. Holds no pool and no class loader but this library's ({@link DaemonThreads}). Calls nothing that is a user's: no listener,
 * no wake-up, no log, no MBean server, no policy. What there is to call goes to the pool's {@link Callbacks}, which it does not wait for.
 */
public final class MaintenanceThread implements Runnable {
    /*
     *   watch, requestTick --requested, unpark--> the daemon: each watched pool whose time has come ticks (Maintenance) --> park
     *
     * T1  `requested` is set before the daemon is unparked, and cleared before it looks at the pools: no hurry is missed.
     * T2  Who adds a watch and the daemon that ends for want of any look under the lock: one daemon runs while there is a watch.
     * T3  After a tick a pool is left alone for ten times as long as that took, hurried or not.
     * T4  A pool is watched until there is nothing left to do for it, and no callback of its waits for a thread (Callbacks, C3).
     *
     *   field      written by                  mode      read by      mode
     *   WATCHES    watch, the daemon           under the lock, and read there
     *   thread     the same, under the lock    volatile  hurry        volatile
     *   hurried    requestTick; the daemon           volatile  the daemon   volatile
     *   failure    the daemon; its callback    getAndSet the callback getAndSet
     *   of Watch   the daemon                  plain     the daemon   plain (the first values published by the lock)
     */
    /** How often to look for what is quiet, and how often for what others wait for. */
    static final long TICK = TimeUnit.SECONDS.toNanos(1);

    static final long PRESSURE_TICK = TimeUnit.MILLISECONDS.toNanos(20);

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final List<Watch> WATCHES = new ArrayList<>();
    private static volatile @Nullable Thread thread;
    private static volatile boolean requested;

    private MaintenanceThread() {}

    /** A pool, as long as anybody else holds it, and what it leaves behind. By the daemon alone. */
    private static final class Watch {
        private final WeakReference<PoolState> pool;
        private final Callbacks callbacks;
        private final Callbacks.Callback onGone;
        private final Callbacks.Callback failed;
        private final Budget budget;

        /** What the log is about to be told of; one at a time. */
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        private boolean onGoneAdded;
        private long next = System.nanoTime();
        private long earliest = next;

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

        /** False when there is nothing left to do for it. */
        boolean tick(boolean hurry) {
            boolean more = look(hurry);
            return !callbacks.start() || more; // T4
        }

        private boolean look(boolean hurry) {
            long now = System.nanoTime();
            PoolState present = pool.get();
            if (present == null) {
                if (!onGoneAdded) {
                    onGoneAdded = true;
                    callbacks.add(onGone);
                }
                budget.collect(Long.MAX_VALUE);
                next = now + TICK;
                return !budget.isEmpty();
            }
            if (hurry) {
                long soon = now + PRESSURE_TICK;
                long allowed = soon - earliest < 0 ? earliest : soon;
                next = allowed - next < 0 ? allowed : next;
            }
            if (now - next < 0) {
                return true;
            }
            next = now + TICK; // also should it throw
            long again = present.tick(now);
            long end = System.nanoTime();
            earliest = end + 10 * (end - now); // a tenth of one core is all that a pool may cost
            next = Math.max(end + (again < 0 ? TICK : again), earliest);
            return again >= 0;
        }
    }

    /**
     * From now on {@code pool} is looked after.
     *
     * @param onGone to be called when it is gone, closed or not; holds no pool, and may run again
     */
    static void watch(PoolState pool, Runnable onGone, Budget budget) {
        LOCK.lock();
        try {
            Watch watch = new Watch(pool, onGone, budget);
            if (thread == null) {
                Thread made = new DaemonThreads("buffers-trimmer").newThread(new MaintenanceThread());
                made.start(); // it waits for the lock before it looks
                thread = made;
            }
            WATCHES.add(watch);
        } finally {
            LOCK.unlock();
        }
        requestTick();
    }

    /** Somebody waits, or has closed a pool: the daemon looks soon. */
    public static void requestTick() {
        Thread present = thread;
        if (present != null) {
            requested = true;
            LockSupport.unpark(present);
        }
    }

    /** Whether this thread is the daemon. */
    static boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void run() {
        long wait = 1;
        while (wait > 0) {
            LockSupport.parkNanos(this, wait);
            Thread.interrupted(); // else it would never park again; any thread may do that
            try {
                wait = round();
            } catch (Throwable e) { // not even memory for the list: the next round may have some
                wait = TICK;
            }
        }
    }

    /** Says how long until the next round; 0 when there is nobody left to look after. */
    private static long round() {
        boolean hurry = requested;
        requested = false;
        for (Watch watch : watches()) {
            boolean more = true;
            try {
                more = watch.tick(hurry);
            } catch (Throwable e) {
                watch.failed(e);
            }
            if (!more) {
                end(watch);
            }
        }
        LOCK.lock();
        try {
            if (WATCHES.isEmpty()) {
                thread = null;
                return 0;
            }
            long now = System.nanoTime();
            long wait = TICK;
            for (Watch watch : WATCHES) {
                wait = Math.min(wait, watch.next - now);
            }
            return Math.max(1, wait);
        } finally {
            LOCK.unlock();
        }
    }

    private static List<Watch> watches() {
        LOCK.lock();
        try {
            return List.copyOf(WATCHES);
        } finally {
            LOCK.unlock();
        }
    }

    private static void end(Watch watch) {
        LOCK.lock();
        try {
            WATCHES.remove(watch);
        } finally {
            LOCK.unlock();
        }
    }
}
