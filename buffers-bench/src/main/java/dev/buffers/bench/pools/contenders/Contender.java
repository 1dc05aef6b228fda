// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;

/**
 * The interface that the workloads drive: a source of buffers behind a neutral seam. A lease is of the contender's own type, and its bytes
 * are touched by that type's own methods, as its users do. One fork has one contender, so that every call site sees one class and all of
 * it can be inlined.
 */
public interface Contender extends AutoCloseable {

    /** Acquires room for at least {@code size} bytes; the result is passed to {@link #release} once, perhaps by another thread. */
    Object acquire(int size);

    /** The buffer of a lease. Where a lease has none, the contender has its own {@link #put} and {@link #get}. */
    default ByteBuffer buffer(Object lease) {
        return (ByteBuffer) lease;
    }

    default void put(Object lease, int index, byte value) {
        buffer(lease).put(index, value);
    }

    default byte get(Object lease, int index) {
        return buffer(lease).get(index);
    }

    void release(Object lease);

    /** Acquires, touches one byte, releases: the lease, if there is one, does not leave this method. */
    default int cycle(int size) {
        Object lease = acquire(size);
        put(lease, 0, (byte) size);
        release(lease);
        return size;
    }

    /** Bytes of buffers that the contender keeps from the system now: by its own count, or by the JVM's where it does not count. */
    long keptBytes();

    /** Shows its figures in a registry; who has no meters says so. */
    default void showIn(MeterRegistry registry) {
        throw new IllegalStateException("has no meters: contender=" + getClass().getSimpleName());
    }

    /** Ends it; what counts its leases checks that nothing is out any more. */
    @Override
    default void close() {}
}
