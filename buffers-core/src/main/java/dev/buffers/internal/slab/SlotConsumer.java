package dev.buffers.internal.slab;

/** Takes the first {@code count} of {@code slots}, all free, from whoever held them. */
@FunctionalInterface
public interface SlotConsumer {
    void accept(Slot[] slots, int count);
}
