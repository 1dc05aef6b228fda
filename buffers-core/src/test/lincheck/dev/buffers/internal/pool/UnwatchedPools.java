// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.signals.SilentRefusals;
import java.util.ArrayList;
import java.util.List;

/** Pools that no daemon looks after, and whose names are free at once. So the collector takes each of a hundred thousand when its test drops it. */
public final class UnwatchedPools {
    private UnwatchedPools() {}

    public static SlabPool open(PlacedSettings settings) {
        List<Runnable> ends = new ArrayList<>();
        PoolName name = PoolName.of(settings.keyName());
        SlabPool pool = new SlabPool(name, settings, null, (watched, onGone, budget) -> ends.add(onGone));
        ends.forEach(Runnable::run);
        SilentRefusals.of(pool.slowAcquire.refusals);
        return pool;
    }
}
