// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BlockAllocatorTest {
    private static final int MAX = 64 << 10;

    private final GuardParts parts = new GuardParts("heap-view", MAX);
    private final BlockAllocator allocator = new BlockAllocator(parts, parts.budget);

    @Test
    void chargeBeyondTheCapIsRefusedWithItsReason() {
        assertEquals("nothing was refused", allocator.refusal());
        assertTrue(allocator.charge(MAX));
        assertFalse(allocator.charge(1));
        assertEquals("the cap is reached", allocator.refusal());
        assertFalse(allocator.wasRefusedByTheJvm());
        assertEquals(MAX, parts.budget.charged());
    }

    @Test
    void fencesAreOutsideTheCharge() {
        Block block = new Block(0, 128);
        assertTrue(allocator.charge(128));
        ByteBuffer view = allocator.allocate(block, footprint -> {});
        assertEquals(128, view.capacity());
        assertEquals(128 + 2 * Block.FENCE, view.array().length);
        assertEquals(128, parts.budget.charged());
        assertTrue(block.isCharged());
    }

    @Test
    void memoryBeyondTheCapHasNoCharge() {
        Block block = allocator.beyond(0, 2 * MAX);
        assertFalse(block.isCharged());
        assertEquals(2 * MAX, block.capacity);
        assertEquals(0, parts.budget.charged());
    }
}
