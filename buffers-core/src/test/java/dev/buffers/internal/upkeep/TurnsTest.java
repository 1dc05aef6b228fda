// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.support.BareOwner;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final int BYTES = 1000;
    private static final long NONE = 0;

    @AutoClose
    private final BareOwner owner = new BareOwner();

    private final WaitQueue queue = new WaitQueue(owner, 2);
    private final Turns turns = new Turns(queue);
    private long now = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

    private WaitQueue.Waiter thread(int sizeClass) {
        WaitQueue.Waiter waiter = new WaitQueue.Waiter(BYTES, sizeClass, new Thread());
        queue.add(waiter);
        return waiter;
    }

    /** The waiter whose turn it is a second later. */
    private WaitQueue.Waiter afterSecond(long reach) {
        now += TimeUnit.SECONDS.toNanos(1);
        return turns.next(queue.tickets(), reach, now);
    }

    @Test
    void oldestWaiterHasItsTurnAtSecondTick() {
        WaitQueue.Waiter first = thread(1);
        thread(0);
        assertNull(afterSecond(NONE));
        assertSame(first, afterSecond(NONE));
        assertSame(first, queue.turn());
        thread(1);
        assertSame(first, afterSecond(NONE));
    }

    @Test
    void waiterThatNothingServesRestsAndOthersHaveTheirTurns() {
        WaitQueue.Waiter hopeless = thread(1);
        WaitQueue.Waiter other = thread(0);
        afterSecond(NONE);
        assertSame(hopeless, afterSecond(NONE));
        assertSame(hopeless, afterSecond(NONE));
        assertSame(other, afterSecond(NONE));
        assertSame(other, afterSecond(NONE));
        assertSame(hopeless, afterSecond(NONE));
        queue.remove(other);
        assertSame(hopeless, afterSecond(NONE));
        assertNull(afterSecond(NONE));
        assertNull(afterSecond(NONE));
        assertSame(hopeless, afterSecond(NONE));
    }

    @Test
    void turnLastsLongerWhileOnlyCollectionIsMissing() {
        WaitQueue.Waiter waiter = thread(1);
        afterSecond(BYTES);
        for (int i = 0; i < 12; i++) {
            assertSame(waiter, afterSecond(BYTES));
        }
        assertNull(afterSecond(BYTES));
    }
}
