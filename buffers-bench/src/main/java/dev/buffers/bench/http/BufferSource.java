// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import java.util.Optional;

/**
 * Where a server's buffers come from: the pool, or a rival that has no cap and counts nothing. Threads may share it.
 *
 * <p>This is the one seam of the server. What stands behind it for the pool is what a user would write without it.
 */
public interface BufferSource extends AutoCloseable {

    /** Bytes in each buffer of every source. */
    int BUFFER_SIZE = 8192;

    /** Buffers for one connection. */
    ConnectionBuffers connection();

    /** Runs {@code wake} once when a buffer is available, on the thread that made room, or at once on this one. */
    default void whenAvailable(Runnable wake) {
        wake.run();
    }

    /** Hands a wake-up that found nothing to do to the next waiter. */
    default void passOn() {}

    /** The pool behind this source, which knows the open leases; a rival has no pool. */
    default Optional<BufferPool> pool() {
        return Optional.empty();
    }

    @Override
    default void close() {}
}
