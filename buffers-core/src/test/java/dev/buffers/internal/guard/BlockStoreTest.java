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

    private Tenancy lend(Block block) {
        ByteBuffer view = blocks.lend(block);
        Tenancy tenancy = new Tenancy(null, block, 10, view, new ReferenceQueue<>());
        assertTrue(blocks.begin(tenancy));
        return tenancy;
    }

    private void release(Tenancy tenancy) {
        assertTrue(blocks.takeBack(tenancy, tenancy.block, false));
    }

    private Block released(int size) {
        Block block = parts.take(size);
        release(lend(block));
        return block;
    }

    @Test
    void memoryIsChargedBeforeAllocation() {
        Block block = parts.take(1000);
        assertFalse(block.hasMemory());
        assertEquals(1024, parts.budget.charged());
        assertEquals(1024, parts.stats().leasedBytes());
        blocks.giveBack(block);
        assertEquals(0, parts.budget.charged());
        assertEquals(0, parts.stats().reservedBytes());
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
        Block[] others = new Block[8];
        for (int i = 0; i < others.length; i++) {
            others[i] = released(1000);
        }
        assertEquals(Block.Place.FREE, first.place);
        for (Block other : others) {
            assertEquals(Block.Place.ASIDE, other.place);
        }
    }

    @Test
    void largerBlockServesAPart() {
        Block block = released(4096);
        blocks.leaveOldest();
        assertNull(blocks.take(parts.classes.classOf(1000), 1024, false));
        assertSame(block, blocks.takeLarger(parts.classes.classOf(1000), 1024));
        Tenancy tenancy = lend(block);
        assertEquals(1024, parts.stats().leasedBytes());
        assertEquals(3072, parts.stats().uncarvedBytes());
        release(tenancy);
        assertEquals(4096, parts.stats().cachedBytes());
    }

    @Test
    void exactPolicyLendsNoPart() {
        GuardParts exact = new GuardParts("heap", MAX);
        Block block = exact.take(4096);
        assertEquals(4096, exact.blocks.lend(block).array().length);
        exact.blocks.giveBack(block);
        assertNull(exact.blocks.takeLarger(0, 128));
    }

    @Test
    void droppedMemoryIsStillChargedAndLentAgain() {
        Block block = parts.take(1000);
        byte[] memory = blocks.lend(block).array();
        blocks.giveBack(block);
        assertEquals(1024, blocks.dropIdle(System.nanoTime()));
        assertEquals(1024, parts.stats().droppedBytes());
        assertEquals(1024, parts.budget.charged());
        assertSame(block, parts.take(1000));
        assertSame(memory, blocks.lend(block).array());
    }

    /** The collector has cleared the footprint, and the JDK has not enqueued it yet. */
    @Test
    void takenMemoryIsCreditedBeforeItsFootprintIsEnqueued() {
        GuardParts heap = new GuardParts("heap", MAX);
        Block block = heap.take(1000);
        Block other = heap.take(2000);
        heap.blocks.lend(block);
        heap.blocks.lend(other);
        heap.blocks.giveBack(block);
        heap.blocks.dropIdle(System.nanoTime());
        assertFalse(heap.blocks.endTaken());
        block.charge().clear(); // as the collector does
        other.charge().clear();
        assertTrue(heap.blocks.endTaken());
        assertFalse(heap.blocks.endTaken());
        assertEquals(2048, heap.budget.charged());
        assertEquals(0, heap.stats().droppedBytes());
    }

    @Test
    void dropForSizeThatCannotFitDropsNothing() {
        Block block = released(1000);
        blocks.leaveOldest();
        parts.take(1000);
        assertNotNull(parts.take(1000));
        blocks.dropFor(MAX);
        assertEquals(0, parts.stats().droppedBytes());
        assertEquals(Block.Place.LEASED, block.place);
    }

    @Test
    void discardedMemoryIsNeverLentAgain() {
        Block block = parts.take(1000);
        Tenancy tenancy = lend(block);
        assertTrue(blocks.takeBack(tenancy, block, true));
        assertEquals(1024, parts.stats().droppedBytes());
        assertNotSame(block, parts.take(1000));
        assertNull(tenancy.block);
    }

    @Test
    void lostTenancyEndsOnce() {
        Tenancy tenancy = lend(parts.take(1000));
        assertTrue(blocks.lost(tenancy));
        assertFalse(blocks.lost(tenancy));
        assertEquals(0, parts.stats().leases());
        assertEquals(1024, parts.stats().droppedBytes());
    }

    @Test
    void oldLeaseIsSuspectAndDroppedMemoryCollectable() {
        Tenancy tenancy = lend(parts.take(1000));
        long began = tenancy.trace.nanoTime;
        assertFalse(blocks.hasSuspect(began + Healing.SUSPICIOUS_NANOS - 1));
        assertTrue(blocks.hasSuspect(began + Healing.SUSPICIOUS_NANOS));
        assertEquals(MAX - 1024, blocks.room());
        assertEquals(0, blocks.collectableBytes());
        assertTrue(blocks.lost(tenancy));
        assertFalse(blocks.hasSuspect(began + Healing.SUSPICIOUS_NANOS));
        assertEquals(1024, blocks.collectableBytes());
        assertNull(blocks.refusalByTheJvm());
    }

    @Test
    void memoryBeyondTheCapIsNotCharged() {
        Block block = blocks.beyond(2 * MAX);
        Tenancy tenancy = lend(block);
        assertEquals(1, parts.stats().leases());
        assertEquals(0, parts.stats().reservedBytes());
        release(tenancy);
        assertEquals(0, parts.stats().leases());
        assertEquals(Block.Place.GONE, block.place);
    }

    @Test
    void unpooledMemoryIsCreditedOnLeavingAside() {
        GuardParts unpooled = new GuardParts("unpooled", MAX);
        int row = unpooled.classes.count();
        Block block = unpooled.blocks.take(row, 1000, true);
        Tenancy tenancy = new Tenancy(null, block, 1000, unpooled.blocks.lend(block), new ReferenceQueue<>());
        unpooled.blocks.begin(tenancy);
        unpooled.blocks.takeBack(tenancy, block, false);
        assertEquals(1000, unpooled.budget.charged());
        unpooled.blocks.leaveOldest();
        assertEquals(0, unpooled.budget.charged());
        assertNotSame(block, unpooled.blocks.take(row, 1000, true));
    }

    @Test
    void closedPoolBeginsNothing() {
        Block block = parts.take(1000);
        parts.beginClose();
        Tenancy late = new Tenancy(null, block, 10, blocks.lend(block), new ReferenceQueue<>());
        assertFalse(blocks.begin(late));
        blocks.giveBack(block);
        assertEquals(1024, parts.stats().droppedBytes());
        assertTrue(blocks.isEmpty());
    }
}
