package dev.buffers.internal.slab;

/** Takes the first {@code count} of {@code slots}, all free, over from the caller. */
@FunctionalInterface
public interface SlotConsumer {
    void accept(Slot[] slots, int count);
}
