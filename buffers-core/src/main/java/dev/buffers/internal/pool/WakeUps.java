package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.PoolState;
import org.jspecify.annotations.Nullable;

/**
 * Calls the wake-ups of {@code whenAvailable}, which are the user's.
 *
 * <p>Any thread, with no lock of the pool held: that thread calls them; where it is the daemon, the pool's own does ({@code Callbacks}).
 */
final class WakeUps {
    /*
     *   due --wake--> called, one after the other       one that makes room itself has the next ones called after it, not within it
     *     `--no memory or no stack for that--> Callbacks
     *
     * `waking` is the line that the current thread is just calling; what becomes due meanwhile is added to it.
     */
    private final PoolState pool;

    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<@Nullable IntrusiveList<WaitQueue.Waiter>> waking = new ThreadLocal<>();

    WakeUps(PoolState pool) {
        this.pool = pool;
    }

    /** Calls all of a line, which is empty afterwards. */
    void wake(IntrusiveList<WaitQueue.Waiter> due) {
        if (due.isEmpty()) {
            return;
        }
        try {
            IntrusiveList<WaitQueue.Waiter> outer = waking.get();
            if (outer != null) {
                outer.addAll(due);
            } else {
                batch(due, () -> {});
            }
        } finally {
            delay(due);
        }
    }

    /** The same of one that is in no line. */
    void wake(WaitQueue.Waiter waiter) {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        due.add(waiter.link);
        wake(due);
    }

    /** Runs {@code work}, and after it the wake-ups that became due in it. */
    void batch(Runnable work) {
        if (waking.get() != null) {
            work.run();
            return;
        }
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            batch(due, work);
        } finally {
            delay(due);
        }
    }

    private void batch(IntrusiveList<WaitQueue.Waiter> due, Runnable work) {
        waking.set(due);
        try {
            try {
                work.run();
            } finally {
                for (WaitQueue.Waiter next = due.poll(); next != null; next = due.poll()) {
                    run(next);
                }
            }
        } finally {
            waking.remove();
        }
    }

    private void run(WaitQueue.Waiter waiter) {
        if (waiter.wake != null) {
            pool.call(waiter.wake);
        }
    }

    /** What could not be called is not lost: it has left its queue. */
    private void delay(IntrusiveList<WaitQueue.Waiter> due) {
        for (WaitQueue.Waiter next = due.poll(); next != null; next = due.poll()) {
            if (next.wake != null) {
                pool.callLater(next.wake);
            }
        }
    }
}
