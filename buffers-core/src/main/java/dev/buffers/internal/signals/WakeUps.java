// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls the wake-ups that are due, in the thread that has made the room. If that is the daemon, or is running a policy or a size listener,
 * the pool's callback thread calls them.
 *
 * <p>Any thread, with no lock held.
 */
public final class WakeUps {
    /*
     * `calling` is the list of wake-ups that the current thread is calling. A wake-up that makes room itself adds to it what becomes due:
     * the next ones are called after it, not within it, so their number does not deepen the stack.
     */
    private final PoolState pool;

    @SuppressWarnings("ThreadLocalUsage") // one for each pool, set only while wake-ups run
    private final ThreadLocal<@Nullable IntrusiveList<WaitQueue.Waiter>> calling = new ThreadLocal<>();

    public WakeUps(PoolState pool) {
        this.pool = pool;
    }

    /** Calls the wake-up of a waiter that is in no queue. */
    public void call(WaitQueue.Waiter waiter) {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        due.add(waiter.link);
        call(due);
    }

    /** Wakes all waiters, so that they find the pool closed. */
    public void wakeAll(WaitQueue queue) {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        try {
            queue.removeAll(due);
        } finally {
            call(due);
        }
    }

    /** Calls each of these waiters, which have left their queue, and empties the list. */
    public void call(IntrusiveList<WaitQueue.Waiter> due) {
        if (due.isEmpty()) {
            return;
        }
        try {
            if (pool.isCallingUser()) {
                return; // a wake-up may use the pool, and this thread may not
            }
            IntrusiveList<WaitQueue.Waiter> outer = calling.get();
            if (outer != null) {
                outer.addAll(due);
                return;
            }
            calling.set(due);
            try {
                for (WaitQueue.Waiter next = due.poll(); next != null; next = due.poll()) {
                    pool.call(Objects.requireNonNull(next.wake));
                }
            } finally {
                calling.remove();
            }
        } finally { // what could not be called here
            for (WaitQueue.Waiter next = due.poll(); next != null; next = due.poll()) {
                pool.callbacks().add(Objects.requireNonNull(next.wake));
            }
        }
    }
}
