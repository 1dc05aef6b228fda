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
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SlabTest {
    private static final int SLOTS = 4;

    @AutoClose
    private final BareOwner owner = new BareOwner();

    private final Slab slab = owner.slab(0, SLOTS);

    private Slot take() {
        return Objects.requireNonNull(slab.take());
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
}
