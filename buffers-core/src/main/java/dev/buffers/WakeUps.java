package dev.buffers;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls the wake-ups of {@code whenAvailable}, which are the user's.
 *
 * <p>Any thread, with no lock of the pool held.
 */
final class WakeUps {
    /*
     *   due --wake--> run, one after the other       one that makes room itself has the next ones run after it, not within it
     *     `--no memory for that--> overdue --tick--> due
     *
     * `waking` is the line that the current thread is just calling; what becomes due meanwhile is added to it.
     * `overdue` is guarded by the lock.
     */
    private final SlabPool pool;
    private final ReentrantLock lock = new ReentrantLock();
    private final Waiters.Line overdue = new Waiters.Line();

    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<Waiters.@Nullable Line> waking = new ThreadLocal<>();

    WakeUps(SlabPool pool) {
        this.pool = pool;
    }

    /** Calls all of a line, which is empty afterwards. */
    void wake(Waiters.Line due) {
        if (due.isEmpty()) {
            return;
        }
        try {
            Waiters.Line outer = waking.get();
            if (outer != null) {
                outer.takeAll(due);
            } else {
                batch(due, () -> {});
            }
        } finally {
            delay(due);
        }
    }

    /** The same of one that is in no line. */
    void wake(Waiters.Waiter waiter) {
        Waiters.Line due = new Waiters.Line();
        due.add(waiter);
        wake(due);
    }

    /** Runs {@code work}, and after it the wake-ups that became due in it. */
    void batch(Runnable work) {
        if (waking.get() != null) {
            work.run();
            return;
        }
        Waiters.Line due = new Waiters.Line();
        try {
            batch(due, work);
        } finally {
            delay(due);
        }
    }

    private void batch(Waiters.Line due, Runnable work) {
        waking.set(due);
        try {
            try {
                work.run();
            } finally {
                for (Waiters.Waiter next = due.poll(); next != null; next = due.poll()) {
                    run(next);
                }
            }
        } finally {
            waking.remove();
        }
    }

    /** What is thrown is logged: the thread that made the room has nothing to do with it. */
    private void run(Waiters.Waiter waiter) {
        try {
            if (waiter.wake != null) {
                waiter.wake.run();
            }
        } catch (Throwable e) {
            try {
                System.getLogger("dev.buffers")
                        .log(System.Logger.Level.WARNING, "a wake-up has thrown: pool=" + pool.name(), e);
            } catch (Throwable again) {
                // the thread that made the room may have slots in its hands
            }
        }
    }

    /** What could not be called is the tick's. */
    private void delay(Waiters.Line due) {
        if (!due.isEmpty()) {
            Waiters.lockInAnyHeap(lock);
            try {
                overdue.takeAll(due);
            } finally {
                lock.unlock();
            }
            Trimmer.hurry();
        }
    }

    /** By the tick. */
    void wakeOverdue() {
        Waiters.Line due = new Waiters.Line();
        lock.lock();
        try {
            due.takeAll(overdue);
        } finally {
            lock.unlock();
        }
        wake(due);
    }
}
