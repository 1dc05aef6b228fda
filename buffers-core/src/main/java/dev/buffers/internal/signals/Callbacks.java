package dev.buffers.internal.signals;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a pool's upkeep has to say to its user: leak reports, wake-ups, the log. A thread of the pool's own says it, one thing after the
 * other: one that is slow holds up those behind it, and nothing else.
 *
 * <p>Any thread; in fact the daemon adds. Takes no lock. Holds no pool, other than by what is due.
 */
public final class Callbacks implements Runnable {
    /*
     *   add --> due --start: a thread, or unpark--> the thread: takes all, calls each, the oldest first --nothing for LINGER--> ends
     *
     * C1  What is to be called is a link, made when its maker could still be refused the memory for it (with a waiter, with a pool). So
     *     to add it allocates nothing and does not fail. It may be added again once its call has begun.
     * C2  There is one thread at most: who turns `running` to true starts it. It turns it to false before its last look at `due`, and
     *     who adds does that before looking at `running`: one of the two sees the other.
     * C3  What no thread can be had for stays due, and the daemon's next round tries again. It watches a pool until all has a thread.
     *
     *   field     written by                                 mode                        read by            mode
     *   due       add; the thread, to null                   compareAndSet, getAndSet    start, the thread  volatile
     *   Due.next  add; the thread, once it has taken them    plain, published by `due`   the thread         plain
     *   running   start, to true and, without a thread, to   compareAndSet, volatile     start              volatile
     *             false; the thread, to false
     *   thread    the thread, as it begins and ends          volatile                    start              volatile
     */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(1);

    private final String pool;
    private final ThreadFactory threads;
    private final AtomicReference<@Nullable Callback> due = new AtomicReference<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    /** @param pool its name */
    Callbacks(String pool, ThreadFactory threads) {
        this.pool = pool;
        this.threads = threads;
    }

    /** One thing to be called. */
    public static final class Callback {
        private final String what;
        private final Runnable task;
        private @Nullable Callback next;

        /** @param what how the log names it, should it throw */
        public Callback(String what, Runnable task) {
            this.what = what;
            this.task = task;
        }
    }

    /** By who must not be held up: has it called by the pool's own thread, after all that was added before. */
    public void add(Callback last) {
        do {
            last.next = due.get();
        } while (!due.compareAndSet(last.next, last));
        start();
    }

    /** Sees to a thread for what is due; false when none is to be had. */
    public boolean start() {
        if (due.get() == null) {
            return true;
        }
        if (!running.compareAndSet(false, true)) {
            LockSupport.unpark(thread);
            return true;
        }
        boolean started = false;
        try {
            threads.newThread(this).start();
            started = true;
        } catch (Throwable e) {
            // The daemon's next round tries again.
        } finally {
            if (!started) {
                running.set(false);
            }
        }
        return started;
    }

    @Override
    public void run() {
        do {
            thread = Thread.currentThread();
            boolean more = true;
            while (more) {
                more = callAll() || waitForMore(); // what was called is in no frame while it waits
            }
            thread = null;
            running.set(false);
        } while (due.get() != null && running.compareAndSet(false, true));
    }

    private boolean waitForMore() {
        Thread.interrupted(); // a callback may leave that behind, and it would wait no more
        LockSupport.parkNanos(this, LINGER);
        return due.get() != null;
    }

    /** False when nothing was due. */
    private boolean callAll() {
        Callback first = null;
        for (Callback each = due.getAndSet(null); each != null; ) {
            Callback before = each.next;
            each.next = first;
            first = each;
            each = before;
        }
        boolean any = first != null;
        while (first != null) {
            Callback now = first;
            first = now.next;
            now.next = null;
            Thread.interrupted();
            call(now);
        }
        return any;
    }

    /** Calls it on this thread. What it throws is logged. */
    public void call(Callback now) {
        try {
            now.task.run();
        } catch (Throwable e) {
            try {
                warn(now.what + " has thrown: pool=" + pool, e);
            } catch (Throwable again) {
                // whoever calls has nothing to do with it, and may have slots in its hands
            }
        }
    }

    /** A line in the log. What a logger throws concerns nobody. */
    public static void warn(String line, @Nullable Throwable thrown) {
        try {
            System.getLogger("dev.buffers").log(System.Logger.Level.WARNING, line, thrown);
        } catch (Throwable e) {
            // There is no other place to say it.
        }
    }
}
