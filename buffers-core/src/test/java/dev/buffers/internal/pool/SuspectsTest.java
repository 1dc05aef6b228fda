// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.buffers.internal.slab.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The leases of a pool that may be lost. The test controls the time. */
class SuspectsTest {
    private static final int SIZE = 64 << 10;

    private PoolParts parts = new PoolParts("heap-view", SIZE);
    private Suspects suspects = new Suspects(parts.slabs);
    private long now = System.nanoTime();

    /** In which of that many seconds a lease is suspect. */
    private List<Integer> seconds(int count, Runnable between) {
        List<Integer> found = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            now += TimeUnit.SECONDS.toNanos(1);
            if (suspects.hasSuspect(now)) {
                found.add(i);
            }
            between.run();
        }
        return found;
    }

    @Test
    void leaseIsSuspectAfterSecond() {
        assertEquals(List.of(), seconds(3, () -> {}));
        Slot held = parts.find(SIZE);
        assertEquals(List.of(2, 3, 4), seconds(4, () -> {}));
        suspects.forgetSuspects();
        assertEquals(List.of(2), seconds(2, () -> {}));
        held.endUnused(null);
        assertEquals(List.of(), seconds(3, () -> {}));
    }

    @Test
    void leasesThatComeAndGoAreNotSuspect() {
        Slot turns = parts.find(SIZE);
        assertEquals(List.of(), seconds(10, () -> {
            turns.endUnused(null);
            turns.begin();
        }));
    }

    @Test
    void lostLeaseThatWasFoundIsNoSuspect() {
        Slot held = parts.find(SIZE);
        assertEquals(List.of(2), seconds(2, () -> {}));
        held.enqueue(); // as the collector does
        parts.leaks.collect();
        suspects.forgetSuspects();
        assertEquals(List.of(), seconds(4, () -> {}));
    }

    /** More leases than are noted at once, all but one short. */
    @Test
    void oldLeaseOfManyIsFound() {
        parts = new PoolParts("heap-view", 12 << 20);
        suspects = new Suspects(parts.slabs);
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < 90_000; i++) {
            slots.add(parts.find(128));
        }
        assertFalse(seconds(12, () -> {
                    for (Slot slot : slots.subList(0, 89_999)) {
                        slot.endUnused(null);
                        slot.begin();
                    }
                })
                .isEmpty());
    }
}
