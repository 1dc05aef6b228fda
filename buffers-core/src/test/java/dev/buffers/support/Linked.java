// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import java.util.ArrayList;
import java.util.List;

/** Free slots that are linked by {@link Slot#next}. */
public final class Linked {
    private Linked() {}

    /** Links them in this order; returns the first. */
    public static Slot of(Slot... slots) {
        for (int i = 1; i < slots.length; i++) {
            slots[i - 1].next = slots[i];
        }
        return slots[0];
    }

    /** Adds a slab that was just cut, and takes that many of its slots. */
    public static Slot[] added(SlabStore slabs, Slab slab, int taken) {
        Slot first = slabs.addAndTake(slab);
        first.next = slabs.take(slab.sizeClass, taken - 1);
        return array(first);
    }

    /** Unlinks them. {@code first} may be null. */
    public static List<Slot> list(Slot first) {
        List<Slot> slots = new ArrayList<>();
        for (Slot slot = first, next; slot != null; slot = next) {
            next = slot.next;
            slot.next = null;
            slots.add(slot);
        }
        return slots;
    }

    public static Slot[] array(Slot first) {
        return list(first).toArray(new Slot[0]);
    }
}
