// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.guard.Waiters.Waiter;
import dev.buffers.internal.signals.Callbacks;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitersTest {
    private final Waiters waiters = new Waiters();
    private final Block block = new Block(128);

    private Waiter waiter(int sizeClass) {
        Waiter waiter = new Waiter(sizeClass, 128, null);
        waiters.add(waiter);
        return waiter;
    }

    @Test
    void oldestOfTheClassesThatAreNotExceptedComesFirst() {
        Waiter first = waiter(-1);
        Waiter second = waiter(0);
        waiter(-1);
        assertSame(first, waiters.oldest(Set.of()));
        assertSame(second, waiters.oldest(Set.of(-1)));
        assertNull(waiters.oldest(Set.of(0, -1)));
        assertTrue(waiters.isWaited(0));
        assertFalse(waiters.isWaited(1));
        assertEquals(3, waiters.size());
    }

    @Test
    void leastBytesAreThoseOfTheMostModest() {
        assertEquals(0, waiters.leastBytes());
        waiters.add(new Waiter(2, 4096, null));
        assertEquals(4096, waiters.leastBytes());
        waiters.add(new Waiter(1, 256, null));
        waiters.add(new Waiter(2, 4096, null));
        assertEquals(256, waiters.leastBytes());
    }

    @Test
    void waiterThatWasGivenABlockHasLeft() {
        Waiter waiter = waiter(0);
        assertTrue(waiters.give(waiter, block));
        assertFalse(waiters.give(waiter, new Block(128)));
        assertFalse(waiters.remove(waiter));
        assertEquals(0, waiters.size());
        assertSame(block, waiter.takeGiven());
        assertNull(waiter.takeGiven());
    }

    /** Else two threads that serve at once give it two blocks, and one of them is credited twice. */
    @Test
    void wakeUpThatIsDueIsGivenNothing() {
        Waiter wakeUp = new Waiter(0, 128, new Callbacks.Callback("a wake-up", () -> {}));
        waiters.add(wakeUp);
        assertTrue(waiters.give(wakeUp, block));
        IntrusiveList<Waiter> due = new IntrusiveList<>();
        due.add(wakeUp.link);
        assertFalse(waiters.give(wakeUp, new Block(128)));
        assertEquals(0, waiters.size());
        assertSame(wakeUp, due.poll());
        assertSame(block, wakeUp.takeGiven());
    }

    @Test
    void waiterThatHasLeftIsGivenNothing() {
        Waiter waiter = waiter(1);
        assertTrue(waiters.remove(waiter));
        assertFalse(waiters.give(waiter, block));
        assertNull(waiter.takeGiven());
    }

    @Test
    void closeReturnsTheWakeUps() {
        waiter(1);
        Waiter wakeUp = new Waiter(1, 128, new Callbacks.Callback("a wake-up", () -> {}));
        waiters.add(wakeUp);
        assertSame(wakeUp, waiters.close().poll());
        assertEquals(0, waiters.size());
    }
}
