// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

/** The outcome of a release. */
public enum ReleaseOutcome {
    /** The last lease ended, and the memory went back. */
    RECYCLED,
    /** The last lease ended, and the memory is never used again. */
    DISCARDED,
    /** Refused: that lease had already ended. */
    INVALID
}
