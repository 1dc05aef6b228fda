package dev.buffers.bench.duet;

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
 * <p>What the JIT compilers use is left out of the sum: it belongs to the age of a JVM, not to what is compared.
 */
final class CpuClock {
    private static final double DEVIATION_ALLOWED = 0.03;

    /** Each reading of the process clock may be a step late for user and for system time, and running threads' counts a tick. */
    private static final int STEPS_ALLOWED = 4;

    private static final long STEP_OF_OTHERS = TimeUnit.MILLISECONDS.toNanos(10);

    private final @Nullable CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
    private final LongSupplier process;
    private final @Nullable ThreadCounters times;
    private final @Nullable ThreadCounters switches;
    private final String reader;
    private final long resolutionNanos;

    private CpuClock(LongSupplier process, Path tasks, String reader, long resolutionNanos) {
        boolean counted =
                Files.isReadable(Path.of("/proc/self/schedstat")) && Files.exists(Path.of("/proc/thread-self"));
        this.process = process;
        this.times = counted ? ThreadCounters.times(tasks) : null;
        this.switches = counted ? ThreadCounters.switches(tasks) : null;
        this.reader = reader;
        this.resolutionNanos = resolutionNanos;
    }

    /** A clock for this process and the calling thread, whose own use is left out where the system counts each thread. */
    static CpuClock here() throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        LongSupplier process = system::getProcessCpuTime;
        String reader = Files.exists(Path.of("/proc/thread-self")) ? ThreadCounters.self() : "";
        return new CpuClock(process, ThreadCounters.TASKS, reader, resolution(process));
    }

    /** A clock for another process. */
    static CpuClock of(long pid) {
        LongSupplier process = () -> ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .toNanos();
        return new CpuClock(process, Path.of("/proc/" + pid + "/task"), "", STEP_OF_OTHERS);
    }

    boolean hasThreadClock() {
        return times != null;
    }

    long resolutionNanos() {
        return resolutionNanos;
    }

    /** What the JIT compilers have done so far, in milliseconds. */
    long compilingMillis() {
        return compilation == null ? 0 : compilation.getTotalCompilationTime();
    }

    /** What the threads have used so far. Where the system does not count each of them: zeros, and how long this JVM has compiled. */
    Times times() throws IOException {
        if (times == null) {
            return new Times(0, 0, 0, TimeUnit.MILLISECONDS.toNanos(compilingMillis()));
        }
        long[] total = times.total();
        long[] own = times.of(reader);
        long[] compilers = times.ofCompilers();
        return new Times(total[0], total[0] - own[0] - compilers[0], total[1] - own[1] - compilers[1], compilers[0]);
    }

    long[] switches() throws IOException {
        return switches == null ? new long[2] : switches.total();
    }

    long processNanos() {
        return process.getAsLong();
    }

    /** Whether two readings, of all threads and of the process clock, agree on what happened between them. */
    boolean agree(long threadsNanos, long processNanos) {
        long allowed = Math.max(STEPS_ALLOWED * resolutionNanos, (long) (processNanos * DEVIATION_ALLOWED));
        return times != null && Math.abs(processNanos - threadsNanos) <= allowed;
    }

    /** The least step of the process clock that is seen in a short while. */
    private static long resolution(LongSupplier process) {
        long least = Long.MAX_VALUE;
        long before = process.getAsLong();
        for (int steps = 0; steps < 3; ) {
            long now = process.getAsLong();
            if (now != before) {
                least = Math.min(least, now - before);
                before = now;
                steps++;
            }
        }
        return least;
    }

    /**
     * What the threads of this process have used.
     *
     * @param allNanos all of them
     * @param nanos without the one that reads, and without the JIT compilers: what they do falls on some slices and not on others
     * @param delayNanos how long these waited for a core
     * @param compilingNanos the JIT compilers
     */
    record Times(long allNanos, long nanos, long delayNanos, long compilingNanos) {}
}
