package dev.buffers.internal.slab;

import org.jspecify.annotations.Nullable;

/** Takes free slots of one class, linked by {@link Slot#next}, over from the caller. */
@FunctionalInterface
public interface SlotConsumer {
    void accept(@Nullable Slot first);
}
