package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeUpsTest {
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final BareOwner pool = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            callbacks().call(callback);
        }
    };
    private final WakeUps wakeUps = new WakeUps(pool);

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

    private static IntrusiveList<WaitQueue.Waiter> due(WaitQueue.Waiter... waiters) {
        IntrusiveList<WaitQueue.Waiter> due = new IntrusiveList<>();
        for (WaitQueue.Waiter waiter : waiters) {
            due.add(waiter.link);
        }
        return due;
    }

    @Test
    void allAreCalledInTheirOrder() {
        IntrusiveList<WaitQueue.Waiter> due = due(waiter("a"), waiter("b"));
        wakeUps.wake(due);
        assertEquals(List.of("a", "b"), called);
        assertTrue(due.isEmpty());
        wakeUps.wake(due);
        wakeUps.wake(waiter("c"));
        assertEquals(List.of("a", "b", "c"), called);
    }

    /** Nested calls would overflow the stack of a chain of wake-ups that each make room for the next. */
    @Test
    void whatAWakeUpMakesDueIsCalledAfterItAndNotWithinIt() {
        WaitQueue.Waiter second = waiter("second");
        wakeUps.wake(due(
                waiter("first", () -> {
                    wakeUps.wake(second);
                    called.add("first ends");
                }),
                waiter("third")));
        assertEquals(List.of("first", "first ends", "third", "second"), called);
    }

    @Test
    void aBatchCallsWhatBecameDueWhenItsWorkIsDone() {
        int answer = wakeUps.batch(() -> {
            wakeUps.wake(waiter("a"));
            wakeUps.batch(() -> {
                wakeUps.wake(waiter("b"));
                return 0;
            });
            called.add("work ends");
            return 7;
        });
        assertEquals(7, answer);
        assertEquals(List.of("work ends", "a", "b"), called);
    }

    @Test
    void aBatchThatFailsCallsThemToo() {
        assertThrows(
                IllegalStateException.class,
                () -> wakeUps.batch(() -> {
                    wakeUps.wake(waiter("a"));
                    throw new IllegalStateException("from the work");
                }));
        assertEquals(List.of("a"), called);
        wakeUps.wake(waiter("b"));
        assertEquals(List.of("a", "b"), called, "at once: the batch is over");
    }

    /** Without heap or stack to call one, the pool's own thread calls it and those behind it. */
    @Test
    void whatCannotBeCalledHereIsCalledLater() {
        StackOverflowError none = new StackOverflowError("on purpose");
        BareOwner failing = new BareOwner() {
            @Override
            public void call(Callbacks.Callback callback) {
                throw none;
            }
        };
        WakeUps without = new WakeUps(failing);
        assertThrows(StackOverflowError.class, () -> without.wake(due(waiter("a"), waiter("b"))));
        Eventually.holds("the rest is called", () -> called.contains("b"));
        failing.close();
    }
}
