// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The CPU time of a process. The sum over its threads is exact to microseconds, once its busy threads have paused: the kernel adds to
 * the count of a running thread only at its ticks. It misses what a thread does between the last reading and its end. The process
 * clock misses nothing, but it moves in steps of 10 ms on Linux. So the first is checked against the second.
 *
 * <p>The sum leaves out the JIT compilers: their CPU time depends on the age of a JVM, not on the compared code.
 */
final class CpuClock {
    private static final double DEVIATION_ALLOWED = 0.03;

    /** Each reading of the process clock may be a step late for user and for system time, and running threads' counts a tick. */
    private static final int STEPS_ALLOWED = 4;

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final @Nullable CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
    private final LongSupplier process;
    private final @Nullable ThreadTimes threads;
    private final String reader;
    private Reading first = Reading.NOTHING;
    private Reading last = first;

    private CpuClock(LongSupplier process, Path tasks, String reader) {
        boolean counted =
                Files.isReadable(Path.of("/proc/self/schedstat")) && Files.exists(Path.of("/proc/thread-self"));
        this.process = process;
        this.threads = counted ? new ThreadTimes(tasks) : null;
        this.reader = reader;
    }

    /** A clock for this process and the calling thread, whose own use is left out where the system counts each thread. */
    static CpuClock here() throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        LongSupplier process = system::getProcessCpuTime;
        String reader = Files.exists(Path.of("/proc/thread-self")) ? ThreadTimes.self() : "";
        return new CpuClock(process, ThreadTimes.TASKS, reader);
    }

    /** A clock for another process. */
    static CpuClock of(long pid) {
        LongSupplier process = () -> ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .toNanos();
        return new CpuClock(process, Path.of("/proc/" + pid + "/task"), "");
    }

    /**
     * What a process has used so far.
     *
     * @param processNanos by the process clock
     * @param allNanos the sum over all threads; 0 where the system does not count each of them
     * @param nanos the sum without the thread that reads, and without the JIT compilers: what they do falls on some slices and not on
     *     others
     * @param compilingNanos the JIT compilers; where threads are not counted, how long those of this JVM have worked
     * @param delayNanos how long threads waited for a processor; 0 where threads are not counted
     * @param switches how often a thread got one; 0 where threads are not counted
     */
    record Reading(long processNanos, long allNanos, long nanos, long compilingNanos, long delayNanos, long switches) {
        static final Reading NOTHING = new Reading(0, 0, 0, 0, 0, 0);

        /** CPU time since an earlier reading, by either clock; at least a nanosecond, since figures are compared by their ratio. */
        long since(Reading earlier, boolean threadClock) {
            return Math.max(1, threadClock ? nanos - earlier.nanos : processNanos - earlier.processNanos);
        }

        /** What else happened since an earlier reading. */
        Contestant.Noise noise(Reading earlier) {
            return new Contestant.Noise(
                    delayNanos - earlier.delayNanos,
                    switches - earlier.switches,
                    compilingNanos - earlier.compilingNanos);
        }
    }

    Reading read() throws IOException {
        if (threads == null) {
            long compiling = compilation == null ? 0 : compilation.getTotalCompilationTime();
            last = new Reading(process.getAsLong(), 0, 0, TimeUnit.MILLISECONDS.toNanos(compiling), 0, 0);
        } else {
            long[] sums = threads.total();
            long all = sums[ThreadTimes.CPU];
            long compilers = threads.ofCompilers();
            long counted = all - threads.of(reader) - compilers;
            long delay = sums[ThreadTimes.DELAY];
            last = new Reading(process.getAsLong(), all, counted, compilers, delay, sums[ThreadTimes.SWITCHES]);
        }
        return last;
    }

    /** Reads, and begins a time that {@link #agrees} checks. */
    Reading begin() throws IOException {
        first = read();
        return first;
    }

    /** Whether the sum over threads and the process clock agree on what happened from {@link #begin} to the last reading. */
    boolean agrees() {
        long used = last.processNanos - first.processNanos;
        long allowed = Math.max(STEPS_ALLOWED * STEP_NANOS, (long) (used * DEVIATION_ALLOWED));
        return threads != null && Math.abs(used - (last.allNanos - first.allNanos)) <= allowed;
    }

    boolean hasThreadClock() {
        return threads != null;
    }
}
