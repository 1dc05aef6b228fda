// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A slab of one slot, which is free and out, so that a thread may revoke it. Its store belongs to no pool. */
final class Revocable {
    private static final int CLASS = 0;
    private static final int SIZE = 128;
    private static final SlotOwner OWNER = new Cutter.Owner();
    private static final RegionAllocator REGIONS =
            new RegionAllocator(OWNER, Cutter.WITHOUT_MAGAZINES.policy(), new Budget(SIZE));

    private final SlabStore slabs = new SlabStore(1, REGIONS, 0);
    final Slot slot;

    Revocable() {
        this(OWNER);
    }

    Revocable(SlotOwner owner) {
        Region region = new Region(ByteBuffer.allocate(SIZE), Region.Charge.NONE);
        slot = slabs.addAndTake(new Slab(owner, region, CLASS, SIZE));
    }

    /** A lease on a free slot. */
    static Lease lease(Slot slot) {
        ByteBuffer view = Objects.requireNonNull(Cutter.beginAndTake(slot));
        return new Lease(slot, slot.stateVolatile(), view, null);
    }

    /** 1 when the slot is in its slab now, 0 when it was not free. */
    int revoke() {
        return slabs.revoke(slot) ? 1 : 0;
    }

    boolean retire() {
        return slabs.retire(slot);
    }

    /** Takes a slot from the slab; null when it has none. */
    Slot takeFromSlab() {
        return slabs.take(CLASS, 1);
    }
}
