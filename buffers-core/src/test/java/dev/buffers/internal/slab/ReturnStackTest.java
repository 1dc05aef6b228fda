// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.BareOwner;
import dev.buffers.support.Linked;
import dev.buffers.support.Threads;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReturnStackTest {
    @AutoClose
    private final BareOwner owner = new BareOwner();

    private final Slab slab = owner.slab(0, 64);
    private final ReturnStack stack = new ReturnStack();

    @Test
    void closeTakesSlotsAndRefusesLaterOnes() {
        stack.open();
        stack.push(SlabParts.take(slab));
        assertEquals(1, Linked.list(stack.close()).size());
        assertFalse(stack.push(SlabParts.take(slab)));
        assertNull(stack.close(), "closed before");
        stack.open();
        assertTrue(stack.push(SlabParts.take(slab)));
        stack.open();
        assertEquals(1, Linked.list(stack.takeAll()).size(), "to open an open one changes nothing");
    }

    /** No slot is lost, none is there twice, whatever releasers and the channel's thread do. */
    @Test
    void concurrentPushesLoseAndDuplicateNoSlot() throws Exception {
        stack.open();
        Set<Slot> seen = ConcurrentHashMap.newKeySet();
        Set<Slot> turnedAway = ConcurrentHashMap.newKeySet();
        Threads.Action releaser = () -> {
            for (int i = 0; i < 20; i++) {
                Slot slot;
                synchronized (slab) {
                    slot = SlabParts.take(slab);
                }
                if (!stack.push(slot)) {
                    turnedAway.add(slot);
                }
            }
        };
        Threads.Action owning = () -> {
            for (int i = 0; i < 2_000; i++) {
                for (Slot slot = stack.takeAll(); slot != null; slot = slot.next) {
                    assertTrue(seen.add(slot));
                }
            }
        };
        Threads.together(List.of(releaser, releaser, releaser, owning));
        for (Slot slot = stack.close(); slot != null; slot = slot.next) {
            assertTrue(seen.add(slot));
        }
        assertTrue(Collections.disjoint(seen, turnedAway));
        assertEquals(60, seen.size() + turnedAway.size());
    }
}
