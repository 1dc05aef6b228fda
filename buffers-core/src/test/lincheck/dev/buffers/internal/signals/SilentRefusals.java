// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

/** Pools whose refusals are not logged: the log has a thread, and Lincheck knows no threads but the scenario's. */
public final class SilentRefusals {
    private SilentRefusals() {}

    public static void of(Refusals refusals) {
        refusals.refused.next.set(Long.MAX_VALUE / 2 + System.nanoTime());
    }
}
