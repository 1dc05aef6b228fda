package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.BareOwner;
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
    void slotsLeaveInTheOrderOfTheirAddresses() {
        for (int i = 0; i < SLOTS; i++) {
            assertEquals(i, take().index);
        }
        assertNull(slab.take());
        assertEquals(SLOTS, slab.slotsOut());
        assertEquals(0, slab.freeSlots());
    }

    /** Each slot has bytes of its own, next to those of its neighbours. */
    @Test
    void viewsDoNotOverlap() {
        List<ByteBuffer> views = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            ByteBuffer view = Objects.requireNonNull(take().beginAndTake());
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
    void aSlotComesBackOnce() {
        Slot slot = take();
        assertFalse(slab.isUnused());
        assertTrue(slab.giveBack(slot, false));
        assertTrue(slab.isUnused());
        assertFalse(slab.giveBack(slot, false), "it is there already");
        assertFalse(slab.giveBack(Objects.requireNonNull(owner.slab(0, 1).take()), false), "another slab's");
    }

    @Test
    void aRevokedSlotIsReplacedByANewObjectOnTheSameMemory() {
        Slot slot = take();
        ByteBuffer view = Objects.requireNonNull(slot.getAndSetView(null));
        slab.revoked(slot);
        assertTrue(slab.isUnused());
        assertFalse(slab.giveBack(slot, false), "its object is nothing of this slab any more");
        Slot again = take();
        assertNotSame(slot, again);
        assertEquals(slot.index, again.index);
        view.put(0, (byte) 77);
        assertEquals(77, Objects.requireNonNull(again.beginAndTake()).get(0));
        assertNull(slot.beginAndTake(), "the old object stays without a view");
    }

    @Test
    void aRetiredSlotNeverComesBack() {
        Slot slot = take();
        assertTrue(slab.retire(slot));
        assertFalse(slab.retire(slot), "once");
        assertEquals(1, slab.retired());
        assertEquals(0, slab.slotsOut());
        assertFalse(slab.isUnused());
        assertFalse(slab.has(slot));
        assertFalse(slab.retire(Objects.requireNonNull(owner.slab(0, 1).take())), "another slab's");
    }

    @Test
    void freeOutAndRetiredAddUp() {
        Slot first = take();
        take();
        slab.retire(first);
        assertEquals(SLOTS, slab.freeSlots() + slab.slotsOut() + slab.retired());
        List<Slot> out = new ArrayList<>();
        slab.eachOut(out::add);
        assertEquals(1, out.size());
        assertEquals(1, out.get(0).index);
    }

    @Test
    void itIsIdleSinceTheLastChange() {
        assertEquals(1_000, slab.idleSince(1_000));
        assertEquals(1_000, slab.idleSince(2_000), "nothing has happened");
        Slot slot = take();
        assertEquals(3_000, slab.idleSince(3_000));
        slot.endUnused(Objects.requireNonNull(slot.beginAndTake()));
        assertEquals(4_000, slab.idleSince(4_000), "a tenancy of a slot that is out");
        assertEquals(4_000, slab.idleSince(5_000));
        slab.giveBack(slot, true);
        assertEquals(4_000, slab.idleSince(6_000), "it came back untouched");
        slab.giveBack(take(), false);
        assertEquals(7_000, slab.idleSince(7_000));
    }

    @Test
    void aHeldSlotKeepsItBusy() {
        Slot slot = take();
        slot.beginAndTake();
        assertEquals(1_000, slab.idleSince(1_000));
        assertEquals(2_000, slab.idleSince(2_000));
        assertTrue(slab.isLeasedOut(true), "what is out is on lease");
    }

    @Test
    void aDissolvedSlabReachesItsRegionThroughNoSlot() {
        Slot slot = take();
        slab.giveBack(slot, false);
        slab.dissolve();
        assertTrue(slab.isDissolved());
        assertNull(slot.viewVolatile());
        assertFalse(slab.has(slot));
    }

    @Test
    void theLastBytesOfARegionMayStayUncarved() {
        assertEquals(SLOTS * 128L, slab.carvedBytes());
        assertEquals(SLOTS * 128L, slab.region.bytes);
        assertSame(owner, slab.pool);
    }
}
