// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.internal.memory.RegionAllocator;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Parts of slabs and slots that a test must reach. */
public final class SlabParts {
    private SlabParts() {}

    public static RegionAllocator regions(SlabStore slabs) {
        return slabs.regions;
    }

    /** Begins a tenancy and takes the view out of the slot; null when the slot is not free. */
    public static ByteBuffer beginAndTake(Slot slot) {
        if (!slot.begin()) {
            return null;
        }
        ByteBuffer taken = slot.view;
        slot.view = null;
        return taken;
    }

    /** Takes a free slot of a slab that no store knows. */
    public static Slot take(Slab slab) {
        return Objects.requireNonNull(slab.take());
    }

    /** Revokes a free slot that is in no slab's records. False when the slot is not free. */
    public static boolean revoke(Slot slot) {
        return slot.revoke();
    }
}
