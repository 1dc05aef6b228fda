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
import dev.buffers.support.Linked;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlabStoreTest {
    private static final int SIZE = 128;
    private static final int SLOTS = 4;

    private final BareOwner owner = new BareOwner();
    private final RegionAllocator regions =
            new RegionAllocator(owner, owner.settings().policy(), new Budget(64 << 10));
    private final SlabStore slabs = new SlabStore(2, regions);
    private final Slot[] some = new Slot[2 * SLOTS];

    @AfterEach
    void free() {
        owner.close();
    }

    private Slab slab(int sizeClass) {
        Region region = Objects.requireNonNull(regions.allocate(SLOTS * SIZE));
        return new Slab(owner, region, sizeClass, SIZE);
    }

    /** Adds a slab, and takes that many of its slots. */
    private Slot[] added(int sizeClass, int taken) {
        Slot[] slots = Linked.array(slabs.addAndTake(slab(sizeClass), taken));
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
    void oneAcquireIsCountedForACut() {
        Slab slab = added(0, 1)[0].slab;
        assertTrue(slabs.countCut(slab));
        assertFalse(slabs.countCut(slab));
    }

    @Test
    void theFullestSlabServesFirst() {
        Slot[] nearlyEmpty = added(0, 1);
        Slot[] nearlyFull = added(0, 3);
        assertEquals(1, take(0, 1));
        assertSame(nearlyFull[0].slab, some[0].slab);
        assertEquals(3, take(0, 9), "what is left of the other one");
        assertSame(nearlyEmpty[0].slab, some[0].slab);
        assertEquals(0, take(0, 1));
        assertEquals(0, take(1, 1), "another class");
    }

    @Test
    void theLastSlotToReturnMakesTheRegionUnused() {
        Slot[] slots = added(0, 2);
        assertEquals(0, slabs.giveBack(slots[0]));
        assertEquals(3, slabs.freeInUse(0));
        assertEquals(SLOTS * SIZE, slabs.giveBack(slots[1]));
        assertEquals(0, slabs.freeInUse(0), "an unused slab is not in use");
    }

    @Test
    void anUnusedRegionGoesToAnotherClassAndAUsedOneDoesNot() {
        Slot[] used = added(0, 1);
        assertNull(slabs.takeUnused(SIZE, false));
        slabs.giveBack(used[0]);
        assertNull(slabs.takeUnused(SLOTS * SIZE + 1, false), "too small");
        assertNull(slabs.takeUnused(SIZE, true), "not exactly of that size");
        assertSame(used[0].slab.region, slabs.takeUnused(SLOTS * SIZE, true));
        assertTrue(used[0].slab.isDissolved());
        assertTrue(slabs.isEmpty());
        assertEquals(0, slabs.carvedBytes(0));
    }

    @Test
    void anUncutRegionComesBeforeAnUnusedSlab() {
        slabs.giveBack(added(0, 1)[0]);
        Region kept = Objects.requireNonNull(regions.allocate(SLOTS * SIZE));
        slabs.addUncut(kept);
        List<Integer> unused = new ArrayList<>();
        slabs.eachUnused(unused::add);
        assertEquals(List.of(SLOTS * SIZE, SLOTS * SIZE), unused);
        assertSame(kept, slabs.takeUnused(SIZE, false));
    }

    @Test
    void aRetiredSlotEndsItsSlabWithTheLastThatReturns() {
        Slot[] slots = added(0, 2);
        assertTrue(slabs.retire(slots[0]));
        assertFalse(slabs.retire(slots[0]), "once");
        assertFalse(slabs.mayHandOver(slots[1].slab, () -> true), "it is condemned");
        assertFalse(slots[1].slab.isDissolved());
        slabs.giveBack(slots[1]);
        assertTrue(slots[1].slab.isDissolved());
        assertEquals(0, regions.reservedBytes());
        assertNull(regions.adopt(SIZE, 1 << 20), "the lost slot may still be written to (R3)");
    }

    @Test
    void unusedSlabsAreDroppedDownToWhatIsKept() {
        for (int i = 0; i < 3; i++) {
            slabs.giveBack(added(i & 1, 1)[0]);
        }
        added(0, 1);
        slabs.giveBack(added(1, 2)[0]); // one of its slots stays out
        assertEquals(5L * SLOTS * SIZE, regions.reservedBytes());
        assertEquals(0, slabs.dropUnused(5L * SLOTS * SIZE));
        assertEquals(3L * SLOTS * SIZE, slabs.dropUnused(0));
        assertEquals(2L * SLOTS * SIZE, regions.reservedBytes());
        assertNotNull(regions.adopt(SIZE, SLOTS * SIZE), "nothing of them can be written to");
    }

    @Test
    void aSlabMustBeIdleForLongEnough() {
        Slot[] slots = added(0, 1);
        slabs.giveBack(slots[0]);
        Slab slab = slots[0].slab;
        slabs.idleSince(slab, 1_000);
        assertEquals(0, slabs.dropIdle(slab, 999, 2_000, 0));
        assertEquals(SLOTS * SIZE, slabs.dropIdle(slab, 1_000, 2_000, 0));
        assertEquals(0, slabs.dropIdle(slab, 1_000, 2_000, 0), "gone");
        assertEquals(3_000, slabs.idleSince(slab, 3_000), "never idle again");
    }

    @Test
    void aRegionThatIsUncutAgainMustBeIdleAnew() {
        slabs.addUncut(Objects.requireNonNull(regions.allocate(SIZE)));
        assertEquals(0, slabs.dropIdleUncut(1_000, 500, 0));
        slabs.addUncut(Objects.requireNonNull(slabs.takeUnused(SIZE, true)));
        assertEquals(0, slabs.dropIdleUncut(2_000, 500, 0));
        assertEquals(SIZE, slabs.dropIdleUncut(2_500, 500, 0));
    }

    @Test
    void theLastSlotThatIsOutGoesToTheOldestWaiterOnly() {
        Slot[] slots = added(0, 2);
        assertTrue(slabs.mayHandOver(slots[0].slab, () -> false), "its region stays in use");
        slabs.giveBack(slots[0]);
        assertFalse(slabs.mayHandOver(slots[1].slab, () -> false));
        assertTrue(slabs.mayHandOver(slots[1].slab, () -> true));
    }

    @Test
    void aRevokedSlotIsFreeInItsSlab() {
        Slot slot = added(0, 1)[0];
        slot.getAndSetView(null);
        slabs.revoked(slot);
        assertTrue(slot.slab.isUnused());
        assertEquals(1, take(0, 1));
        assertNotNull(some[0].viewVolatile());
    }

    @Test
    void freeSlotsOfOtherClassesCountAsIdle() {
        added(0, 1);
        added(1, 2);
        assertEquals(2L * SIZE, slabs.idleElsewhere(0));
        assertEquals(3L * SIZE, slabs.idleElsewhere(1));
    }

    @Test
    void closeDropsWhatIsNotLeased() {
        Slot[] leased = added(0, 1);
        leased[0].beginAndTake();
        added(1, 1); // free, and outside its slab
        slabs.addUncut(Objects.requireNonNull(regions.allocate(SIZE)));
        slabs.giveBack(added(0, 1)[0]);
        assertFalse(slabs.close(true), "a free slot is still outside");
        assertEquals(2L * SLOTS * SIZE, regions.reservedBytes());
    }

    @Test
    void theFiguresAddUp() {
        Slot[] slots = added(0, 2);
        slabs.retire(slots[0]);
        added(1, 1);
        slabs.addUncut(Objects.requireNonNull(regions.allocate(3 * SIZE)));
        SlabStore.Figures figures = slabs.figures();
        assertEquals(1, figures.slabs[0]);
        assertEquals(1, figures.slabs[1]);
        assertEquals(0, figures.slabs[2]);
        assertEquals(SLOTS * SIZE, figures.slotBytes[0]);
        assertEquals(SIZE, figures.retiredBytes[0]);
        assertEquals(3 * SIZE, figures.uncarvedBytes);
        assertEquals(1, figures.uncut);
        assertEquals(11L * SIZE, figures.reservedBytes);
    }
}
