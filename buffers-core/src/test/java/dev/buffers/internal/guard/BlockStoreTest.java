// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.upkeep.Healing;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BlockStoreTest {
    private static final int MAX = 64 << 10;

    private final GuardParts parts = new GuardParts("heap-view", MAX);
    private final BlockStore blocks = parts.blocks;

    private void release(Tenancy tenancy) {
        assertTrue(blocks.takeBack(tenancy, tenancy.block, false));
    }

    private Block released(int size) {
        Block block = parts.take(size);
        release(parts.lend(block));
        return block;
    }

    @Test
    void memoryIsChargedBeforeAllocation() {
        Block block = parts.take(1000);
        assertFalse(block.hasMemory());
        assertEquals(1024, parts.budget.charged());
        assertEquals(1024, parts.stats().reservedBytes());
        blocks.giveBack(block);
        assertEquals(0, parts.budget.charged());
        assertEquals(0, parts.stats().reservedBytes());
    }

    @Test
    void chargeBeyondTheCapIsRefusedWithItsReason() {
        assertEquals("nothing was refused", blocks.regions.refusal());
        assertNotNull(blocks.charge(MAX));
        assertNull(blocks.charge(1));
        assertEquals("the cap is reached", blocks.regions.refusal());
        assertFalse(blocks.regions.wasRefusedByTheJvm());
        assertEquals(MAX, parts.budget.charged());
    }

    @Test
    void fencesAreOutsideTheCharge() {
        ByteBuffer view = blocks.lend(parts.take(128));
        assertEquals(128, view.capacity());
        assertEquals(128 + 2 * Block.FENCE, view.array().length);
        assertEquals(128, parts.budget.charged());
    }

    @Test
    void memoryThatIsNotLentIsFreeAtOnce() {
        Block block = parts.take(1000);
        blocks.lend(block);
        blocks.giveBack(block);
        assertEquals(1024, parts.stats().cachedBytes());
        assertSame(block, parts.take(1000));
    }

    @Test
    void releasedMemoryIsLentOnlyAfterLeavingAside() {
        Block block = released(1000);
        assertEquals(1024, parts.stats().cachedBytes());
        assertNotSame(block, parts.take(1000));
        assertTrue(blocks.leaveOldest());
        assertSame(block, parts.take(1000));
        assertFalse(blocks.leaveOldest());
    }

    @Test
    void oldestLeaveFirstAndAnEighthIsAside() {
        Block first = released(1000);
        for (int i = 0; i < 8; i++) {
            released(1000);
        }
        assertSame(first, parts.take(1000));
        assertNull(blocks.take(1024, 1024));
    }

    @Test
    void smallestLargerBlockServesAPart() {
        Block largest = released(8192);
        Block block = released(4096);
        assertTrue(blocks.leaveOldest()); // the first has left, since an eighth of the cap is aside
        assertNull(blocks.take(1024, 1024));
        assertSame(block, blocks.takeLarger(1024));
        Tenancy tenancy = parts.lend(block);
        assertEquals(1024, parts.stats().leasedBytes());
        assertEquals(3072, parts.stats().uncarvedBytes());
        assertEquals(8192, parts.stats().cachedBytes());
        release(tenancy);
        assertEquals(4096 + 8192, parts.stats().cachedBytes());
        assertSame(largest, blocks.takeLarger(1024));
    }

    @Test
    void exactPolicyLendsNoPart() {
        GuardParts exact = new GuardParts("heap", MAX);
        Block block = exact.take(4096);
        assertEquals(4096, exact.blocks.lend(block).array().length);
        exact.blocks.giveBack(block);
        assertNull(exact.blocks.takeLarger(128));
    }

    @Test
    void droppedMemoryIsStillChargedAndLentAgain() {
        Block block = parts.take(1000);
        byte[] memory = blocks.lend(block).array();
        blocks.giveBack(block);
        assertEquals(1024, blocks.dropIdle(System.nanoTime()));
        assertEquals(1024, parts.stats().droppedBytes());
        assertEquals(1024, parts.budget.charged());
        assertSame(memory, blocks.lend(parts.take(1000)).array());
    }

    @Test
    void dropForSizeThatCannotFitDropsNothing() {
        Block block = released(1000);
        blocks.leaveOldest();
        parts.lend(parts.take(2000));
        blocks.dropFor(MAX - 1024);
        assertEquals(0, parts.stats().droppedBytes());
        blocks.dropFor(MAX - 2048);
        assertEquals(1024, parts.stats().droppedBytes());
        assertFalse(block.hasMemory());
    }

    @Test
    void discardedMemoryIsNeverLentAgain() {
        Block block = parts.take(1000);
        Tenancy tenancy = parts.lend(block);
        assertTrue(blocks.takeBack(tenancy, block, true));
        assertEquals(1024, parts.stats().droppedBytes());
        assertNull(blocks.take(1024, 1024));
        assertNull(tenancy.block);
    }

    @Test
    void lostTenancyEndsOnce() {
        Tenancy tenancy = parts.lend(parts.take(1000));
        assertTrue(blocks.lost(tenancy));
        assertFalse(blocks.lost(tenancy));
        assertEquals(0, parts.stats().leases());
        assertEquals(1, parts.stats().leaks());
        assertEquals(1024, parts.stats().droppedBytes());
        assertNull(blocks.take(1024, 1024));
    }

    @Test
    void tenancyThatHasNotBegunIsNotLost() {
        Block block = parts.take(1000);
        Tenancy never = new Tenancy(parts, block, 10, blocks.lend(block), new ReferenceQueue<>());
        assertFalse(blocks.lost(never));
        assertEquals(0, parts.stats().droppedBytes());
    }

    @Test
    void oldLeaseIsSuspect() {
        Tenancy tenancy = parts.lend(parts.take(1000));
        long began = tenancy.trace.nanoTime;
        assertFalse(blocks.hasSuspect(began + Healing.SUSPICIOUS_NANOS - 1));
        assertTrue(blocks.hasSuspect(began + Healing.SUSPICIOUS_NANOS));
        assertTrue(blocks.lost(tenancy));
        assertFalse(blocks.hasSuspect(began + Healing.SUSPICIOUS_NANOS));
    }

    @Test
    void memoryBeyondTheCapIsNotCharged() {
        Tenancy tenancy = parts.lend(blocks.beyond(2 * MAX));
        assertEquals(1, parts.stats().leases());
        assertEquals(0, parts.stats().reservedBytes());
        assertEquals(0, parts.stats().leasedBytes());
        release(tenancy);
        assertEquals(0, parts.stats().leases());
        assertEquals(0, parts.budget.charged());
        assertTrue(blocks.isEmpty());
    }

    @Test
    void unpooledMemoryIsCreditedOnLeavingAside() {
        GuardParts unpooled = new GuardParts("unpooled", MAX);
        Tenancy tenancy = unpooled.lend(unpooled.blocks.charge(1000));
        assertEquals(1000, unpooled.stats().leasedBytes());
        assertTrue(unpooled.blocks.takeBack(tenancy, tenancy.block, false));
        assertEquals(1000, unpooled.budget.charged());
        assertEquals(1000, unpooled.stats().uncarvedBytes());
        unpooled.blocks.leaveOldest();
        assertEquals(0, unpooled.budget.charged());
        assertNull(unpooled.blocks.take(1000, 1000));
        assertEquals(0, unpooled.stats().droppedBytes());
    }

    @Test
    void closedPoolBeginsAndKeepsNothing() {
        Block block = parts.take(1000);
        parts.beginClose();
        Tenancy late = new Tenancy(parts, block, 10, blocks.lend(block), new ReferenceQueue<>());
        assertFalse(blocks.begin(late));
        blocks.giveBack(block);
        assertEquals(1024, parts.stats().droppedBytes());
        assertTrue(blocks.isEmpty());
    }
}
