// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.upkeep.Healing;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockStoreTest {
    private static final int MAX = 64 << 10;

    private final GuardParts parts = new GuardParts("heap-view", MAX);
    private final BlockStore blocks = parts.blocks;

    private void release(Tenancy tenancy) {
        assertTrue(blocks.takeBack(tenancy, tenancy.block, false));
    }

    /** Memory that is aside or dropped; the collector takes it once the test forgets it. */
    private byte[] released(int size) {
        Block block = parts.take(size);
        Tenancy tenancy = parts.lend(block);
        byte[] memory = memory(block);
        release(tenancy);
        return memory;
    }

    private static byte[] memory(Block block) {
        return block.view().array();
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
        assertFalse(blocks.regions.isAtDirectLimit());
        assertEquals(MAX, parts.budget.charged());
    }

    @Test
    void fencesAreOutsideTheCharge() {
        ByteBuffer view = parts.view(parts.take(128));
        assertEquals(128, view.capacity());
        assertEquals(128 + 2 * Block.FENCE, view.array().length);
        assertEquals(128, parts.budget.charged());
    }

    @Test
    void memoryOfFailedAcquireIsDroppedAtOnce() {
        Block block = parts.take(1000);
        byte[] memory = parts.view(block).array();
        blocks.giveBack(block);
        assertEquals(0, parts.stats().cachedBytes());
        assertEquals(1024, parts.stats().droppedBytes());
        assertEquals(1024, parts.budget.charged());
        assertSame(memory, parts.view(parts.take(1000)).array());
    }

    @Test
    void lateWriteIsStillFoundWhenBlockWasTakenAndNotLent() {
        byte[] memory = released(1000);
        assertTrue(blocks.leaveOldest());
        memory[Block.FENCE + 17] = 1;
        blocks.giveBack(parts.take(1000));
        assertEquals(1024, parts.stats().droppedBytes());
        assertEquals(17, parts.take(1000).changedAt());
        Reference.reachabilityFence(memory);
    }

    @Test
    void releasedMemoryIsLentOnlyAfterLeavingAside() {
        byte[] memory = released(1000);
        assertEquals(1024, parts.stats().cachedBytes());
        assertFalse(parts.take(1000).hasMemory());
        assertTrue(blocks.leaveOldest());
        assertEquals(1024, parts.stats().droppedBytes());
        assertSame(memory, memory(parts.take(1000)));
        assertFalse(blocks.leaveOldest());
    }

    @Test
    void oldestLeaveFirstAndAnEighthIsAside() {
        byte[] first = released(1000);
        for (int i = 0; i < 8; i++) {
            released(1000);
        }
        assertSame(first, memory(parts.take(1000)));
        assertNull(blocks.take(1024, 1024));
    }

    @Test
    void oldestDroppedMemoryIsLentFirst() {
        List<byte[]> released = List.of(released(1000), released(1000), released(1000));
        assertEquals(3 * 1024, blocks.dropIdle(System.nanoTime()));
        for (byte[] memory : released) {
            assertSame(memory, memory(parts.take(1000)));
        }
    }

    @Test
    void dropIdleCountsBytesThatLeaveAside() {
        long before = System.nanoTime();
        List<byte[]> released = List.of(released(1000), released(1000));
        assertEquals(0, blocks.dropIdle(before - 1));
        assertTrue(blocks.leaveOldest());
        assertEquals(1024, blocks.dropIdle(System.nanoTime()));
        assertEquals(0, blocks.dropIdle(System.nanoTime()));
        assertEquals(2048, parts.stats().droppedBytes());
        assertEquals(2048, parts.budget.charged());
        Reference.reachabilityFence(released);
    }

    @Test
    void smallestLargerBlockServesAPart() {
        List<byte[]> released = List.of(released(8192), released(4096));
        assertTrue(blocks.leaveOldest()); // the first has left, since an eighth of the cap is aside
        assertNull(blocks.take(1024, 1024));
        Block block = blocks.takeLarger(1024);
        assertEquals(4096, block.bytes());
        Tenancy tenancy = parts.lend(block);
        assertEquals(1024, parts.stats().leasedBytes());
        assertEquals(3072, parts.stats().uncarvedBytes());
        assertEquals(8192, parts.stats().droppedBytes());
        release(tenancy);
        assertEquals(4096, parts.stats().cachedBytes());
        assertEquals(8192, blocks.takeLarger(1024).bytes());
        Reference.reachabilityFence(released);
    }

    @Test
    void exactPolicyLendsNoPart() {
        GuardParts exact = new GuardParts("heap", MAX);
        Block block = exact.take(4096);
        byte[] memory = exact.view(block).array();
        assertEquals(4096, memory.length);
        exact.blocks.giveBack(block);
        assertNull(exact.blocks.takeLarger(128));
        assertSame(memory, memory(exact.blocks.takeLarger(4096)));
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
        Tenancy never = new Tenancy(parts, block, 10, parts.view(block), new ReferenceQueue<>());
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
        Tenancy late = new Tenancy(parts, block, 10, parts.view(block), new ReferenceQueue<>());
        assertFalse(blocks.begin(late));
        blocks.giveBack(block);
        assertEquals(1024, parts.stats().droppedBytes());
        assertTrue(blocks.isEmpty());
    }
}
