// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabParts;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Linked;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MagazineTest {
    private static final int BATCH = 3;

    @AutoClose
    private final BareOwner owner = new BareOwner();

    private final Slab slab = owner.slab(0, 16);
    private final Magazine magazine = new Magazine(null);

    private Slot slot() {
        return SlabParts.take(slab);
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
    void magazineIsStackOfTwoBatches() {
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
    void unloadTakesBatchFromBottom() {
        List<Slot> slots = fill();
        assertEquals(List.of(slots.get(2), slots.get(1), slots.get(0)), Linked.list(magazine.unload(BATCH)));
        assertEquals(BATCH, magazine.size());
        assertSame(slots.get(2 * BATCH - 1), magazine.take());
    }

    @Test
    void loadPutsFirstOfBatchOnTop() {
        magazine.grant(BATCH);
        Slot[] batch = {slot(), slot()};
        magazine.load(Linked.of(batch));
        assertEquals(2, magazine.size());
        assertSame(batch[0], magazine.take());
        assertSame(batch[1], magazine.take());
        assertNull(batch[0].next, "a slot by itself");
    }

    @Test
    void takeBegunDropsRevokedSlots() {
        List<Slot> slots = fill();
        for (int i : new int[] {5, 4, 1, 0}) {
            assertTrue(SlabParts.revoke(slots.get(i)));
        }
        Slot begun = magazine.takeBegun();
        assertSame(slots.get(3), begun);
        assertTrue(SlotState.isHeld(begun.stateVolatile()));
        assertEquals(3, magazine.size(), "two were dropped, one was taken");
        assertSame(slots.get(2), magazine.takeBegun());
        assertNull(magazine.takeBegun(), "the two lowest are revoked");
        assertTrue(magazine.isEmpty());
    }

    @Test
    void ownMagazineIsOwnForItsThreadOnly() throws Exception {
        Magazine own = new Magazine(Thread.currentThread());
        assertTrue(own.isOwn());
        Threads.run(() -> assertFalse(own.isOwn()));
        own.disown();
        assertFalse(own.isOwn());
        assertFalse(magazine.isOwn(), "a stripe's");
        assertFalse(Magazine.ELSEWHERE.isOwn());
    }

    @Test
    void concurrentClaimsHaveOneWinner() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        IntConsumer claims = i -> {
            if (magazine.tryClaim()) {
                assertEquals(1, inside.incrementAndGet());
                Thread.onSpinWait(); // so that the other meets it
                inside.decrementAndGet();
                magazine.unclaim();
            }
        };
        Threads.inRounds(200_000, claims, claims);
    }

    @Test
    void claimLastsUntilUnclaim() {
        assertTrue(magazine.tryClaim());
        assertFalse(magazine.tryClaim());
        magazine.unclaim();
        assertTrue(magazine.tryClaim());
    }
}
