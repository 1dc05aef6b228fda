// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.signals.WaitQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives free memory to the waiters, the oldest first.
 *
 * <p>Any thread, with no lock held, because wake-ups and a policy are the user's code.
 */
public final class Serving {
    /*
     *   oldest waiter --Memory.findFor--> memory --WaitQueue.handOver--> a thread has it, or a wake-up is due
     *        ^                   `-- none: the next one in age, of another queue
     *        `-- until none of the waiters finds any
     *
     * Memory for a wake-up stays here until all are served, so that each wake-up has separate memory; any thread can find it after that.
     *
     * A user's policy is called for waiters by the pool's callback thread alone. The other threads look without it, and ask that thread for
     * the rest. If the policy throws, the wait that it was called for ends. For the wake-ups of a guarded pool a charge is enough: the
     * callback thread leaves them to the others, or while the JVM has no memory it would call them again and again.
     */
    /** The pool's memory, as waiters are served from it. */
    public interface Memory {
        /** Finds free memory for a waiter without emptying any cache; calls the policy only if it {@code may}. Null without. */
        WaitQueue.@Nullable Room findFor(WaitQueue.Waiter waiter, boolean may);

        /** Called when this memory was handed over, in a waiter's turn or not, or could not be used. */
        void handedOver(WaitQueue.Room memory, boolean inTurn);

        /** Takes back linked memory that no waiter has. */
        void takeBack(WaitQueue.@Nullable Room first);

        /** Called once for the end of a turn: serves the others from the memory that was kept for it. */
        void turnHasEnded();
    }

    private final PoolState pool;
    private final WaitQueue queue;
    private final Budget budget;
    private final Memory memory;
    private final boolean allocatesForWakeUps;

    /** With a user's policy: the only one that calls it for waiters. */
    private final Callbacks.@Nullable Callback allocation;

    /** @param allocatesForWakeUps whether a policy may have to make the memory that a wake-up is called for */
    public Serving(PoolState pool, WaitQueue queue, Budget budget, Memory memory, boolean allocatesForWakeUps) {
        this.pool = pool;
        this.queue = queue;
        this.budget = budget;
        this.memory = memory;
        this.allocatesForWakeUps = allocatesForWakeUps;
        this.allocation = pool.settings().policy() instanceof BuiltInPolicy
                ? null
                : new Callbacks.Callback("memory for a waiter", () -> serve(allocatesForWakeUps, true));
    }

    /** Serves the waiters; wake-ups too if {@code wakes}. */
    public void serve(boolean wakes) {
        serve(wakes, allocation == null);
    }

    private void serve(boolean wakes, boolean mayAllocate) {
        if (!queue.hasWaiters() || pool.isClosed()) {
            return;
        }
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        WaitQueue.Room kept = null;
        boolean lacks = false;
        try {
            long after = -1;
            for (WaitQueue.Waiter next = queue.oldestAfter(after); next != null; next = queue.oldestAfter(after)) {
                WaitQueue.Room found = null;
                boolean asks = wakes || next.isThread();
                try {
                    found = asks ? memory.findFor(next, mayAllocate) : null;
                } catch (Throwable e) { // other languages throw checked exceptions from anywhere
                    if (!queue.fail(next, e, mayAllocate && allocation != null, due)) {
                        return; // the tick serves again
                    }
                    continue;
                }
                boolean inTurn = next == queue.turn();
                if (found == null) {
                    after = next.ticket();
                    lacks |= asks && (allocatesForWakeUps || next.isThread());
                } else if (queue.handOver(found, due)) {
                    memory.handedOver(found, inTurn);
                } else {
                    found.link(kept);
                    kept = found;
                }
            }
        } finally {
            memory.takeBack(kept);
            queue.call(due);
        }
        if (!mayAllocate && lacks) {
            int needed = queue.leastBytes();
            if (needed > 0 && budget.room() >= needed) {
                pool.callbacks().add(Objects.requireNonNull(allocation));
            }
        }
        afterTurn();
    }

    /** If a turn has ended, has the memory that was kept for it given to the others. */
    public void afterTurn() {
        if (queue.takeTurnEnd()) {
            memory.turnHasEnded();
        }
    }
}
