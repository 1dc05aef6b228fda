// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.upkeep.MaintenanceThread;
import dev.buffers.internal.upkeep.Turns;
import dev.buffers.support.Explicit;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClearingTest {
    private static final int REGION = 64 << 10;
    private static final int SIZE = 4096;

    private final PoolParts parts =
            new PoolParts(new Explicit().policy("heap-view").max(3 * REGION).maxSize(REGION));
    private final Clearing clearing = new Clearing(parts.regions, parts.slabs, parts.waitQueue, true);
    private long now = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

    @AfterEach
    void free() {
        parts.owner.close();
    }

    private boolean tick(long nanos) {
        now += nanos;
        return clearing.tick(parts.waitQueue.tickets(), now);
    }

    private boolean giveTurn() {
        assertFalse(tick(0));
        return tick(1);
    }

    /** Three slabs; the first has one slot out, and the others two. The slots are on lease. */
    private Slot[] threeSlabs() {
        Slot[] slots = new Slot[3 * REGION / SIZE];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = parts.carve(SIZE);
            slots[i].begin();
        }
        int inSlab = REGION / SIZE;
        for (int i = 0; i < slots.length; i++) {
            if (i % inSlab > (i < inSlab ? 0 : 1)) {
                end(slots[i]);
            }
        }
        return new Slot[] {slots[0], slots[inSlab], slots[inSlab + 1], slots[2 * inSlab], slots[2 * inSlab + 1]};
    }

    private void end(Slot slot) {
        slot.endUnused(null);
        parts.giveBack(slot);
    }

    private int givesSlots(Slot... out) {
        int gives = 0;
        for (Slot slot : out) {
            gives += parts.slabs.slotsOut(slot.slab) > 0 ? 1 : 0;
        }
        return gives;
    }

    @Test
    void oneSlabThatFitsIsChosenAndOthersAfterTwoTicksEach() {
        Slot[] out = threeSlabs();
        parts.waiter(32 << 10, new Thread());
        assertTrue(giveTurn());
        assertEquals(0, givesSlots(out[0]), "it has the fewest slots out");
        assertEquals(2, givesSlots(out[1], out[3]));
        tick(MaintenanceThread.PRESSURE_TICK);
        assertEquals(2, givesSlots(out[1], out[3]));
        tick(MaintenanceThread.PRESSURE_TICK);
        assertEquals(1, givesSlots(out[0], out[1], out[3]));
        Slot second = givesSlots(out[1]) == 0 ? out[1] : out[3];
        tick(4 * MaintenanceThread.PRESSURE_TICK);
        assertEquals(1, givesSlots(out[0], out[1], out[3]), "another one instead of the second");
        assertEquals(1, givesSlots(second));
        assertEquals(0, givesSlots(out[0]));
    }

    @Test
    void slabsAreLetGoWhenTurnIsOver() {
        Slot[] out = threeSlabs();
        parts.waiter(32 << 10, new Thread());
        giveTurn();
        assertTrue(tick(Turns.LONGEST_NANOS), "the others can be served from what was kept");
        assertEquals(3, givesSlots(out[0], out[1], out[3]));
    }

    @Test
    void slabsOfEnoughBytesAreDroppedForWaiterThatNoRegionFits() {
        Slot[] out = threeSlabs();
        parts.waiter(REGION + 1, new Thread());
        giveTurn();
        assertEquals(1, givesSlots(out[0], out[1], out[3]));
        for (Slot slot : out) {
            end(slot);
        }
        assertEquals(2 * REGION, parts.regions.droppedBytes());
    }

    @Test
    void noSlabIsChosenIfAllTogetherDoNotSuffice() {
        Slot[] out = threeSlabs();
        parts.waiter(3 * REGION + 1, new Thread());
        giveTurn();
        assertEquals(3, givesSlots(out[0], out[1], out[3]));
    }

    @Test
    void slabOfTheClassItselfIsNotChosen() {
        Slot[] out = threeSlabs();
        parts.waiter(SIZE, new Thread());
        giveTurn();
        assertEquals(3, givesSlots(out[0], out[1], out[3]));
    }
}
