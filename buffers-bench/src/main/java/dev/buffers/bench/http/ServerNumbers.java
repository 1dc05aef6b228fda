package dev.buffers.bench.http;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What a server's JVM has used so far, and what it holds.
 *
 * @param cpuNanos processor time of the whole process
 * @param compilingMillis what the JIT compilers have done
 * @param allocatedBytes heap bytes allocated by the server's threads
 * @param pauses collections that stopped the threads
 * @param pauseMillis how long these took together
 * @param reservedBytes memory the buffer source holds
 * @param leasedBytes memory the buffer source has given out
 * @param directBytes all direct buffers of the JVM
 */
public record ServerNumbers(
        long cpuNanos,
        long compilingMillis,
        long allocatedBytes,
        long pauses,
        long pauseMillis,
        long reservedBytes,
        long leasedBytes,
        long directBytes,
        int connections,
        long responses,
        long failures) {

    static ServerNumbers of(Server server, BufferSource source) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<GarbageCollectorMXBean> collectors = pausing();
        BufferSource.Figures memory = source.figures();
        return new ServerNumbers(
                system.getProcessCpuTime(),
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
                server.allocatedBytes(),
                collectors.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum(),
                collectors.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum(),
                memory.reserved(),
                memory.leased(),
                direct(),
                server.connections(),
                server.responses(),
                server.failures());
    }

    /** The collectors whose time is pauses: not those that report whole concurrent cycles. */
    private static List<GarbageCollectorMXBean> pausing() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> !bean.getName().contains("Concurrent")
                        && !bean.getName().endsWith("Cycles"))
                .toList();
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(bean -> bean.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
