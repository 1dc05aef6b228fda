// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Kind;
import dev.buffers.support.TrimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots that virtual threads left in their stripes go back in time, without any further call (I9). */
@Tag("virtual")
class TrimStripesTest {

    @ParameterizedTest
    @ValueSource(strings = {"heap-view", "heap"})
    void unusedStripesAreEmptied(String policy) throws Exception {
        try (BufferPool pool =
                new Kind(policy).builder("stripes").max(128 << 20).build()) {
            List<Future<?>> results = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 1000; i++) {
                    results.add(threads.submit(() -> {
                        List<PooledBuffer> leases = new ArrayList<>();
                        for (int j = 0; j < 8; j++) {
                            leases.add(pool.acquire(j % 2 == 0 ? 4096 : 16 << 10));
                            Thread.yield();
                        }
                        leases.forEach(PooledBuffer::release);
                    }));
                }
            }
            for (Future<?> result : results) {
                result.get();
            }
            assertTrue(Conservation.check(pool).reservedBytes() > 0);
            new TrimTime(pool).seconds(25);
            assertEquals(0, Conservation.check(pool).reservedBytes());
        }
    }
}
