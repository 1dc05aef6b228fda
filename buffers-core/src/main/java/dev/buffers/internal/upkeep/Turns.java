// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import dev.buffers.internal.signals.WaitQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives the waiters their turns, one at a time ({@link WaitQueue}, W4).
 *
 * <p>Used by the tick alone; all fields are plain.
 */
public final class Turns {
    /*
     *   the oldest waiter, older than the last tick --> its turn --> served, or gone: the turn has ended
     *                                                    |
     *                                                    `--> LONGEST_NANOS later: leases are longer than that. It rests as long
     *
     * So a waiter that nothing can serve keeps memory from the others half of the time at most, and the next one has its turn in the meantime. If
     * enough memory has been dropped for it and only a collection is missing, its turn lasts longer: until Healing may ask for one.
     */
    /** How long a turn lasts, and the rest after it. */
    public static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long LONGEST_FOR_COLLECTION_NANOS = TimeUnit.SECONDS.toNanos(12);

    private final WaitQueue queue;
    private long lastTickets;
    private long began;

    /** Whether the wake-up whose turn it is had been called by the last tick. */
    private boolean wasCalled;

    public Turns(WaitQueue queue) {
        this.queue = queue;
    }

    /**
     * The waiter whose turn it is until the next tick; null without one.
     *
     * @param tickets {@link WaitQueue#tickets} when this tick began to serve the waiters
     * @param reach how many bytes are free, or will be after a collection
     */
    public WaitQueue.@Nullable Waiter next(long tickets, long reach, long now) {
        WaitQueue.Waiter its = queue.turn();
        if (its != null && !goesOn(its, reach, now)) {
            its.restsUntil = now + LONGEST_NANOS;
            queue.endTurn();
            its = null;
        }
        for (WaitQueue.Waiter oldest = queue.oldestAfter(-1);
                its == null && oldest != null && oldest.ticket() < lastTickets;
                oldest = queue.oldestAfter(oldest.ticket())) {
            if (now - oldest.restsUntil >= 0 && queue.giveTurn(oldest)) {
                its = oldest;
                began = now;
            }
        }
        wasCalled = its != null && its.isCalled();
        lastTickets = tickets;
        return its;
    }

    private boolean goesOn(WaitQueue.Waiter its, long reach, long now) {
        if (its.isCalled()) {
            return !wasCalled;
        }
        return now - began < (reach < its.bytes ? LONGEST_NANOS : LONGEST_FOR_COLLECTION_NANOS);
    }
}
