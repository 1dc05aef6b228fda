// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import java.util.concurrent.TimeUnit;

/**
 * When the next collection may begin, for all pools of one copy of the library.
 *
 * <p>Any thread, under its monitor. Times are readings of {@link System#nanoTime}.
 */
final class Pace {
    /*
     *   begin --> running --> end --LEAST_NANOS, and SHARE times what it cost--> the next may begin
     *                          `--it has found lost leases--> the next may begin at once
     *
     * P1  One at a time.
     * P2  After one that has cost t, the next waits for 50 t from its end. So all of them together cost at most 2 % of the time.
     * P3  The first collection finds lost leases, and the next takes their memory: it follows at once. Both count for the wait after it, and
     *     no third one follows at once, however many leases are lost all the time.
     */
    /** From the end of one to the beginning of the next: with one tick a second, the second tick after the end. */
    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** One part in so many of the time is what all of them together may cost. */
    static final int SHARE = 50;

    private boolean running;

    /** Whether the last one did not wait. */
    private boolean followed;

    private long begunAt;
    private long endedAt = System.nanoTime() - LEAST_NANOS;

    /** Until when the next one waits because of the cost of those so far. */
    private long paidAt = endedAt;

    /** Begins one if it may begin now. Then {@link #end} must be called. */
    synchronized boolean begin(long now, boolean follows) {
        boolean due = now - endedAt >= LEAST_NANOS && now - paidAt >= 0;
        if (running || !due && (followed || !follows)) {
            return false;
        }
        running = true;
        followed = !due;
        begunAt = now;
        return true;
    }

    /** Ends the one that was begun. */
    synchronized void end(long elapsed, long cost) {
        running = false;
        endedAt = begunAt + elapsed;
        paidAt = (paidAt - endedAt > 0 ? paidAt : endedAt) + SHARE * cost;
    }

    synchronized boolean isRunning() {
        return running;
    }
}
