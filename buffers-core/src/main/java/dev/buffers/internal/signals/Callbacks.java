// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls the code of a pool's user outside the pool's own work: leak reports, wake-ups, the log. A thread of the pool makes the calls one
 * after the other: a slow one delays those behind it, and nothing else.
 *
 * <p>Any thread may add. Refers to a pool only through the callbacks that are due.
 */
public final class Callbacks implements Runnable {
    /*
     *   add --> due --start: a thread--> the thread: takes and calls each, the oldest first --nothing is due--> ends
     *
     * C1  A callback has a link that is made together with its waiter or pool, when an OutOfMemoryError can still go to the caller. So
     *     adding it allocates nothing and does not fail. Adding it again before its call has begun does nothing.
     * C2  There is at most one thread: the caller that sets `running` to true starts it. The thread sets it to false in the step in which it
     *     finds nothing due.
     * C3  When no thread can be started, or the thread dies of a full heap, the callbacks stay due, and the next round of the daemon tries
     *     again. The daemon watches a pool until all its callbacks have a thread.
     *
     * The monitor guards both fields; nothing is called under it.
     */
    private final String pool;
    private final ThreadFactory threads;
    private final IntrusiveList<Callback> due = new IntrusiveList<>();
    private boolean running;

    /** @param pool its name */
    Callbacks(String pool, ThreadFactory threads) {
        this.pool = pool;
        this.threads = threads;
    }

    /** One thing to be called. */
    public static final class Callback {
        private final String what;
        private final Runnable task;
        private final IntrusiveList.Link<Callback> link = new IntrusiveList.Link<>(this);

        /** @param what its name in the log if it throws */
        public Callback(String what, Runnable task) {
            this.what = what;
            this.task = task;
        }
    }

    /** Adds a callback, which the pool's own thread calls after all those added before. For callers that must not be delayed. */
    public void add(Callback last) {
        synchronized (this) {
            if (!due.has(last.link)) {
                due.add(last.link);
            }
        }
        start();
    }

    /** Starts the thread for the callbacks that are due, unless it runs; false when no thread can be started. */
    public boolean start() {
        synchronized (this) {
            if (due.isEmpty() || running) {
                return true;
            }
            running = true;
        }
        try {
            threads.newThread(this).start();
            return true;
        } catch (Throwable e) {
            stopped(); // the next round of the daemon tries again
            return false;
        }
    }

    private synchronized void stopped() {
        running = false;
    }

    private synchronized @Nullable Callback next() {
        Callback next = due.poll();
        running = next != null;
        return next;
    }

    @Override
    public void run() {
        try {
            for (Callback now = next(); now != null; now = next()) {
                Thread.interrupted(); // the callback before may have left the flag set
                call(now);
            }
        } catch (Throwable e) {
            stopped();
            throw e;
        }
    }

    /** Calls it on this thread. Logs what it throws. */
    public void call(Callback now) {
        try {
            now.task.run();
        } catch (Throwable e) {
            warn(now.what, " has thrown: pool=", pool, e);
        }
    }

    /** Writes a warning to the log. Ignores what the logger throws. */
    public static void warn(String line, @Nullable Throwable thrown) {
        warn(line, "", "", thrown);
    }

    /** Joins the parts here: their caller may own slots, and has nothing to do with the error when there is no heap for the line. */
    private static void warn(String what, String says, String which, @Nullable Throwable thrown) {
        try {
            System.getLogger("dev.buffers").log(System.Logger.Level.WARNING, what + says + which, thrown);
        } catch (Throwable e) {
            // There is no other place to report it.
        }
    }
}
