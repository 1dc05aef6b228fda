// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.pool.PoolParts;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.support.Eventually;
import dev.buffers.support.Explicit;
import dev.buffers.support.Kind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which waiters a thread looks for memory for, and what follows when it finds none or fails. */
class ServingTest {
    private static final int SIZE = 4096;

    /** Memory of which there is none. Each look for it is passed on. */
    private record None(BiConsumer<WaitQueue.Waiter, Boolean> look) implements Serving.Memory {
        @Override
        public WaitQueue.@Nullable Room findFor(WaitQueue.Waiter waiter, boolean may) {
            look.accept(waiter, may);
            return null;
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

    private static void serve(PoolParts parts, boolean wakes, Serving.Memory memory, boolean allocatesForWakeUps) {
        new Serving(parts.owner, parts.waitQueue, new Budget(1 << 20), memory, allocatesForWakeUps).serve(wakes);
    }

    /** It is the error of the thread that serves: full heap, or deep in its stack. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorOfThreadThatServesEndsNoWait(boolean forHeap) {
        PoolParts parts = new PoolParts("heap-view", 64 << 10);
        WaitQueue.Waiter waiter = parts.waiter(SIZE, new Thread(() -> {}));
        None memory = new None((its, may) -> {
            throw forHeap ? new OutOfMemoryError("scripted") : new StackOverflowError("scripted");
        });
        serve(parts, true, memory, true);
        assertNull(waiter.failure());
        assertSame(waiter, parts.waitQueue.oldestAfter(-1));
        assertEquals(1, parts.waitQueue.size(), "the tick serves again");
    }

    /** Else a wake-up that tries again and again would do so as fast as the callback thread can call it, while the JVM has no memory. */
    @Test
    void callbackThreadLeavesWakeUpsThatNeedNoPolicy() {
        ExplicitSettings settings =
                new Explicit().policy(Kind.own(ByteBuffer::allocate)).max(1 << 20);
        PoolParts parts = new PoolParts(settings);
        parts.waitQueue.add(new WaitQueue.Waiter(2 * SIZE, parts.classes.classOf(2 * SIZE), () -> {}));
        parts.waiter(SIZE, new Thread(() -> {}));
        List<String> asked = new CopyOnWriteArrayList<>();
        serve(parts, false, new None((waiter, may) -> asked.add(waiter.isThread() + ", " + may)), false);
        Eventually.holds("the callback thread looks too", () -> asked.contains("true, true"));
        assertEquals(List.of("true, false", "true, true"), asked);
    }
}
