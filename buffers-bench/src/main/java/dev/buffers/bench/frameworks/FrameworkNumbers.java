package dev.buffers.bench.frameworks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/**
 * What a framework's JVM has used so far, and what it holds.
 *
 * @param cpuNanos processor time of the whole process
 * @param allocatedBytes heap bytes allocated by all platform threads alive, virtual threads' on those that carry them
 * @param footprint what the process has, as it is
 * @param leases buffers of ours that are out
 * @param leaks buffers of ours that were lost
 */
record FrameworkNumbers(long cpuNanos, long allocatedBytes, Footprint footprint, long leases, long leaks) {

    static FrameworkNumbers of(List<BufferPool> pools, Footprint footprint) throws IOException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<PoolStats> stats = pools.stream().distinct().map(BufferPool::stats).toList();
        return new FrameworkNumbers(
                system.getProcessCpuTime(),
                Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                        .filter(bytes -> bytes > 0)
                        .sum(),
                footprint,
                stats.stream().mapToLong(PoolStats::leases).sum(),
                stats.stream().mapToLong(PoolStats::leaks).sum());
    }
}
