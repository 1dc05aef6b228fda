// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Logged;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The callback thread: one call at a time, in order, and none is forgotten as the thread comes or goes (C1 to C3 of {@link Callbacks}). */
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

    /** Whichever thread is the creator: no object of an application stays reachable through a thread of the library. */
    @Test
    void threadInheritsNothingFromItsCreator() throws Exception {
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        Thread[] made = new Thread[1];
        String[] seen = {"not run"};
        Thread maker = new Thread(new ThreadGroup("mine"), () -> {
            Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
            inherited.set("mine");
            made[0] = new DaemonThreads("made").newThread(() -> seen[0] = inherited.get());
        });
        maker.start();
        maker.join();
        assertEquals("made", made[0].getName());
        assertTrue(made[0].isDaemon());
        assertNull(made[0].getContextClassLoader());
        assertNull(made[0].getThreadGroup().getParent(), "the root group");
        assertFalse(made[0].isAlive(), "the caller starts it");
        made[0].start();
        made[0].join();
        assertNull(seen[0]);
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

    /** A thread that begins in a full heap and dies of it loses no callback. */
    @Tag("full")
    @Test
    void aThreadThatDiesOfAFullHeapIsReplaced() throws Exception {
        String said = Jvm.run(
                60, FullHeap.class, "-Xmx8m", "-XX:+UseSerialGC"); // a VarHandle call is linked when it first runs
        assertTrue(said.contains("called: true"), said);
    }

    static final class FullHeap {
        private static Object[] last;
        private static volatile boolean isFull;
        private static volatile boolean wasCalled;

        public static void main(String[] args) throws Exception {
            BufferPool.builder("full").max(2 << 20).build().close(); // initialises what a pool initialises
            Thread.sleep(50);
            Thread[] made = new Thread[1];
            Callbacks callbacks =
                    new Callbacks("full", task -> made[0] == null ? made[0] = first(task) : new Thread(task));
            Callbacks.Callback due = new Callbacks.Callback("it", () -> wasCalled = true);
            callbacks.add(due);
            waits(made[0]); // links what it does
            fill();
            isFull = true;
            waits(made[0]);
            last = null;
            for (int round = 0; round < 20 && !wasCalled; round++) {
                callbacks.start(); // as each round of maintenance does
                Thread.sleep(100);
            }
            System.out.println("called: " + wasCalled);
            System.exit(0);
        }

        /** For a while, or until it has ended; allocates nothing. */
        private static void waits(Thread thread) {
            long until = System.nanoTime() + 300_000_000;
            while (thread.isAlive() && System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
        }

        /** Runs it once the heap is full. */
        private static Thread first(Runnable task) {
            return new Thread(() -> {
                while (!isFull) {
                    Thread.onSpinWait();
                }
                task.run();
            });
        }

        private static void fill() {
            for (int size = 1 << 16; size >= 1; size = size == 1 ? 0 : size / 8) {
                try {
                    for (; ; ) {
                        Object[] next = new Object[size];
                        next[0] = last;
                        last = next;
                    }
                } catch (OutOfMemoryError e) {
                    // smaller ones then
                }
            }
        }
    }
}
