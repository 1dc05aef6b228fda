// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

/** Where an acquire found its memory. */
public enum AcquireOutcome {
    /** In the buffers that came back to the channel that asked. */
    CHANNEL,
    /** In the thread's own magazine, or for a virtual thread in the one it claimed. */
    THREAD,
    /** In the free slots that all threads share, or that other threads had cached. */
    DEPOT,
    /** In a slab that was just cut for this size. Of several acquires that waited for that slab only the first counts here. */
    CARVED,
    /** In a separate region, because the size exceeds the largest size class. */
    OVERSIZE,
    /** In plain heap memory: the policy {@code unpooled}, or {@code at-limit=unpooled} at the cap. */
    UNPOOLED,
    /** Nowhere: it was refused at the cap. */
    REJECTED
}
