// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

/**
 * How the code that is measured stands to its caller. What a loop over a buffer costs depends more on how its caller was compiled than on
 * the memory, so that each is measured in both.
 */
public enum Shape {
    /** Part of the caller, where the compiler can see where the buffer comes from. */
    inlined,
    /** A separate method, which is given the buffer. */
    called
}
