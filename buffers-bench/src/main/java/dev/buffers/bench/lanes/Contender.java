package dev.buffers.bench.lanes;

import java.nio.ByteBuffer;

/**
 * What the lanes drive: a source of buffers behind a neutral seam. One fork has one contender, so that every call site sees
 * one class and all of it can be inlined.
 */
interface Contender extends AutoCloseable {
    /** Acquires, touches one byte, releases: the lease, if there is one, does not leave this method. */
    int cycle(int size);

    /** Acquires; what is returned is given to {@link #release} once, perhaps by another thread. */
    Object acquire(int size);

    ByteBuffer buffer(Object lease);

    void release(Object lease);

    /** Bytes that the contender keeps from the system now, by its own count; -1 when it cannot tell. */
    default long keptBytes() {
        return -1;
    }

    /** A check that the work was done: nothing is out any more. */
    default void checkQuiet() {}

    @Override
    void close();
}
