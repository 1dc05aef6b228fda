// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import java.net.URI;
import java.util.Collection;
import java.util.List;

/** A framework's server that runs on our pool, as its test hands it to the contract. */
public interface ServerUnderTest extends AutoCloseable {
    /** Where it listens in the clear: {@code http://127.0.0.1:<port>}. */
    URI http();

    /** Where it listens with TLS: {@code https://127.0.0.1:<port>}; speaks HTTP/2 too if the test is an {@link Http2Contract}. */
    URI https();

    /** Every pool that it takes buffers from. The contract expects each to be used, and closes them at the end. */
    List<BufferPool> pools();

    /**
     * Leases that were lost by a fault of the framework's, which loses them from its own pool too, as a test of the framework's shows. No
     * other may be lost. {@code BufferPool.Builder.onLeak} tells of lost leases, and with {@code leaks=all} where they were acquired.
     */
    default Collection<LeakReport> forgotten() {
        return List.of();
    }

    /**
     * Whether this lease is one of those that the framework forgets: its connection may still hold it while it is open, as one of HTTP/2
     * that has forgotten a stream.
     */
    default boolean forgets(LeakReport lease) {
        return false;
    }

    /** Stops it and returns when it has; a second call does nothing. Its pools stay open. */
    void stop() throws Exception;

    /** Stops it and closes its pools, so that a test that fails leaves nothing for the next one. */
    @Override
    default void close() {
        try {
            stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server does not stop", e);
        } finally {
            pools().forEach(BufferPool::close);
        }
    }
}
