// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.support.BareOwner;
import dev.buffers.support.CountedCode;
import dev.buffers.support.CountedCode.Steps;
import dev.buffers.support.Eventually;
import dev.buffers.support.Linked;
import dev.buffers.support.Peek;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SlabStoreTest {
    private static final int SIZE = 128;
    private static final int SLOTS = 4;
    private static final int BYTES = SLOTS * SIZE;

    @AutoClose
    private final BareOwner owner = new BareOwner();

    private final RegionAllocator regions =
            new RegionAllocator(owner, owner.settings().policy(), new Budget(8 << 20));
    private final SlabStore slabs = keeping(0);
    private final Slot[] some = new Slot[2 * SLOTS];

    private Region region(int bytes) {
        return Objects.requireNonNull(regions.allocate(bytes, 1));
    }

    private Slab slab(int sizeClass) {
        return new Slab(owner, region(BYTES), sizeClass, SIZE);
    }

    /** Adds a slab, and takes that many of its slots. */
    private Slot[] added(int sizeClass, int taken) {
        Slot[] slots = Linked.added(slabs, slab(sizeClass), taken);
        assertEquals(taken, slots.length);
        return slots;
    }

    /** How many it took, into {@code some}. */
    private int take(int sizeClass, int most) {
        Slot[] taken = Linked.array(slabs.take(sizeClass, most));
        System.arraycopy(taken, 0, some, 0, taken.length);
        return taken.length;
    }

    @Test
    void takeEmptiesFullestSlabFirst() {
        Slot[] nearlyFull = added(0, 3);
        Slot[] nearlyEmpty = added(0, 1);
        assertEquals(1, take(0, 1));
        assertSame(nearlyFull[0].slab, some[0].slab);
        assertEquals(3, take(0, 9), "what is left of the other one");
        assertSame(nearlyEmpty[0].slab, some[0].slab);
        assertEquals(0, take(0, 1));
        assertEquals(0, take(1, 1), "another class");
    }

    @Test
    void slabWithRetiredSlotEndsWithLastReturn() {
        Slot[] slots = added(0, 2);
        assertTrue(slabs.retire(slots[0]));
        assertFalse(slabs.retire(slots[0]), "once");
        assertEquals(0, slabs.slotsOut(slots[1].slab), "a condemned slab gives out no more");
        assertFalse(slots[1].slab.isDissolved());
        slabs.giveBack(slots[1]);
        assertTrue(slots[1].slab.isDissolved());
        assertEquals(0, regions.reservedBytesPlain());
        assertNull(regions.adopt(SIZE, 1 << 20), "the lost slot may still be written to (R3)");
    }

    /** As between two lists: all slots are out, and no list has them. */
    @Test
    void revokeAndTakeFindsSlotThatNoListHas() {
        Slot[] held = added(0, 4);
        Slot[] other = added(1, 4);
        for (Slot slot : held) {
            assertTrue(slot.begin());
        }
        assertNull(slabs.revokeAndTake(0), "none is free, and other classes do not count");
        held[2].endUnused(null);
        Slot found = slabs.revokeAndTake(0);
        assertSame(held[2].slab, found.slab);
        assertTrue(found.begin());
        assertFalse(held[2].begin(), "the list that still has it finds out");
        assertNull(slabs.revokeAndTake(0));
        assertTrue(other[0].begin());
    }

    /** A kept region stays kept while it is cut for one class and then another. */
    @Test
    void keptRegionIsKeptInItsNextSlab() {
        SlabStore keeping = keeping(BYTES);
        addUnused(keeping);
        for (int i = 0; i < 3; i++) {
            Region kept = Objects.requireNonNull(keeping.takeUnused(SIZE, 0));
            keeping.giveBack(keeping.addAndTake(new Slab(owner, kept, i & 1, SIZE)));
            assertEquals(0, keeping.dropUnused(false));
        }
        keeping.close();
        assertEquals(0, regions.reservedBytesPlain());
    }

    private SlabStore keeping(long bytes) {
        return new SlabStore(2, regions, bytes);
    }

    private void addUnused(SlabStore to) {
        to.giveBack(to.addAndTake(slab(0)));
    }

    /** How many methods dropping begins, for some regions and for twice as many. A part of them is kept. */
    static final class Drops implements Supplier<List<Integer>> {
        @Override
        public List<Integer> get() {
            return List.of(calls(400), calls(800));
        }

        private static int calls(int regions) {
            SlabStoreTest test = new SlabStoreTest();
            SlabStore keeping = test.keeping(100L * BYTES);
            List<Slot> out = new ArrayList<>();
            for (int i = 0; i < regions; i++) {
                out.add(keeping.addAndTake(test.slab(0)));
            }
            out.forEach(keeping::giveBack);
            Steps steps = Steps.of(() -> assertEquals((regions - 100L) * BYTES, keeping.dropUnused(false)));
            assertEquals(100L * BYTES, test.regions.reservedBytesPlain());
            test.owner.close();
            return steps.begun().size();
        }
    }

    /** Adding up all slabs for each region took four times as long for twice as many. */
    @Test
    void dropUnusedIsNotQuadratic() throws Exception {
        List<Integer> calls = CountedCode.get(Drops.class);
        assertTrue(calls.get(1) < 2.5 * calls.get(0), calls::toString);
    }

    /** A sleeping thread's magazine may have an old slot, and an ended lease has one. */
    @Test
    void slotOfEndedSlabKeepsNoOtherSlot() {
        Slot[] slots = added(0, 2);
        WeakReference<Slot> other = new WeakReference<>(slots[1]);
        Slot kept = slots[0];
        slabs.giveBack(slots[0]);
        slabs.giveBack(slots[1]);
        slots = null;
        assertEquals(BYTES, slabs.dropUnused(true));
        Eventually.collected("the other slot is gone", () -> other.get() == null);
        assertTrue(kept.slab.isDissolved());
    }

    @Test
    void hintOfFreeSlotFollowsSlabsOfClass() {
        assertFalse(slabs.seemsToHaveFree(0));
        Slot[] slots = added(0, 1);
        assertTrue(slabs.seemsToHaveFree(0));
        assertFalse(slabs.seemsToHaveFree(1));
        Slot rest = slabs.take(0, 100);
        assertFalse(slabs.seemsToHaveFree(0));
        slabs.giveBack(rest);
        assertTrue(slabs.seemsToHaveFree(0));
        slabs.retire(slots[0]);
        assertFalse(slabs.seemsToHaveFree(0), "its slab is condemned");
    }

    @Test
    void regionGivenUpIsDroppedAndNeverAdopted() {
        slabs.giveUp(region(BYTES));
        assertFalse(slabs.isEmpty());
        slabs.reportDrops();
        assertTrue(slabs.isEmpty());
        assertEquals(BYTES, regions.droppedBytes());
        assertNull(regions.adopt(SIZE, BYTES));
    }

    // ---------------------------------------------------------------- emptied for a waiter

    @Test
    void unusedRegionIsLeftToFittingWaiter() {
        Slot[] slots = added(0, 1);
        slabs.giveBack(slots[0]);
        assertNull(slabs.takeUnused(SIZE, BYTES));
        assertNotNull(slabs.takeUnused(SIZE, BYTES + 1));
    }

    @Test
    void slabOfClassOfWaiterIsNotChosen() {
        assertTrue(added(0, 1)[0].begin());
        assertFalse(slabs.choose(0, BYTES, 1, 1), "its slots reach the waiter");
        assertFalse(slabs.choose(0, 0, BYTES, 1));
    }

    /** A release is between two states when its slab is chosen. */
    @Test
    void slotMissedByChoiceIsFoundLater() {
        Slot slot = added(0, 1)[0];
        long ending = SlotState.endingAfter(slot.stateVolatile());
        long free = slot.stateVolatile();
        Peek.setState(slot, ending);
        slabs.choose(1, BYTES, 1, 1);
        Peek.setState(slot, free);
        assertFalse(slot.slab.isUnused());
        slabs.emptyChosen();
        assertTrue(slot.slab.isUnused());
    }
}
