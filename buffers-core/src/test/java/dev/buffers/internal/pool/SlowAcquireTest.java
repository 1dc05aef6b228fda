// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.Explicit;
import dev.buffers.support.Linked;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an acquire that misses looks, in which order, and what it is counted as. */
class SlowAcquireTest {
    private static final int SIZE = 100;
    private static final int CLASS = 0;

    private PoolParts parts = new PoolParts("heap-view", 64 << 10);

    private void counted(AcquireOutcome outcome, long n) {
        assertEquals(n, parts.acquires(outcome), outcome::toString);
    }

    /** A free slot of a slab that was counted as cut. */
    private Slot carved() {
        Slot slot = parts.carve(SIZE);
        slot.slab.countCut();
        return slot;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitersOfAClassGetTheSlotsOfThisThreadFirst(boolean wouldWait) {
        Slot slot = carved();
        parts.own().put(slot);
        WaitQueue.Waiter waiter = parts.waiter(SIZE, new Thread());
        if (wouldWait) {
            parts.slowAcquire.findOrWait(SIZE, CLASS, 0);
        } else {
            parts.find(SIZE);
        }
        assertSame(slot, waiter.slot());
    }

    @Test
    void furtherMissTakesBatchAndFillsMagazine() {
        carved();
        assertNotNull(parts.find(SIZE));
        counted(AcquireOutcome.DEPOT, 1);
        Magazine own = parts.own();
        Depot depot = parts.depot(CLASS);
        assertEquals(depot.batchSize - 1, own.size());
        assertEquals(1, depot.moves.begun(), "other threads could not find these slots");
        assertEquals(1, depot.moves.finished());
        Slot next = own.take();
        own.put(next);
        assertSame(next, parts.find(SIZE), "its own magazine comes first");
        assertTrue(SlotState.isHeld(next.stateVolatile()));
        counted(AcquireOutcome.THREAD, 1);
    }

    private void takeAll(int expected) {
        int taken = 0;
        for (Slot slot = parts.find(SIZE); slot != null; slot = parts.find(SIZE)) {
            taken++;
        }
        assertEquals(expected, taken);
    }

    /** Healing asks for a collection then. */
    @Test
    void acquireBeyondCapIsNeedUnlessPermanent() {
        parts = new PoolParts(new Explicit().policy("heap-view").max(64 << 10).atLimit(Exhaustion.unpooled()));
        takeAll(512);
        assertEquals(Counters.NONE_REFUSED, parts.owner.counters.takeLeastRefused());
        parts.slowAcquire.findOrRefuse((64 << 10) + 1, SizeClasses.OVERSIZE);
        assertEquals(Counters.NONE_REFUSED, parts.owner.counters.takeLeastRefused());
        parts.slowAcquire.findOrRefuse(SIZE, CLASS);
        assertEquals(SIZE, parts.owner.counters.takeLeastRefused());
    }

    /** The input of a channel would be better off with more, and has enough. */
    @Test
    void wishEmptiesNoCacheAndDropsNoMemory() {
        Slot slot = parts.find(SIZE);
        takeAll(511);
        slot.endUnused(null);
        assertTrue(parts.free.depot(CLASS).putLoose(slot));
        int other = CLASS + 1;
        assertNull(parts.slowAcquire.find(parts.classes.sizeOf(other), other, SlowAcquire.AtCap.DO_WITHOUT));
        assertSame(slot, parts.free.depot(CLASS).takeLoose());
        assertEquals(0, parts.acquires(AcquireOutcome.REJECTED));
    }

    /** Below the cap a wish is like any other acquire. */
    @Test
    void wishUsesCachedMemoryBeforePoolGrows() {
        parts = new PoolParts("heap-view", 32 << 20);
        List<Slot> slots = new ArrayList<>();
        while (parts.regions.reservedBytesPlain() < 9 << 20) {
            slots.add(parts.find(4096));
        }
        Set<Slab> slabs = new HashSet<>();
        for (Slot slot : slots) {
            slot.endUnused(null);
            if (!slabs.add(slot.slab) || !parts.depot(slot.sizeClass()).putLoose(slot)) {
                parts.giveBack(slot);
            }
        }
        long before = parts.regions.reservedBytesPlain();
        int other = parts.classes.classOf(8192);
        assertNotNull(parts.slowAcquire.find(8192, other, SlowAcquire.AtCap.DO_WITHOUT));
        assertEquals(before, parts.regions.reservedBytesPlain());
    }

    @Test
    void revokedSlotIsNoRoom() {
        Slot slot = parts.find(SIZE);
        takeAll(511);
        slot.endUnused(null);
        assertTrue(parts.free.depot(CLASS).putLoose(slot));
        assertTrue(parts.slabs.revoke(slot));
        assertTrue(parts.slabs.take(CLASS, 1).begin());
        assertFalse(parts.slowAcquire.hasRoom(new WaitQueue.Waiter(SIZE, CLASS, () -> {})));
    }

    @Test
    void releaseIntoFullMagazineGivesBatchToDepot() {
        Slot slot = parts.find(SIZE);
        Magazine own = parts.own();
        while (!own.isFull()) {
            own.put(parts.carve(SIZE));
        }
        int full = own.size();
        parts.slowRelease.endAndPlace(slot, slot.view, slot.stateVolatile(), 0);
        assertSame(slot, own.take(), "the slot itself stays here");
        assertEquals(full / 2, own.size());
        assertEquals(full / 2, Linked.list(parts.depot(CLASS).takeBatch()).size());
    }

    @Test
    void servePassesOverWaiterThatNothingSufficesFor() {
        parts.carve(32 << 10); // the only region, of two slots
        WaitQueue.Waiter tooLarge = parts.waiter(48 << 10, new Thread());
        WaitQueue.Waiter fits = parts.waiter(32 << 10, new Thread());
        parts.handOff.serve();
        assertNull(tooLarge.slot());
        assertNotNull(fits.slot());
    }

    /** A listed slot may be revoked. The rest of its batch is in the magazine that the thread's first miss has made. */
    @Test
    void firstMissThatMeetsRevokedSlotTakesNextOfBatch() throws Exception {
        Slot revoked = carved();
        Slot next = carved();
        assertTrue(parts.slabs.revoke(revoked));
        revoked.next = next;
        assertTrue(parts.depot(CLASS).putBatch(revoked));
        Threads.run(() -> assertSame(next, parts.find(SIZE)));
    }

    /** A thread that looks while another one moves slots would miss them, and refuse. */
    @Test
    void moveThatBeginsOrEndsIsNoticed() {
        FreeSlots free = parts.free;
        long moves = free.finishedMoves(CLASS);
        assertFalse(free.hasMovedSince(CLASS, moves));
        free.reclaim(parts.threads.own());
        assertFalse(free.hasMovedSince(CLASS, moves), "nothing was cached");
        parts.own().put(parts.carve(SIZE));
        free.reclaim(parts.threads.own());
        assertTrue(free.hasMovedSince(CLASS, moves));
        assertFalse(free.hasMovedSince(CLASS, free.finishedMoves(CLASS)));
    }
}
