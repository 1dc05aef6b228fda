package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.internal.signals.Callbacks;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@link HandOff} calls the wake-ups that are due. */
class WakeUpsTest {
    private final PoolParts parts = new PoolParts("heap-view", 64 << 10);
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final BareOwner pool = new BareOwner() {
        @Override
        public void call(Callbacks.Callback callback) {
            callbacks().call(callback);
        }
    };
    private final HandOff handOff = handOff(pool);

    private HandOff handOff(BareOwner owner) {
        return new HandOff(owner, parts.classes, parts.regions, parts.slabs, parts.waitQueue);
    }

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

    private static void wake(HandOff by, WaitQueue.Waiter... waiters) {
        by.thenWake(due -> {
            for (WaitQueue.Waiter waiter : waiters) {
                due.add(waiter.link);
            }
        });
    }

    @Test
    void allAreCalledInTheirOrder() {
        wake(handOff, waiter("a"), waiter("b"));
        assertEquals(List.of("a", "b"), called);
        handOff.thenWake(due -> {});
        handOff.wake(waiter("c"));
        assertEquals(List.of("a", "b", "c"), called);
    }

    /** Nested calls would overflow the stack of a chain of wake-ups that each make room for the next. */
    @Test
    void whatAWakeUpMakesDueIsCalledAfterItAndNotWithinIt() {
        WaitQueue.Waiter second = waiter("second");
        wake(
                handOff,
                waiter("first", () -> {
                    handOff.wake(second);
                    called.add("first ends");
                }),
                waiter("third"));
        assertEquals(List.of("first", "first ends", "third", "second"), called);
    }

    @Test
    void aBatchCallsWhatBecameDueWhenItsWorkIsDone() {
        int answer = handOff.batch(() -> {
            handOff.wake(waiter("a"));
            handOff.batch(() -> {
                handOff.wake(waiter("b"));
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
                () -> handOff.batch(() -> {
                    handOff.wake(waiter("a"));
                    throw new IllegalStateException("from the work");
                }));
        assertEquals(List.of("a"), called);
        handOff.wake(waiter("b"));
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
        HandOff without = handOff(failing);
        assertThrows(StackOverflowError.class, () -> wake(without, waiter("a"), waiter("b")));
        Eventually.holds("the rest is called", () -> called.contains("b"));
        failing.close();
    }
}
