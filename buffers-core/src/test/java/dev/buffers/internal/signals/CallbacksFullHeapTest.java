// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.Jvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** C3 of {@link Callbacks}: a thread that begins in a full heap and dies of it loses no callback. */
@Tag("full")
class CallbacksFullHeapTest {

    @Test
    void aThreadThatDiesOfAFullHeapIsReplaced() throws Exception {
        String said =
                Jvm.run(60, Main.class, "-Xmx8m", "-XX:+UseSerialGC"); // a VarHandle call is linked when it first runs
        assertTrue(said.contains("called: true"), said);
    }

    static final class Main {
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
