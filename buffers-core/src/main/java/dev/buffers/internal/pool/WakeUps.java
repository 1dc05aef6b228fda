package dev.buffers.internal.pool;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.PoolState;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the wake-ups of {@code whenAvailable}, which are the user's code.
 *
 * <p>Any thread, with no lock of the pool held. The current thread calls them; if that is the daemon, the pool's callback thread does.
 */
final class WakeUps {
    /*
     *   due --wake--> called, one after the other       if one makes room itself, the next ones are called after it, not within it
     *     `--no memory or no stack for that--> Callbacks
     *
     * `waking` is the list of wake-ups that the current thread is calling; what becomes due meanwhile is added to it.
     */
    private final PoolState pool;

    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<@Nullable IntrusiveList<WaitQueue.Waiter>> waking = new ThreadLocal<>();

    WakeUps(PoolState pool) {
        this.pool = pool;
    }

    /** Calls all wake-ups of a list, which is empty afterwards. */
    void wake(IntrusiveList<WaitQueue.Waiter> due) {
        if (due.isEmpty()) {
            return;
        }
        try {
            IntrusiveList<WaitQueue.Waiter> outer = waking.get();
            if (outer != null) {
                outer.addAll(due);
            } else {
                batch(due, () -> null);
            }
        } finally {
            delay(due);
        }
    }

    /** Calls the wake-up of a waiter that is in no list. */
    void wake(WaitQueue.Waiter waiter) {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        due.add(waiter.link);
        wake(due);
    }

    /** Runs {@code work}, then the wake-ups that it made due; returns what the work does. */
    <T extends @Nullable Object> T batch(Supplier<T> work) {
        if (waking.get() != null) {
            return work.get();
        }
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            return batch(due, work);
        } finally {
            delay(due);
        }
    }

    private <T extends @Nullable Object> T batch(IntrusiveList<WaitQueue.Waiter> due, Supplier<T> work) {
        waking.set(due);
        try {
            try {
                return work.get();
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

    /** Gives wake-ups that could not be called to {@code Callbacks}. They have left their queue and would be lost otherwise. */
    private void delay(IntrusiveList<WaitQueue.Waiter> due) {
        for (WaitQueue.Waiter next = due.poll(); next != null; next = due.poll()) {
            if (next.wake != null) {
                pool.callbacks().add(next.wake);
            }
        }
    }
}
