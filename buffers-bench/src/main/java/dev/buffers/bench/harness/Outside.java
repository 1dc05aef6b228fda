// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a benchmark does that is not to be measured, though it happens during an iteration: checking each result, say, or the far end of a
 * connection. Its CPU time is taken from the turn's; its wall time too, where the benchmark waits for it. Thread-safe.
 */
public final class Outside {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final LongAdder CPU = new LongAdder();
    private static final LongAdder WALL = new LongAdder();
    private static final Set<Thread> APART = ConcurrentHashMap.newKeySet();

    private Outside() {}

    @FunctionalInterface
    public interface Task {
        void run() throws IOException;
    }

    /** How much there was so far. */
    record Nanos(long cpu, long wall) {
        Nanos minus(Nanos before) {
            return new Nanos(cpu - before.cpu, wall - before.wall);
        }
    }

    /** Runs it in this thread. */
    public static void run(Task task) throws IOException {
        long wall = System.nanoTime();
        long cpu = THREADS.getCurrentThreadCpuTime();
        try {
            task.run();
        } finally {
            CPU.add(THREADS.getCurrentThreadCpuTime() - cpu);
            WALL.add(System.nanoTime() - wall);
        }
    }

    /** Leaves out all that a thread does, as long as it lives. */
    public static void leaveOut(Thread thread) {
        APART.removeIf(other -> other.getState() == Thread.State.TERMINATED);
        APART.add(thread);
    }

    static Nanos nanos() {
        long cpu = CPU.sum();
        for (Thread thread : APART) {
            cpu += Math.max(0, THREADS.getThreadCpuTime(thread.getId()));
        }
        return new Nanos(cpu, WALL.sum());
    }
}
