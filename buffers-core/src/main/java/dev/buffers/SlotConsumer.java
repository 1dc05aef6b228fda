package dev.buffers;

/** Takes the first {@code count} of {@code slots}, all free, from whoever held them. */
@FunctionalInterface
interface SlotConsumer {
    void accept(Slot[] slots, int count);
}
