// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.cache.Depot;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class CachesTest {
    private final PoolParts parts = new PoolParts("heap-view", 1 << 20);

    @Test
    void eachClassHasDepotForItsSize() {
        Depot small = parts.depot(0);
        Depot large = parts.depot(parts.classes.count() - 1);
        assertSame(small, parts.depot(0));
        assertNotSame(small, large);
        assertEquals(32, small.batchSize);
        assertEquals(1, large.batchSize, "too large for batches");
    }

    @Test
    void eachDepotVisitsOnlyDepotsThatWereNeeded() {
        List<Depot> visited = new ArrayList<>();
        parts.caches.eachDepot(visited::add);
        assertEquals(List.of(), visited);
        Depot fifth = parts.depot(5);
        Depot first = parts.depot(0);
        parts.caches.eachDepot(visited::add);
        assertEquals(List.of(first, fifth), visited);
    }

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
