// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.AcquireOutcome;
import org.junit.jupiter.api.Test;

class CountersTest {
    private static final int OVERSIZE = -1;

    private final Counters counters = new Counters(3);

    @Test
    void acquireCountsInItsClassAndOutcome() {
        counters.acquired(AcquireOutcome.DEPOT, 0);
        counters.acquired(AcquireOutcome.DEPOT, 2);
        counters.acquired(AcquireOutcome.OVERSIZE, OVERSIZE);
        assertEquals(2, counters.acquires(AcquireOutcome.DEPOT));
        assertEquals(1, counters.acquires(AcquireOutcome.OVERSIZE));
        assertEquals(1, counters.begun(0));
        assertEquals(0, counters.begun(1));
        assertEquals(1, counters.begun(3), "the row of slabs without a class");
    }

    @Test
    void refusalBeginsNoTenancy() {
        counters.acquired(AcquireOutcome.REJECTED, OVERSIZE);
        assertEquals(1, counters.acquires(AcquireOutcome.REJECTED));
        assertEquals(0, counters.begun(3));
    }

    @Test
    void everyEndCountsOnceInItsRow() {
        counters.recycled(1);
        counters.discarded(1);
        counters.leaked(1);
        counters.leaked(OVERSIZE);
        assertEquals(3, counters.ended(1));
        assertEquals(1, counters.ended(3));
        assertEquals(1, counters.recycled.get());
        assertEquals(1, counters.discarded.get());
        assertEquals(2, counters.leaks.get());
    }

    @Test
    void inheritTakesOverCountsOfMagazine() {
        counters.inherit(2, 10, 5, 14);
        assertEquals(10, counters.acquires(AcquireOutcome.THREAD));
        assertEquals(5, counters.acquires(AcquireOutcome.CHANNEL));
        assertEquals(15, counters.begun(2));
        assertEquals(14, counters.ended(2));
        assertEquals(14, counters.recycled.get());
    }

    @Test
    void waitsAndTheirTimeAddUp() {
        counters.waited(10);
        counters.waited(5);
        assertEquals(2, counters.waits.get());
        assertEquals(15, counters.waitedNanos.get());
    }

    @Test
    void hitsAndMissesCountPerClass() {
        counters.acquired(AcquireOutcome.DEPOT, 0);
        counters.acquired(AcquireOutcome.CARVED, 0);
        counters.acquired(AcquireOutcome.THREAD, 0);
        counters.acquired(AcquireOutcome.CHANNEL, 0);
        counters.acquired(AcquireOutcome.DEPOT, 1);
        assertEquals(2, counters.misses(0));
        assertEquals(1, counters.misses(1));
        assertEquals(2, counters.hits(0));
        assertEquals(0, counters.hits(1));
    }
}
