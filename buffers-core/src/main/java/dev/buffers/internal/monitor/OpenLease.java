// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.internal.slab.AcquireTrace;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lease that was out when its pool was asked. Holds neither the lease nor its memory.
 *
 * @param pool the pool's name
 * @param capacity the bytes that it holds
 * @param trace null if none was kept
 */
public record OpenLease(String pool, int capacity, @Nullable AcquireTrace trace) {

    /** Its report, with its age at {@code now}, a {@link System#nanoTime}. */
    LeakReport report(boolean lost, long now) {
        return new LeakReport(pool, capacity, lost, Optional.ofNullable(trace).map(kept -> kept.acquisition(now)));
    }
}
