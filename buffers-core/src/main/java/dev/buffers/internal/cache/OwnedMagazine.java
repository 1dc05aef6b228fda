// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import org.jspecify.annotations.Nullable;

/** The owner of a magazine, in a cache line that no hit writes: each thread that releases a lease from the magazine reads it. Any thread. */
abstract class OwnedMagazine {
    /** The thread whose magazine it is; null in a stripe, when that thread was found to have ended, and in a closed pool. */
    @Nullable Thread owner;

    OwnedMagazine(@Nullable Thread owner) {
        this.owner = owner;
    }

    /** A line between the owner and the fields of the subclass. HotSpot lays out a superclass first. */
    @SuppressWarnings("unused")
    abstract static class Padded extends OwnedMagazine {
        private int p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

        Padded(@Nullable Thread owner) {
            super(owner);
        }
    }
}
