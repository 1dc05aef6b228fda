// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.signals.WaitQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a free slot goes, and which waiter free memory serves; the waiters are threads that do not run. */
class HandOffTest {
    private static final int SIZE = 4096;

    private PoolParts parts = new PoolParts("heap-view", 64 << 10);
    private final Thread other = new Thread(() -> {});

    /** It is the error of the thread that serves, deep in its stack or with a full heap. The tick serves again. */
    @ParameterizedTest
    @ValueSource(classes = {StackOverflowError.class, OutOfMemoryError.class})
    void errorOfThreadThatServesEndsNoOtherWait(Class<? extends Error> type) throws Exception {
        Error error = type.getDeclaredConstructor(String.class).newInstance("scripted");
        WaitQueue.Waiter waiter = parts.waiter(SIZE, other);
        HandOff failing = parts.handOffFrom((its, may) -> {
            throw error;
        });
        failing.serve();
        assertNull(waiter.failure());
        assertSame(waiter, parts.waitQueue.oldestAfter(-1));
    }

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
