// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.upkeep.Healing;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
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
    void oldestLeaveFirstAndAnEighthIsAside() {
        byte[] first = released(1000);
        for (int i = 0; i < 8; i++) {
            released(1000);
        }
        assertSame(first, memory(parts.take(1000)));
        assertNull(blocks.take(1024, 1024, 0));
    }

    @Test
    void smallestLargerBlockServesAPart() {
        List<byte[]> released = List.of(released(8192), released(4096));
        assertTrue(blocks.leaveOldest()); // the first has left, since an eighth of the cap is aside
        assertNull(blocks.take(1024, 1024, 0));
        Block block = blocks.takeLarger(1024, 0);
        assertEquals(4096, block.bytes());
        Tenancy tenancy = parts.lend(block);
        assertEquals(1024, parts.stats().leasedBytes());
        assertEquals(3072, parts.stats().uncarvedBytes());
        assertEquals(8192, parts.stats().droppedBytes());
        release(tenancy);
        assertEquals(4096, parts.stats().cachedBytes());
        assertEquals(8192, blocks.takeLarger(1024, 0).bytes());
        Reference.reachabilityFence(released);
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
    void unpooledMemoryIsCreditedOnLeavingAside() {
        GuardParts unpooled = new GuardParts("unpooled", MAX);
        Tenancy tenancy = unpooled.lend(unpooled.blocks.charge(1000, 0));
        assertEquals(1000, unpooled.stats().leasedBytes());
        assertTrue(unpooled.blocks.takeBack(tenancy, tenancy.block, false));
        assertEquals(1000, unpooled.budget.charged());
        assertEquals(1000, unpooled.stats().uncarvedBytes());
        unpooled.blocks.leaveOldest();
        assertEquals(0, unpooled.budget.charged());
        assertNull(unpooled.blocks.take(1000, 1000, 0));
        assertEquals(0, unpooled.stats().droppedBytes());
    }
}
