// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the code of a pool's user outside the pool's own work: leak reports, wake-ups, the log. A thread of the pool makes the calls one
 * after the other: a slow one delays those behind it, and nothing else.
 *
 * <p>Any thread may add; in practice the daemon does. Takes no lock. Refers to a pool only through the callbacks that are due.
 */
public final class Callbacks implements Runnable {
    /*
     *   add --> due --start: a thread--> the thread: takes all, calls each, the oldest first --nothing is due--> ends
     *
     * C1  A callback is a link that is made together with its waiter or pool, when an OutOfMemoryError can still go to the caller. So
     *     adding it allocates nothing and does not fail. It may be added again once its call has begun.
     * C2  There is at most one thread: the caller that sets `running` to true starts it. The thread sets it to false before its last look
     *     at `due`; add writes `due` before it looks at `running`. So one of the two sees the other.
     * C3  When no thread can be started, the callbacks stay due, and the next round of the daemon tries again. The daemon watches a pool
     *     until all its callbacks have a thread.
     *
     *   field     written by                                 mode                        read by            mode
     *   due       add; the thread, to null                   compareAndSet, getAndSet    start, the thread  volatile
     *   next      add; the thread, once it has taken them    plain, published by `due`   the thread         plain
     *   running   start, to true and, without a thread, to   compareAndSet, volatile     start              volatile
     *             false; the thread, to false
     */
    private final String pool;
    private final ThreadFactory threads;
    private final AtomicReference<@Nullable Callback> due = new AtomicReference<>();
    private final AtomicBoolean running = new AtomicBoolean();

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

        /** @param what its name in the log if it throws */
        public Callback(String what, Runnable task) {
            this.what = what;
            this.task = task;
        }
    }

    /** Adds a callback, which the pool's own thread calls after all those added before. For callers that must not be delayed. */
    public void add(Callback last) {
        do {
            last.next = due.get();
        } while (!due.compareAndSet(last.next, last));
        start();
    }

    /** Starts the thread for the callbacks that are due, unless it runs; false when no thread can be started. */
    public boolean start() {
        if (due.get() == null || !running.compareAndSet(false, true)) {
            return true;
        }
        boolean started = false;
        try {
            threads.newThread(this).start();
            started = true;
        } catch (Throwable e) {
            // The next round of the daemon tries again.
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
            try {
                callAll();
            } finally { // if this thread dies of a full heap, the next round of maintenance starts another
                running.set(false);
            }
        } while (due.get() != null && running.compareAndSet(false, true));
    }

    private void callAll() {
        Callback first = null;
        for (Callback each = due.getAndSet(null); each != null; ) {
            Callback before = each.next;
            each.next = first;
            first = each;
            each = before;
        }
        while (first != null) {
            Callback now = first;
            first = now.next;
            now.next = null;
            Thread.interrupted(); // the callback before may have left the flag set
            call(now);
        }
    }

    /** Calls it on this thread. Logs what it throws. */
    public void call(Callback now) {
        try {
            now.task.run();
        } catch (Throwable e) {
            try {
                warn(now.what + " has thrown: pool=" + pool, e);
            } catch (Throwable again) {
                // The caller has nothing to do with this error and may own slots.
            }
        }
    }

    /** Writes a warning to the log. Ignores what the logger throws. */
    public static void warn(String line, @Nullable Throwable thrown) {
        try {
            System.getLogger("dev.buffers").log(System.Logger.Level.WARNING, line, thrown);
        } catch (Throwable e) {
            // There is no other place to report it.
        }
    }

    /** Writes a line to the log if it takes such details. Ignores what the logger throws. */
    public static void debug(Supplier<String> line) {
        try {
            System.getLogger("dev.buffers").log(System.Logger.Level.DEBUG, line);
        } catch (Throwable e) {
            // There is no other place to report it.
        }
    }
}
