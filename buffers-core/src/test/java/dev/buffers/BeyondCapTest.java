// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.Threads;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool with {@code at-limit=unpooled} refuses nothing, whatever other threads take back. */
class BeyondCapTest {
    private static final int MAX = 64 << 10;

    @Tag("full")
    @Test
    void trimTakesNoMemoryFromAcquireBeyondTheCap() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (BufferPool pool = BufferPool.builder("beyond")
                .policy("heap-view")
                .max(MAX)
                .regionSize(MAX)
                .maxSize(4096)
                .atLimit(Exhaustion.unpooled())
                .build()) {
            PooledBuffer all = pool.acquire(MAX);
            Threads.together(List.of(
                    () -> {
                        try {
                            for (int i = 0; i < 100_000; i++) {
                                pool.acquire(1000).release();
                            }
                        } finally {
                            done.set(true);
                        }
                    },
                    () -> {
                        while (!done.get()) {
                            pool.trim();
                        }
                    }));
            all.release();
            assertEquals(0, Conservation.check(pool).acquires(AcquireOutcome.REJECTED));
        }
    }
}
