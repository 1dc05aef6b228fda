// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.Explicit;
import dev.buffers.support.Peek;
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
        parts.slabs.countCut(slot.slab);
        return slot;
    }

    @Test
    void firstAcquireCutsSlabAndTakesOneSlot() {
        Slot slot = parts.find(SIZE);
        assertNotNull(slot);
        counted(AcquireOutcome.CARVED, 1);
        assertTrue(parts.own().isEmpty());
        assertEquals(0, parts.depot(CLASS).moves.begun(), "it passed no slot on");
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

    @Test
    void depotComesBeforeSlab() {
        Slot slot = carved();
        parts.depot(CLASS).putLoose(slot);
        assertSame(slot, parts.find(SIZE));
        counted(AcquireOutcome.DEPOT, 1);
        counted(AcquireOutcome.CARVED, 0);
    }

    @Test
    void freeSlotOfSlabComesBeforeGrowth() {
        Slot slot = carved();
        assertSame(slot.slab, parts.find(SIZE).slab);
        counted(AcquireOutcome.DEPOT, 1);
        assertEquals(1, parts.owner.stats().slabs());
    }

    @Test
    void revokedSlotInDepotIsDropped() {
        Slot slot = carved();
        parts.depot(CLASS).putLoose(slot);
        assertTrue(parts.slabs.revoke(slot));
        Slot found = parts.find(SIZE);
        assertNotSame(slot, found);
        assertNotNull(Peek.view(found));
        counted(AcquireOutcome.DEPOT, 1);
    }

    /** Whatever is revoked, it is dropped in one acquire. */
    @Test
    void acquireThatMeetsRevokedSlotsIsCountedOnce() {
        for (int i = 0; i < 5; i++) {
            Slot slot = parts.carve(SIZE);
            parts.depot(CLASS).putLoose(slot);
            parts.slabs.revoke(slot);
        }
        assertNotNull(parts.find(SIZE));
        long all = 0;
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            all += parts.acquires(outcome);
        }
        assertEquals(1, all);
        assertEquals(1, parts.owner.stats().leases());
    }

    @Test
    void oversizeAcquireHasSeparateRegion() {
        parts = new PoolParts("heap-view", 1 << 20);
        int size = parts.classes.maxSize() + 1;
        Slot slot = parts.find(size);
        assertEquals(size, slot.size());
        counted(AcquireOutcome.OVERSIZE, 1);
        assertEquals(size, parts.owner.stats().leasedBytes());
    }

    @Test
    void unpooledPolicyAllocatesEachTime() {
        parts = new PoolParts("unpooled", 1000);
        Slot slot = parts.find(SIZE);
        assertEquals(SIZE, slot.size());
        counted(AcquireOutcome.UNPOOLED, 1);
        assertNull(parts.find(901), "under the same cap");
    }

    private void takeAll(int expected) {
        int taken = 0;
        for (Slot slot = parts.find(SIZE); slot != null; slot = parts.find(SIZE)) {
            taken++;
        }
        assertEquals(expected, taken);
    }

    @Test
    void acquireAtCapFailsBySetting() {
        takeAll(512);
        counted(AcquireOutcome.REJECTED, 0);
        PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> parts.acquire(SIZE));
        assertTrue(refused.getMessage().contains("the cap is reached"), refused::getMessage);
        counted(AcquireOutcome.REJECTED, 1);
    }

    @Test
    void atLimitUnpooledGivesHeapBeyondCap() {
        parts = new PoolParts(new Explicit().policy("heap-view").max(64 << 10).atLimit(Exhaustion.unpooled()));
        takeAll(512);
        Slot beyond = parts.slowAcquire.findOrRefuse(SIZE, CLASS);
        assertEquals(SIZE, beyond.size());
        counted(AcquireOutcome.UNPOOLED, 1);
        assertEquals(64 << 10, parts.owner.stats().reservedBytes(), "it is charged to nobody");
    }

    @Test
    void closedPoolServesNoAcquire() {
        parts.carve(SIZE);
        parts.owner.beginClose();
        assertThrows(IllegalStateException.class, () -> parts.find(SIZE));
    }

    @Test
    void refusalIsCounted() {
        takeAll(512);
        assertNull(parts.slowAcquire.find(SIZE, CLASS, SlowAcquire.AtCap.REFUSE));
        counted(AcquireOutcome.REJECTED, 1);
        int never = (64 << 10) + 1;
        assertThrows(
                PoolExhaustedException.class,
                () -> parts.slowAcquire.find(never, SizeClasses.OVERSIZE, SlowAcquire.AtCap.REFUSE));
    }

    @Test
    void listenersAreNotifiedOfEachAcquireOnce() {
        List<Integer> heard = new ArrayList<>();
        parts.owner.addSizeListener(heard::add);
        parts.slowAcquire.find(SIZE, CLASS, SlowAcquire.AtCap.REFUSE);
        assertEquals(List.of(SIZE), heard);
        takeAll(511);
        heard.clear();
        assertNull(parts.slowAcquire.find(SIZE, CLASS, SlowAcquire.AtCap.RETURN_NULL));
        assertEquals(List.of(), heard, "the caller tries again");
        assertNull(parts.slowAcquire.find(SIZE, CLASS, SlowAcquire.AtCap.REFUSE));
        assertEquals(List.of(SIZE), heard);
    }

    private boolean hasRoom(int size, int sizeClass) {
        return parts.slowAcquire.hasRoom(new WaitQueue.Waiter(size, sizeClass, () -> {}));
    }

    /** The input of a channel would be better off with more, and has enough. */
    @Test
    void wishEmptiesNoCacheAndDropsNoMemory() {
        Slot slot = parts.find(SIZE);
        takeAll(511);
        slot.endUnused(null);
        assertTrue(parts.caches.depot(CLASS).putLoose(slot));
        int other = CLASS + 1;
        assertNull(parts.slowAcquire.find(parts.classes.sizeOf(other), other, SlowAcquire.AtCap.DO_WITHOUT));
        assertSame(slot, parts.caches.depot(CLASS).takeLoose());
        assertEquals(0, parts.acquires(AcquireOutcome.REJECTED));
    }

    /** Below the cap a wish is like any other acquire. */
    @Test
    void wishUsesCachedMemoryBeforePoolGrows() {
        parts = new PoolParts("heap-view", 32 << 20);
        List<Slot> slots = new ArrayList<>();
        while (parts.regions.reservedBytes() < 9 << 20) {
            slots.add(parts.find(4096));
        }
        Set<Slab> slabs = new HashSet<>();
        for (Slot slot : slots) {
            slot.endUnused(null);
            if (!slabs.add(slot.slab) || !parts.depot(slot.sizeClass()).putLoose(slot)) {
                parts.giveBack(slot);
            }
        }
        long before = parts.regions.reservedBytes();
        int other = parts.classes.classOf(8192);
        assertNotNull(parts.slowAcquire.find(8192, other, SlowAcquire.AtCap.DO_WITHOUT));
        assertEquals(before, parts.regions.reservedBytes());
    }

    @Test
    void revokedSlotIsNoRoom() {
        Slot slot = parts.find(SIZE);
        takeAll(511);
        slot.endUnused(null);
        assertTrue(parts.caches.depot(CLASS).putLoose(slot));
        assertTrue(parts.slabs.revoke(slot));
        assertTrue(parts.slabs.take(CLASS, 1).begin());
        assertFalse(hasRoom(SIZE, CLASS));
    }

    @Test
    void batchInDepotIsRoom() {
        Slot slot = parts.find(SIZE);
        takeAll(511);
        slot.endUnused(null);
        assertTrue(parts.caches.depot(CLASS).putBatch(slot));
        assertTrue(hasRoom(SIZE, CLASS));
        assertSame(slot, parts.slabs.take(CLASS, 1), "every thread can use it");
    }

    @Test
    void hasRoomLeavesSlotForEveryThread() {
        assertTrue(hasRoom(SIZE, CLASS));
        assertEquals(0, parts.owner.stats().leases());
        assertEquals(0, parts.acquires(AcquireOutcome.CARVED));
        takeAll(512);
        assertFalse(hasRoom(SIZE, CLASS));
        assertFalse(hasRoom(1 << 20, SizeClasses.OVERSIZE));
        assertEquals(0, parts.acquires(AcquireOutcome.REJECTED));
    }

    @Test
    void sizeAboveCapIsRefused() {
        int max = 64 << 10;
        parts.slowAcquire.checkCanSucceed(max, true);
        String message = assertThrows(
                        PoolExhaustedException.class, () -> parts.slowAcquire.checkCanSucceed(max + 1, true))
                .getMessage();
        assertTrue(message.contains("can never succeed: needs 81920 bytes, max is 65536"), message);
        counted(AcquireOutcome.REJECTED, 1);
    }

    @Test
    void wakeUpIsNotCountedAsAcquire() {
        String message = assertThrows(
                        PoolExhaustedException.class, () -> parts.slowAcquire.checkCanSucceed(65_537, false))
                .getMessage();
        assertTrue(message.contains("can never succeed: needs 81920 bytes, max is 65536"), message);
        parts.slowAcquire.checkCanSucceed(100, false);
        counted(AcquireOutcome.REJECTED, 0);
    }

    @Test
    void refusalIsCountedAndExplained() {
        List<Integer> told = new ArrayList<>();
        parts.owner.addSizeListener(told::add);
        parts.regions.refuse("of something", new OutOfMemoryError("none"));
        PoolExhaustedException refused = parts.slowAcquire.refused(100, "waited 1s, ");
        assertTrue(refused.getMessage().contains("waited 1s, of something: none"), refused::getMessage);
        assertTrue(refused.getMessage().contains(parts.owner.name()), refused::getMessage);
        counted(AcquireOutcome.REJECTED, 1);
        assertEquals(List.of(100), told);
        assertEquals(0, parts.owner.stats().leases());
    }
}
