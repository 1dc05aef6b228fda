// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.buffers.internal.signals.WaitQueue;
import org.junit.jupiter.api.Test;

/** Where a free slot goes, and which waiter free memory serves; the waiters are threads that do not run. */
class HandOffTest {
    private PoolParts parts = new PoolParts("heap-view", 64 << 10);
    private final Thread other = new Thread(() -> {});

    @Test
    void servePassesOverWaiterThatNothingSufficesFor() {
        parts.carve(32 << 10); // the only region, of two slots
        WaitQueue.Waiter tooLarge = parts.waiter(48 << 10, other);
        WaitQueue.Waiter fits = parts.waiter(32 << 10, other);
        parts.handOff.serve();
        assertNull(tooLarge.slot());
        assertNotNull(fits.slot());
    }
}
