// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.upkeep.Healing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of slabs as {@link Healing} sees it, and the leases that may be lost: a slot shows its tenancy and not its age, so they are
 * noted once and compared later.
 *
 * <p>Used by the tick alone; all fields are plain.
 */
final class Suspects implements Healing.Memory {
    private static final int MOST = 1 << 14;

    private final RegionAllocator regions;
    private final SlabStore slabs;
    private final List<Suspect> suspects = new ArrayList<>();
    private int firstSlab;
    private long suspectedAt;

    Suspects(RegionAllocator regions, SlabStore slabs) {
        this.regions = regions;
        this.slabs = slabs;
    }

    /** A slot and the state in which it was seen. */
    private record Suspect(Slot slot, long state) {
        boolean isHeldStill() {
            long now = slot.stateVolatile();
            return SlotState.isHeld(now) && SlotState.sameTenancy(now, state);
        }
    }

    @Override
    public long collectableBytes() {
        return regions.budget.collectable();
    }

    @Override
    public @Nullable String refusalByTheJvm() {
        return regions.wasRefusedByTheJvm() ? regions.refusal() : null;
    }

    @Override
    public boolean hasSuspect(long now) {
        if (suspects.isEmpty()) {
            note();
            suspectedAt = now;
            return false;
        }
        if (now - suspectedAt < Healing.SUSPICIOUS_NANOS) {
            return false;
        }
        boolean found = suspects.stream().anyMatch(Suspect::isHeldStill);
        suspects.clear();
        return found;
    }

    @Override
    public void forgetSuspects() {
        suspects.clear();
    }

    /** Notes the leases that are out; those of some slabs if there are too many, and next time those of the following ones. */
    private void note() {
        List<Slab> all = slabs.all();
        for (int left = all.size(); left > 0 && suspects.size() < MOST; left--) {
            firstSlab = firstSlab < all.size() ? firstSlab : 0;
            for (Slot slot : slabs.out(all.get(firstSlab++))) {
                long state = slot.stateVolatile();
                if (SlotState.isHeld(state)) {
                    suspects.add(new Suspect(slot, state));
                }
            }
        }
    }
}
