// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.slab.Slot;
import dev.buffers.support.Linked;
import dev.buffers.support.Threads;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slots that go into a depot come out once; unneeded slots are reaped. */
class DepotTest {
    private static final int TWO_IN_A_BATCH = 16 << 10;
    private static final int NO_BATCHES = 128 << 10;
    private final Depot depot = new Depot(TWO_IN_A_BATCH);

    private final List<Slot> reaped = new ArrayList<>();
    private final Consumer<Slot> sink = first -> reaped.addAll(Linked.list(first));

    private static Slot slot() {
        return new Slot(null, 0, ByteBuffer.allocate(0), new ReferenceQueue<>());
    }

    private static Slot batch() {
        return Linked.of(slot(), slot());
    }

    @ParameterizedTest
    @CsvSource({
        "128, 32",
        "1024, 32",
        "1025, 31",
        "1280, 25",
        "2048, 16",
        "4096, 8",
        "8192, 4",
        "10240, 4",
        "16384, 4",
        "16896, 4",
        "16897, 2",
        "65536, 2",
        "65537, 1",
        "1048576, 1"
    })
    void batchHolds32SlotsOr32KibAndAtLeastFourUpToTlsRecord(int slotSize, int slots) {
        assertEquals(slots, Depot.batchSize(slotSize));
        assertEquals(slots, new Depot(slotSize).batchSize);
    }

    @Test
    void batchesLeaveInOrderOfArrival() {
        assertNull(depot.takeBatch());
        Slot one = batch();
        Slot two = batch();
        assertTrue(depot.putBatch(one));
        assertTrue(depot.putBatch(two));
        assertSame(one, depot.takeBatch());
        assertSame(two, depot.takeBatch());
        assertNull(depot.takeBatch());
    }

    @Test
    void depotHolds64BatchesAnd64LooseSlots() {
        for (int i = 0; i < 64; i++) {
            assertTrue(depot.putBatch(batch()));
            assertTrue(depot.putLoose(slot()));
        }
        assertFalse(depot.putBatch(batch()));
        assertFalse(depot.putLoose(slot()));
    }

    /** What lay here the last time, and since then was never less, is more than is needed. */
    @Test
    void reapTakesSlotsThatWereNotNeeded() {
        Slot one = batch();
        Slot two = batch();
        List<Slot> first = List.of(one, one.next, slot(), slot()); // one batch, and two that are loose
        List<Slot> second = List.of(two, two.next, slot());
        depot.putBatch(one);
        depot.putLoose(first.get(2));
        depot.putLoose(first.get(3));
        depot.reap(sink);
        assertEquals(List.of(), reaped);
        depot.putBatch(two);
        depot.putLoose(second.get(2));
        depot.reap(sink); // takes no more than lay here the last time
        assertEquals(first, reaped);
        depot.reap(sink);
        assertEquals(second, reaped.subList(4, reaped.size()));
        depot.reap(sink);
        assertEquals(7, reaped.size());
        assertNull(depot.takeBatch());
        assertNull(depot.takeLoose());
    }

    @Test
    void largeClassHasNoBatches() {
        Depot large = new Depot(NO_BATCHES);
        assertFalse(large.putBatch(batch()));
        assertNull(large.takeBatch());
        Slot slot = slot();
        assertTrue(large.putLoose(slot));
        large.reap(sink);
        large.reap(sink);
        assertEquals(List.of(slot), reaped);
        large.drain(sink);
        assertEquals(List.of(slot), reaped);
    }

    /** Slots that one of the threads put into another depot would be lost. */
    @Test
    void concurrentFirstUsesGetSameDepot() throws Exception {
        for (int round = 0; round < 200; round++) {
            PoolParts parts = new PoolParts("heap-view", 1 << 20);
            Set<Depot> got = ConcurrentHashMap.newKeySet();
            Threads.together(Collections.nCopies(4, () -> got.add(parts.depot(0))));
            assertEquals(1, got.size());
        }
    }
}
