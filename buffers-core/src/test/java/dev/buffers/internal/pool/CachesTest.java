// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.internal.cache.Depot;
import dev.buffers.support.Threads;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class CachesTest {
    private final PoolParts parts = new PoolParts("heap-view", 1 << 20);

    /** Slots that one of them put into another depot would be lost. */
    @Test
    void concurrentFirstUsesGetSameDepot() throws Exception {
        for (int round = 0; round < 200; round++) {
            Caches fresh = new Caches(parts.classes, parts.threads);
            Set<Depot> got = ConcurrentHashMap.newKeySet();
            Threads.together(Collections.nCopies(4, () -> got.add(fresh.depot(0))));
            assertEquals(1, got.size());
        }
    }
}
