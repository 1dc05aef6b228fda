// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.support.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The charge for a region is given back once, when its memory is gone or was never allocated (I4). */
class BudgetReturnTest {
    private final SlabPool pool = (SlabPool)
            BufferPool.builder("returns").policy("heap-view").max(1 << 20).build();
    private final Budget budget = new Budget(1 << 20);
    private final RegionAllocator regions = new RegionAllocator(pool, BuiltInPolicy.HEAP_VIEW, budget);

    /** Keeps bytes charged, so that an empty budget does not hide a charge that is given back too often. */
    private final Region another = regions.allocate(10_000, 1);

    @AfterEach
    void close() {
        assertNotNull(another);
        pool.close();
    }

    private void assertCharged(long reserved, long dropped) {
        assertEquals(10_000 + reserved + dropped, budget.charged());
        assertEquals(10_000 + reserved, regions.reservedBytesPlain());
        assertEquals(dropped, regions.droppedBytes());
    }

    @Test
    void anAllocationThatFailsGivesItsChargeBackOnce() {
        RegionAllocator failing = new RegionAllocator(
                pool,
                Kind.own(bytes -> {
                    throw new OutOfMemoryError("never enough");
                }),
                budget);
        assertNull(failing.allocate(4096, 1));
        assertEquals(0, failing.reservedBytesPlain());
        assertCharged(0, 0);
    }

    @Test
    void aDroppedRegionStaysCharged() {
        Region region = regions.allocate(4096, 1);
        assertCharged(4096, 0);
        regions.drop(region);
        assertCharged(0, 4096);
        assertNotNull(regions.adopt(4096, 4096));
        assertCharged(4096, 0);
    }

    @Test
    void collectedRegionIsCreditedOnce() {
        Region region = regions.allocate(4096, 1);
        region.isReusable = false;
        regions.drop(region);
        assertFalse(budget.isEmpty());
        region.footprint(0).clear(); // as the collector does
        assertEquals(4096, budget.creditTaken());
        assertCharged(0, 0);
        assertEquals(0, budget.creditAll());
    }

    @Test
    void anUnpooledLeaseGivesItsChargeBackOnce() {
        Region region = regions.allocatePlain(5000, Region.Charge.WHILE_LEASED, 0);
        assertCharged(5000, 0);
        regions.drop(region);
        assertCharged(0, 0);
        Region free = regions.allocatePlain(5000, Region.Charge.NONE, 0);
        assertCharged(0, 0);
        regions.drop(free);
        assertCharged(0, 0);
    }
}
