// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import org.jspecify.annotations.Nullable;

/** Takes over from the caller free slots of one class, linked by {@link Slot#next}. */
@FunctionalInterface
public interface SlotConsumer {
    void accept(@Nullable Slot first);
}
