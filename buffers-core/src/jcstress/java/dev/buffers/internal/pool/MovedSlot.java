// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.support.Explicit;
import java.util.Map;

/** A pool of one slot, which is free and lies in a depot. */
public final class MovedSlot {
    private static final int SIZE = 4096;
    private static final PlacedSettings ONE_SLOT = ResolvedSettings.resolve(
            "parts", new Explicit().policy("heap-view").max(SIZE).maxSize(SIZE).threadCache(0), Map.of(), Map.of());

    private final PoolParts parts = new PoolParts(ONE_SLOT);

    public MovedSlot() {
        parts.giveBackFree(parts.carve(SIZE));
    }

    /** Moves the slot from the depot to its slab, as a trim does. */
    public void move() {
        parts.free.reclaim(null);
    }

    /** Acquires at the cap. False when that is refused. */
    public boolean acquire() {
        return parts.find(SIZE) != null;
    }
}
