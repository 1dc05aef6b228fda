// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Eventually;
import dev.buffers.support.Logged;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The callback thread: one call at a time, in order, and none is forgotten as the thread comes or goes (C1 to C3 of {@link Callbacks}). */
@Timeout(120)
class CallbacksThreadTest {

    /** Makes threads, when any are available. */
    private static final class Scarce implements ThreadFactory {
        private final DaemonThreads threads = new DaemonThreads("buffers-callbacks-test");
        private final AtomicInteger refusals;
        private volatile Thread last;

        Scarce(int refusals) {
            this.refusals = new AtomicInteger(refusals);
        }

        @Override
        public Thread newThread(Runnable task) {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            last = threads.newThread(task);
            return last;
        }
    }

    @Test
    void withoutAThreadNothingIsForgotten() {
        ConcurrentLinkedQueue<Integer> called = new ConcurrentLinkedQueue<>();
        Callbacks callbacks = new Callbacks("test", new Scarce(4));
        assertTrue(callbacks.start()); // for nothing
        for (int i = 0; i < 3; i++) {
            int n = i;
            callbacks.add(new Callbacks.Callback("a test", () -> called.add(n)));
        }
        assertFalse(callbacks.start());
        assertEquals(List.of(), List.copyOf(called));
        assertTrue(callbacks.start());
        Eventually.holds("all are called", () -> called.size() == 3);
        assertEquals(List.of(0, 1, 2), List.copyOf(called));
    }

    /** The interrupted thread ends at once when nothing is due, so callbacks are added while it ends. */
    @Tag("full")
    @Test
    void callbackAddedWhileThreadEndsIsCalled() {
        Scarce threads = new Scarce(0);
        Callbacks callbacks = new Callbacks("test", threads);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger called = new AtomicInteger();
        for (int i = 0; i < 4_000; i++) {
            int n = i;
            callbacks.add(new Callbacks.Callback("a test", () -> {
                if (inside.getAndIncrement() == 0 && called.get() == n) {
                    called.incrementAndGet();
                }
                inside.decrementAndGet();
            }));
            threads.last.interrupt();
            if (n % 3 == 0) {
                Eventually.holds("it is called", () -> called.get() == n + 1);
            }
        }
        Eventually.holds("all are called, one at a time, in their order", () -> called.get() == 4_000);
    }

    @Test
    void runningCallbackCanBeAddedAgain() {
        Callbacks callbacks = new Callbacks("test", new Scarce(0));
        AtomicInteger called = new AtomicInteger();
        Callbacks.Callback[] again = new Callbacks.Callback[1];
        again[0] = new Callbacks.Callback("a test", () -> {
            if (called.incrementAndGet() < 1000) {
                callbacks.add(again[0]);
                throw new StackOverflowError("from the callback");
            }
        });
        try (Logged quiet = new Logged("test")) {
            callbacks.add(again[0]);
            Eventually.holds("each time", () -> called.get() == 1000);
            assertEquals(999, quiet.lines("a test has thrown: pool=test").size());
        }
    }
}
