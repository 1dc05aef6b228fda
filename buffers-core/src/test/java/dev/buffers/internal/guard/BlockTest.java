// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.Footprint;
import dev.buffers.support.Eventually;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTest {
    private static final int SIZE = 10_240;

    private final ByteBuffer base = ByteBuffer.allocate(SIZE + 2 * Block.FENCE);
    private final Block block = new Block(0, SIZE);

    BlockTest() {
        block.allocated(base, Block.FENCE);
    }

    @Test
    void viewCannotReachTheFences() {
        ByteBuffer view = block.view();
        assertEquals(SIZE, view.capacity());
        assertEquals(Block.FENCE, view.arrayOffset());
        assertEquals((byte) 0xCA, base.get(Block.FENCE - 1));
        assertEquals((byte) 0xCA, base.get(Block.FENCE + SIZE));
    }

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
        block.poison(GuardParts.tenancy(SIZE));
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
    void zeroReachesTheCapacity() {
        ByteBuffer view = block.view();
        view.put(SIZE - 1, (byte) 1).put(0, (byte) 1);
        Block.zero(view);
        assertEquals(0, view.get(SIZE - 1) + view.get(0));
    }

    @Test
    void droppedMemoryIsAdoptedWhileReachable() {
        block.charged(base, null, new Budget(SIZE), gone -> {});
        block.forget();
        assertFalse(block.hasMemory());
        assertTrue(block.adopt());
        assertSame(base.array(), block.view().array());
        Reference.reachabilityFence(base);
    }

    @Test
    void collectedMemoryIsCreditedOnce() {
        Budget budget = new Budget(1000);
        List<Footprint> gone = new ArrayList<>();
        Footprint.Owner owner = gone::add;
        assertTrue(budget.tryCharge(600));
        Block dropped = droppedBlock(budget, owner);
        Eventually.collected("its bytes are credited", () -> {
            budget.collect(0);
            return budget.charged() == 0;
        });
        Block.Charge charge = Objects.requireNonNull(dropped.charge());
        assertEquals(List.of(charge), gone);
        assertSame(dropped, charge.block());
        assertFalse(dropped.adopt());
        assertFalse(budget.end(charge));
        assertEquals(0, budget.charged());
        Reference.reachabilityFence(owner);
    }

    private static Block droppedBlock(Budget budget, Footprint.Owner owner) {
        Block block = new Block(0, 600);
        ByteBuffer memory = ByteBuffer.allocate(600);
        block.allocated(memory, 0);
        block.charged(memory, null, budget, owner);
        block.forget();
        return block;
    }

    @Test
    void forgottenBlockIsCreditedToo() {
        Budget budget = new Budget(1000);
        assertTrue(budget.tryCharge(600));
        droppedBlock(budget, gone -> {});
        Eventually.collected("its bytes are credited", () -> {
            budget.collect(0);
            return budget.charged() == 0;
        });
    }
}
