// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import java.nio.ByteBuffer;

/** Memory that the collector has taken. */
public final class TakenMemory {
    private TakenMemory() {}

    /** Dropped memory of 0 bytes: the next look at dropped memory calls {@code owner}, which the caller keeps reachable. */
    public static void add(Budget budget, Footprint.Owner owner) {
        Footprint empty = new Footprint(ByteBuffer.allocate(0), 0, null, owner);
        budget.track(empty);
        budget.drop(empty);
        empty.clear(); // as the collector does
    }
}
