// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.upkeep.Healing;
import java.util.ArrayList;
import java.util.List;

/**
 * The leases on slots that may be lost. A slot shows its tenancy and not its age, so they are noted once and compared later.
 *
 * <p>Used by the tick alone; all fields are plain.
 */
final class Suspects implements Healing.Leases {
    private static final int MOST = 1 << 14;

    private final SlabStore slabs;
    private final List<Suspect> suspects = new ArrayList<>();
    private int firstSlab;
    private long suspectedAt;

    Suspects(SlabStore slabs) {
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
        if (!found) {
            suspects.clear(); // next time those of other slabs
        }
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
