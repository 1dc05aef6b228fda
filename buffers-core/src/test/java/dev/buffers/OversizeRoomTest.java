// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Free memory that is not where it is needed (I5). */
class OversizeRoomTest {
    /** Regions too small for a request are given up for it, as they are for a size class. */
    @Test
    void unusedRegionsMakeRoomForAnOversizeRequest() {
        try (BufferPool pool =
                new Kind("heap-view").builder("moving").max(8 << 20).build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < (8 << 20) / 4096; i++) {
                leases.add(pool.acquire(4096));
            }
            leases.forEach(PooledBuffer::release);
            Eventually.collected("an oversize request is served from a pool that is all free", () -> {
                PooledBuffer lease = pool.tryAcquire(4 << 20);
                return lease != null && lease.release();
            });
            assertEquals(0, Conservation.check(pool).leases());
        }
    }
}
