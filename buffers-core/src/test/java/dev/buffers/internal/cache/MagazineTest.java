package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Linked;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MagazineTest {
    private static final int BATCH = 3;

    private final BareOwner owner = new BareOwner();
    private final Slab slab = owner.slab(0, 16);
    private final Magazine magazine = new Magazine(null);

    @AfterEach
    void free() {
        owner.close();
    }

    private Slot slot() {
        return Objects.requireNonNull(slab.take());
    }

    private List<Slot> fill() {
        magazine.grant(BATCH);
        List<Slot> slots = new ArrayList<>();
        while (!magazine.isFull()) {
            slots.add(slot());
            assertTrue(magazine.put(slots.get(slots.size() - 1)));
        }
        return slots;
    }

    @Test
    void withoutAGrantItHoldsNothing() {
        assertFalse(magazine.isGranted());
        assertFalse(magazine.put(slot()));
        assertNull(magazine.take());
    }

    @Test
    void itIsAStackOfTwoBatches() {
        List<Slot> slots = fill();
        assertEquals(2 * BATCH, slots.size());
        assertFalse(magazine.put(slot()));
        for (int i = slots.size() - 1; i >= 0; i--) {
            assertSame(slots.get(i), magazine.take());
        }
        assertNull(magazine.take());
        assertTrue(magazine.isEmpty());
    }

    @Test
    void aBatchLeavesFromTheBottom() {
        List<Slot> slots = fill();
        assertEquals(List.of(slots.get(2), slots.get(1), slots.get(0)), Linked.list(magazine.unload(BATCH)));
        assertEquals(BATCH, magazine.size());
        assertSame(slots.get(2 * BATCH - 1), magazine.take());
    }

    @Test
    void aBatchIsLoadedIntoAnEmptyMagazine() {
        magazine.grant(BATCH);
        Slot[] batch = {slot(), slot()};
        magazine.load(Linked.of(batch));
        assertEquals(2, magazine.size());
        assertSame(batch[0], magazine.take());
        assertSame(batch[1], magazine.take());
        assertNull(batch[0].next, "a slot by itself");
    }

    @Test
    void drainGivesEverything() {
        List<Slot> slots = fill();
        Collections.reverse(slots);
        assertEquals(slots, Linked.list(magazine.drain()));
        assertTrue(magazine.isEmpty());
        assertNull(magazine.drain());
    }

    @Test
    void revokedSlotsOnTopAreDropped() {
        List<Slot> slots = fill();
        slots.get(5).getAndSetView(null);
        slots.get(4).getAndSetView(null);
        slots.get(1).getAndSetView(null);
        magazine.dropRevoked();
        assertEquals(4, magazine.size());
        assertSame(slots.get(3), magazine.take());
        assertTrue(slots.get(5).abandonIfRevoked());
    }

    @Test
    void anyoneMayPeek() {
        List<Slot> slots = fill();
        List<Slot> seen = new ArrayList<>();
        magazine.peek(seen::add);
        assertEquals(slots, seen);
    }

    @Test
    void aClaimLastsUntilItIsGivenUp() {
        assertTrue(magazine.tryClaim());
        assertFalse(magazine.tryClaim());
        magazine.unclaim();
        assertTrue(magazine.tryClaim());
    }

    @Test
    void ofThreadsThatClaimAtOnceOneWins() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        Threads.together(Collections.nCopies(2, () -> {
            for (int i = 0; i < 1_000_000; i++) {
                if (magazine.tryClaim()) {
                    assertEquals(1, inside.incrementAndGet());
                    Thread.onSpinWait(); // so that the other meets it
                    inside.decrementAndGet();
                    magazine.unclaim();
                }
            }
        }));
    }
}
