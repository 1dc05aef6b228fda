// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.support.BareOwner;
import dev.buffers.support.Kind;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** {@code PolicyFaultsTest} has every fault. */
class PolicyMemoryTest {
    private final BareOwner owner = new BareOwner();

    @Test
    void policyKeepsNoBufferOfTheMemory() {
        ByteBuffer theirs = ByteBuffer.allocate(100);
        ByteBuffer ours = PolicyMemory.allocate(owner, Kind.own(false, true, bytes -> theirs), 100);
        assertNotSame(theirs, ours);
        assertSame(theirs.array(), ours.array());
    }
}
