// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.BareOwner;
import dev.buffers.support.Peek;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlabTest {
    private static final int SLOTS = 4;

    private final BareOwner owner = new BareOwner();
    private final Slab slab = owner.slab(0, SLOTS);

    @AfterEach
    void free() {
        owner.close();
    }

    private Slot take() {
        return Objects.requireNonNull(slab.take());
    }

    @Test
    void takeReturnsLowestAddressFirst() {
        for (int i = 0; i < SLOTS; i++) {
            assertEquals(i, take().index);
        }
        assertNull(slab.take());
        assertEquals(SLOTS, slab.slotsOut());
        assertEquals(0, slab.freeSlots());
    }

    /** Each slot has separate bytes, next to those of its neighbours. */
    @Test
    void viewsDoNotOverlap() {
        List<ByteBuffer> views = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            ByteBuffer view = Objects.requireNonNull(SlabParts.beginAndTake(take()));
            assertEquals(128, view.capacity());
            views.add(view);
        }
        for (int i = 0; i < SLOTS; i++) {
            for (int at = 0; at < 128; at++) {
                views.get(i).put(at, (byte) i);
            }
        }
        for (int i = 0; i < SLOTS; i++) {
            assertEquals((byte) i, views.get(i).get(0));
            assertEquals((byte) i, views.get(i).get(127));
        }
    }

    @Test
    void giveBackAcceptsSlotOnce() {
        Slot slot = take();
        assertFalse(slab.isUnused());
        assertTrue(slab.giveBack(slot));
        assertTrue(slab.isUnused());
        assertFalse(slab.giveBack(slot), "it is there already");
        assertFalse(slab.giveBack(Objects.requireNonNull(owner.slab(0, 1).take())), "another slab's");
    }

    @Test
    void revokedSlotIsReplacedByNewObjectOnSameMemory() {
        Slot slot = take();
        ByteBuffer view = Peek.view(slot);
        assertTrue(slab.revoke(slot));
        assertTrue(slab.isUnused());
        assertFalse(slab.revoke(slot), "once");
        assertFalse(slab.giveBack(slot), "its object no longer belongs to this slab");
        assertFalse(slab.retire(slot));
        Slot again = take();
        assertNotSame(slot, again);
        assertEquals(slot.index, again.index);
        view.put(0, (byte) 77);
        assertEquals(77, Objects.requireNonNull(SlabParts.beginAndTake(again)).get(0));
        assertNull(SlabParts.beginAndTake(slot), "the old object stays revoked");
        assertNull(Peek.view(slot), "and keeps no memory");
    }

    @Test
    void revokeFailsOnSlotThatIsHeldOrInSlab() {
        Slot held = take();
        assertTrue(held.begin());
        assertFalse(slab.revoke(held));
        assertNotNull(Peek.view(held));
        Slot inSlab = take();
        slab.giveBack(inSlab);
        assertFalse(slab.revoke(inSlab));
        assertSame(inSlab, take());
    }

    @Test
    void revokeAllTakesFreeSlotsThatAreOut() {
        Slot held = take();
        assertTrue(held.begin());
        take();
        take();
        assertEquals(2, slab.revokeAll());
        assertEquals(1, slab.slotsOut());
        assertEquals(0, slab.revokeAll());
        assertTrue(slab.giveBack(held));
    }

    @Test
    void retiredSlotNeverReturns() {
        Slot slot = take();
        assertTrue(slab.retire(slot));
        assertFalse(slab.retire(slot), "once");
        assertEquals(1, slab.retired());
        assertEquals(0, slab.slotsOut());
        assertFalse(slab.isUnused());
        assertFalse(slab.giveBack(slot));
        assertFalse(slab.retire(Objects.requireNonNull(owner.slab(0, 1).take())), "another slab's");
    }

    @Test
    void freeOutAndRetiredSlotsAddUp() {
        Slot first = take();
        take();
        slab.retire(first);
        assertEquals(SLOTS, slab.freeSlots() + slab.slotsOut() + slab.retired());
        List<Slot> out = slab.out();
        assertEquals(1, out.size());
        assertEquals(1, out.get(0).index);
    }

    @Test
    void slabIsIdleSinceLastChange() {
        assertEquals(1_000, slab.idleSince(1_000));
        assertEquals(1_000, slab.idleSince(2_000), "nothing has happened");
        Slot slot = take();
        assertEquals(3_000, slab.idleSince(3_000));
        slot.endUnused(SlabParts.beginAndTake(slot));
        assertEquals(4_000, slab.idleSince(4_000), "a tenancy of a slot that is out");
        assertEquals(4_000, slab.idleSince(5_000));
        slab.giveBack(slot);
        assertEquals(4_000, slab.idleSince(6_000), "it came back untouched");
        slab.giveBack(take());
        assertEquals(7_000, slab.idleSince(7_000));
        Slot used = take();
        assertEquals(8_000, slab.idleSince(8_000));
        used.endUnused(SlabParts.beginAndTake(used));
        slab.giveBack(used);
        assertEquals(9_000, slab.idleSince(9_000), "it came back used");
    }

    /** What the tick itself does to an idle slab must not make it busy. */
    @Test
    void revocationLeavesSlabIdle() {
        Slot slot = take();
        slot.endUnused(SlabParts.beginAndTake(slot));
        assertEquals(1_000, slab.idleSince(1_000));
        assertTrue(slab.revoke(slot));
        assertEquals(1_000, slab.idleSince(2_000));
    }

    @Test
    void heldSlotKeepsSlabBusy() {
        Slot slot = take();
        assertTrue(slot.begin());
        assertEquals(1_000, slab.idleSince(1_000));
        assertEquals(2_000, slab.idleSince(2_000));
    }

    @Test
    void dissolvedSlabReachesRegionThroughNoSlot() {
        Slot slot = take();
        slab.giveBack(slot);
        slab.dissolve();
        assertTrue(slab.isDissolved());
        assertNull(Peek.view(slot));
    }

    @Test
    void slabOfExactRegionLeavesNothingUncarved() {
        assertEquals(SLOTS * 128L, slab.carvedBytes());
        assertEquals(SLOTS * 128L, slab.region.bytes());
        assertSame(owner, slab.pool);
    }
}
