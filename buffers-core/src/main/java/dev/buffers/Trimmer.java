package dev.buffers;

import java.lang.ref.WeakReference;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread for all pools: what must happen without traffic happens in it. It starts with the first pool and ends
 * with the last.
 *
 * <p>Any thread. Holds no pool and no class loader but this library's: pools are held weakly, and the thread is made with no
 * context class loader, no inherited thread-locals, in the root thread group, and with this class's protection domain alone.
 */
final class Trimmer implements Runnable {
    /*
     *   watch, hurry --hurried, unpark--> the daemon: each watched pool whose time has come ticks (Upkeep) --> park
     *
     * T1  `hurried` is set before the daemon is unparked, and cleared before it looks at the pools: no hurry is missed.
     * T2  Who adds a watch and the daemon that ends for want of any look under the lock: one daemon runs while there is a watch.
     * T3  After a tick a pool is left alone for ten times as long as that took, hurried or not.
     *
     *   field      written by                  mode      read by      mode
     *   WATCHES    watch, the daemon           under the lock, and read there
     *   thread     the same, under the lock    volatile  hurry        volatile
     *   hurried    hurry; the daemon           volatile  the daemon   volatile
     *   of Watch   the daemon                  plain     the daemon   plain (the first values published by the lock)
     */
    /** How often to look for what is quiet, and how often for what others wait for. */
    static final long TICK = TimeUnit.SECONDS.toNanos(1);

    static final long PRESSURE_TICK = TimeUnit.MILLISECONDS.toNanos(20);

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final List<Watch> WATCHES = new ArrayList<>();
    private static volatile @Nullable Thread thread;
    private static volatile boolean hurried;

    private Trimmer() {}

    /** A pool, as long as anybody else holds it, and what it leaves behind. By the daemon alone. */
    private static final class Watch {
        private final WeakReference<SlabPool> pool;
        private final String name;
        private final Runnable farewell;
        private final Budget budget;
        private boolean forgotten;
        private long next = System.nanoTime();
        private long earliest = next;

        Watch(SlabPool pool, String name, Runnable farewell, Budget budget) {
            this.pool = new WeakReference<>(pool);
            this.name = name;
            this.farewell = farewell;
            this.budget = budget;
        }

        /** False when there is nothing left to do for it. */
        boolean tick(boolean hurry) {
            long now = System.nanoTime();
            SlabPool present = pool.get();
            if (present == null) {
                if (!forgotten) {
                    forgotten = true;
                    farewell.run();
                }
                budget.collect(Long.MAX_VALUE);
                next = now + TICK;
                return !budget.isSettled();
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
            next = Math.max(end + again, earliest);
            return again >= 0;
        }
    }

    /**
     * From now on {@code pool} is looked after.
     *
     * @param farewell to be run when it is gone, closed or not; holds no pool, and may run again
     */
    static void watch(SlabPool pool, String name, Runnable farewell, Budget budget) {
        LOCK.lock();
        try {
            Watch watch = new Watch(pool, name, farewell, budget);
            if (thread == null) {
                Thread made = daemon();
                made.start(); // it waits for the lock before it looks
                thread = made;
            }
            WATCHES.add(watch);
        } finally {
            LOCK.unlock();
        }
        hurry();
    }

    /** Somebody waits, or has closed a pool: the daemon looks soon. */
    static void hurry() {
        Thread present = thread;
        if (present != null) {
            hurried = true;
            LockSupport.unpark(present);
        }
    }

    @SuppressWarnings("removal") // until 24 a thread keeps the protection domains of whoever made it
    private static Thread daemon() {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            ThreadGroup root = Thread.currentThread().getThreadGroup();
            while (root.getParent() != null) {
                root = root.getParent();
            }
            Thread made = new Thread(root, new Trimmer(), "buffers-trimmer", 0, false);
            made.setDaemon(true);
            made.setContextClassLoader(null);
            return made;
        });
    }

    @Override
    public void run() {
        long wait = 1;
        while (wait > 0) {
            LockSupport.parkNanos(this, wait);
            Thread.interrupted(); // else it would never park again; a listener may do that
            try {
                wait = round();
            } catch (Throwable e) { // not even memory for the list: the next round may have some
                wait = TICK;
            }
        }
    }

    /** Says how long until the next round; 0 when there is nobody left to look after. */
    private static long round() {
        boolean hurry = hurried;
        hurried = false;
        for (Watch watch : watches()) {
            boolean more = true;
            try {
                more = watch.tick(hurry);
            } catch (Throwable e) {
                log(watch, e);
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

    private static void log(Watch watch, Throwable failure) {
        try {
            System.getLogger("dev.buffers")
                    .log(System.Logger.Level.WARNING, "looking after a pool has failed: pool=" + watch.name, failure);
        } catch (Throwable e) {
            // The other pools are looked after all the same.
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
