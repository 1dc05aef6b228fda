// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A workload notices a pool that gives the same memory to two at once. */
class WindowBenchmarkTest {
    @Test
    void sharedMemoryIsNoticed() {
        ContenderState state = new ContenderState();
        state.source = new SameForAll();
        WindowBenchmark window = new WindowBenchmark();
        window.fill(state);
        window.window(state);
        assertThrows(IllegalStateException.class, () -> window.drain(state));
    }
}
