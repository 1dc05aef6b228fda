// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import java.util.concurrent.TimeUnit;

/**
 * The smallest request that has lately lacked memory of a budget: it was refused, was served beyond the cap, or waits. A collection could be
 * the remedy. All pools of the budget share it: one of them may hold what another one needs.
 *
 * <p>Any thread, under its monitor. Times are readings of {@link System#nanoTime}.
 */
public final class Need {
    /** The size when nothing is needed. */
    public static final int NONE = Integer.MAX_VALUE;

    /** For how long a request counts. */
    private static final long LASTS = TimeUnit.SECONDS.toNanos(10);

    private int least = NONE;
    private long notedAt;
    private boolean answered;

    /** Notes a request of so many bytes. True when nothing was needed before. */
    public synchronized boolean note(int bytes, long now) {
        int before = least(now);
        least = Math.min(before, bytes);
        notedAt = now;
        answered = false;
        return before == NONE;
    }

    /** How many bytes would help; {@link #NONE} when nothing is needed. */
    public synchronized int least(long now) {
        return answered || now - notedAt >= LASTS ? NONE : least;
    }

    /** Called when a collection begins: it answers the requests so far. */
    public synchronized void answer() {
        answered = true;
    }

    /** Called when lost leases were found: only the next collection gives their memory back. */
    public synchronized void renew() {
        answered = false;
    }
}
