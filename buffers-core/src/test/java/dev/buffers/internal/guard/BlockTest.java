// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTest {
    private static final int SIZE = 10_240;

    private final GuardParts parts = new GuardParts("heap-view", 64 << 10);
    private final RegionAllocator regions =
            new RegionAllocator(parts, BuiltInPolicy.HEAP_VIEW, new Budget(SIZE), false, 2 * Block.FENCE);
    private final Region region = Objects.requireNonNull(regions.allocate(SIZE, 1));
    private final Block block = new Block(SIZE).in(region);
    private final ByteBuffer base = ByteBuffer.wrap(block.view().array());

    @ParameterizedTest
    @CsvSource({"-64", "-1", "0", "63"})
    void writeToEachEndOfBothFencesIsFound(int at) {
        byte[] array = block.view().array();
        assertEquals(Block.NOWHERE, block.overrunAt());
        array[Block.FENCE + (at < 0 ? at : SIZE + at)] = 1;
        assertEquals(at, block.overrunAt());
    }

    @ParameterizedTest
    @ValueSource(ints = {-Block.FENCE, 0, 4095, 4096, SIZE - 1, SIZE + Block.FENCE - 1})
    void writeToAnyByteOfPoisonIsFoundOnce(int at) {
        block.view().put(17, (byte) 1);
        assertEquals(Block.NOWHERE, block.changedAt(), "not poisoned yet");
        block.poison(parts.tenancy(SIZE));
        assertEquals(Block.NOWHERE, block.changedAt());
        base.put(Block.FENCE + at, (byte) 1);
        assertEquals(at, block.changedAt());
        assertEquals(Block.NOWHERE, block.changedAt());
    }

    @Test
    void partOfLargerBlockHasItsOwnFences() {
        block.capacity = 100;
        ByteBuffer view = block.view();
        assertEquals(100, view.capacity());
        view.array()[view.arrayOffset() + 100] = 1;
        assertEquals(0, block.overrunAt());
    }

    @Test
    void droppedMemoryKnowsItsLastTenancyWhenAdopted() {
        Tenancy last = parts.tenancy(SIZE);
        block.poison(last);
        base.put(Block.FENCE + 3, (byte) 1);
        block.forget();
        regions.drop(region);
        assertFalse(block.hasMemory());
        Block adopted = new Block(SIZE).in(Objects.requireNonNull(regions.adopt(SIZE, SIZE)));
        assertSame(last, adopted.last);
        assertEquals(3, adopted.changedAt());
        assertSame(base.array(), adopted.view().array());
    }
}
