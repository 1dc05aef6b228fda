// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeUpCallsTest {
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final BareOwner pool = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            callbacks().call(callback);
        }
    };
    private final WaitQueue wakeUps = new WaitQueue(pool, 1);

    @AfterEach
    void free() {
        pool.close();
    }

    private WaitQueue.Waiter waiter(String name) {
        return waiter(name, () -> {});
    }

    private WaitQueue.Waiter waiter(String name, Runnable more) {
        return new WaitQueue.Waiter(1, 0, () -> {
            called.add(name);
            more.run();
        });
    }

    private static void call(WaitQueue by, WaitQueue.Waiter... waiters) {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        for (WaitQueue.Waiter waiter : waiters) {
            due.add(waiter.link);
        }
        by.call(due);
        assertTrue(due.isEmpty());
    }

    /** Nested calls would overflow the stack of a chain of wake-ups that each make room for the next. */
    @Test
    void nestedWakeUpIsCalledAfterOuterWakeUp() {
        call(
                wakeUps,
                waiter("first", () -> {
                    call(wakeUps, waiter("second"));
                    called.add("first ends");
                }),
                waiter("third"));
        assertEquals(List.of("first", "first ends", "third", "second"), called);
    }

    /** Without heap or stack to call one, the pool's callback thread calls the others. */
    @Test
    void wakeUpsThatCannotBeCalledAreCalledByCallbackThread() {
        StackOverflowError none = new StackOverflowError("on purpose");
        BareOwner failing = new BareOwner() {
            @Override
            public void call(Callbacks.Callback callback) {
                throw none;
            }
        };
        WaitQueue without = new WaitQueue(failing, 1);
        assertThrows(StackOverflowError.class, () -> call(without, waiter("a"), waiter("b")));
        Eventually.holds("the rest is called", () -> called.contains("b"));
        failing.close();
    }
}
