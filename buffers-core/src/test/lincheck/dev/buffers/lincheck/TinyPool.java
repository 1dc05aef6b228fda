// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.pool.UnwatchedPools;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.support.Explicit;
import java.util.Map;

/**
 * Pools of a few slots of one size, each slot a separate region, for tests that make a hundred thousand of them: no magazine keeps
 * anything, and the daemon does not look after them, so that only the test's threads ever touch one.
 */
final class TinyPool {
    static final int SIZE = 4096;

    private TinyPool() {}

    static PlacedSettings settings(int slots) {
        ExplicitSettings explicit = new Explicit();
        explicit.policy("heap-view");
        explicit.max((long) slots * SIZE);
        explicit.regionSize(SIZE);
        explicit.maxSize(SIZE);
        explicit.threadCache(0);
        explicit.trimNever();
        return ResolvedSettings.resolve("tiny", explicit, Map.of(), Map.of());
    }

    static SlabPool open(PlacedSettings settings) {
        return UnwatchedPools.open(settings);
    }
}
