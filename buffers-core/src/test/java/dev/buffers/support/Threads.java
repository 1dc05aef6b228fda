// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** Runs things on other threads, whose failures are the test's. */
public final class Threads {
    /** Something to run that may throw anything. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    private Threads() {}

    /** Calls it on a thread that is dead when this returns. */
    public static <T> T call(Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = start(future);
        T result = future.get();
        thread.join();
        return result;
    }

    /** Calls it on another thread. The call is about to begin when this returns. */
    public static <T> FutureTask<T> begin(Callable<T> task) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        FutureTask<T> future = new FutureTask<>(() -> {
            running.countDown();
            return task.call();
        });
        start(future);
        running.await();
        return future;
    }

    public static void run(Action action) throws Exception {
        call(() -> {
            action.run();
            return null;
        });
    }

    /**
     * Two threads that do each round at once, within nanoseconds of each other. A barrier lets threads go microseconds apart, and misses
     * races that this meets. On a busy machine the other may have no core: one that then slept for a moment has a core again soon after it
     * wakes, while one that yielded has it after all the other work.
     */
    public static void inRounds(int rounds, IntConsumer first, IntConsumer second) throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        List<Action> actions = new ArrayList<>();
        for (IntConsumer one : List.of(first, second)) {
            actions.add(() -> {
                try {
                    for (int i = 0; i < rounds; i++) {
                        arrived.incrementAndGet();
                        for (int spins = 1; arrived.get() < 2 * (i + 1); spins++) {
                            if (spins % 1000 == 0) {
                                LockSupport.parkNanos(20_000);
                            }
                        }
                        one.accept(i);
                    }
                } finally {
                    arrived.set(Integer.MAX_VALUE / 2); // the other one goes on alone
                }
            });
        }
        together(actions);
    }

    /** Runs all at once, from a common start; returns when all have ended and their threads are dead. */
    public static void together(List<? extends Action> actions) throws Exception {
        CyclicBarrier start = new CyclicBarrier(actions.size());
        List<FutureTask<Object>> futures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Action action : actions) {
            FutureTask<Object> future = new FutureTask<>(() -> {
                start.await();
                action.run();
                return null;
            });
            futures.add(future);
            threads.add(start(future));
        }
        for (FutureTask<Object> future : futures) {
            future.get();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static Thread start(Runnable task) {
        Thread thread = new Thread(task, "test");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The maintenance threads of the library: none without a pool, and more than one only while all but one end. */
    public static List<Thread> daemons() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("buffers-maintenance"))
                .toList();
    }

    /** For code that may throw no checked exception. */
    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
