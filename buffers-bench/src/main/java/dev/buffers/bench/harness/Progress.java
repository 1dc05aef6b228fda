// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

/** Follows a run, on the thread that it runs on. */
public interface Progress {
    /** A run that is not followed. */
    Progress NONE = new Progress() {};

    /** Begins something that takes a while. */
    default void doing(Comparison comparison, int round, String what) {}

    /** A pair has run a cell to its end. */
    default void measured(Comparison comparison, Journal.Measured measured) {}

    /** A comparison ends early. */
    default void failed(String failure) {}
}
