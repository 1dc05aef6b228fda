// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code preallocate} keeps is for policies that cut views. */
class PreallocateTest {

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct"})
    void freeBuffersOfOneSizeDoNotShutOutAnotherForEver(String policy) {
        DirectRoom.make();
        try (BufferPool pool = BufferPool.builder("kept")
                .policy(policy)
                .max(1 << 20)
                .preallocate(1 << 20)
                .build()) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (PooledBuffer lease = pool.tryAcquire(4096); lease != null; lease = pool.tryAcquire(4096)) {
                leases.add(lease);
            }
            leases.forEach(PooledBuffer::release);
            Eventually.collected("another size can be had", () -> {
                PooledBuffer other = pool.tryAcquire(8192);
                return other != null && other.release();
            });
            Conservation.check(pool);
        }
    }
}
