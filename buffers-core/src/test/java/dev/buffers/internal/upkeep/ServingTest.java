// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.signals.WaitQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to a waiter when the search for it fails in the thread that serves it. */
class ServingTest {
    private final PoolParts parts = new PoolParts("heap-view", 64 << 10);

    /** Memory that cannot be searched. */
    private record Failing(boolean forHeap) implements Serving.Memory {
        @Override
        public WaitQueue.@Nullable Room findFor(WaitQueue.Waiter waiter, boolean may) {
            if (forHeap) {
                throw new OutOfMemoryError("scripted");
            }
            throw new StackOverflowError("scripted");
        }

        @Override
        public void handedOver(WaitQueue.Room memory, boolean inTurn) {}

        @Override
        public void takeBack(WaitQueue.@Nullable Room first) {
            assertNull(first);
        }

        @Override
        public void turnHasEnded() {}
    }

    /** It is the error of the thread that serves: full heap, or deep in its stack. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorOfThreadThatServesEndsNoWait(boolean forHeap) {
        WaitQueue.Waiter waiter = parts.waiter(4096, new Thread(() -> {}));
        new Serving(parts.owner, parts.waitQueue, new Budget(1), new Failing(forHeap)).serve(true);
        assertNull(waiter.failure());
        assertSame(waiter, parts.waitQueue.oldestAfter(-1));
        assertEquals(1, parts.waitQueue.size(), "the tick serves again");
    }
}
