// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Eventually;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FootprintTest {
    private final Budget budget = new Budget(1000);

    private Footprint tracked(ByteBuffer memory, Footprint.Owner owner) {
        assertTrue(budget.tryCharge(memory.capacity()));
        Footprint it = new Footprint(memory, memory.capacity(), null, owner);
        budget.track(it);
        return it;
    }

    private static ByteBuffer memory(boolean direct) {
        return direct ? ByteBuffer.allocateDirect(100) : ByteBuffer.allocate(100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void viewHoldsTheMemoryAndTheFootprintDoesNot(boolean direct) {
        ByteBuffer memory = memory(direct);
        ByteBuffer view = memory.slice();
        Footprint it = tracked(memory, null);
        memory = null;
        System.gc();
        assertEquals(100, it.memory().capacity());
        Reference.reachabilityFence(view);
        view = null;
        Eventually.collected("its bytes are credited", () -> budget.creditAll() == 100);
        assertNull(it.memory());
        assertEquals(0, budget.charged());
    }

    @Test
    void itsOwnerIsToldOnceBeforeTheCredit() {
        List<Long> charged = new ArrayList<>();
        Footprint.Owner owner = it -> charged.add(budget.charged());
        Footprint it = tracked(memory(false), owner);
        assertTrue(budget.end(it));
        assertFalse(budget.end(it));
        assertEquals(List.of(100L), charged);
        assertEquals(0, budget.charged());
        Reference.reachabilityFence(owner);
    }
}
