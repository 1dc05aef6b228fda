// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.jvm;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * What this process has at a moment.
 *
 * @param heap bytes in use
 * @param direct bytes by the JVM's own count, which does not see what Netty takes from the system by itself
 * @param resident bytes of its pages that are in memory
 */
public record Footprint(long heap, long direct, long resident) {
    public static final Path STATUS = Path.of("/proc/self/status");

    private static final long GLANCE_MILLIS = 50;
    private static final int GLANCES_ALIKE = 5;
    private static final int GLANCES = 60;

    /** After one collection, when its helpers have freed the direct memory that it found: when the JVM's count stands still. */
    public static Footprint collected() throws IOException, InterruptedException {
        System.gc();
        awaitStill(DirectMemory::used);
        return now();
    }

    /** Returns when a count stands still, or after three seconds. */
    static void awaitStill(LongSupplier count) throws InterruptedException {
        long seen = -1;
        int alike = 0;
        for (int i = 0; i < GLANCES && alike < GLANCES_ALIKE; i++) {
            Thread.sleep(GLANCE_MILLIS);
            long now = count.getAsLong();
            alike = now == seen ? alike + 1 : 0;
            seen = now;
        }
    }

    /** As it is. */
    public static Footprint now() throws IOException {
        return new Footprint(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                DirectMemory.used(),
                residentBytes(STATUS));
    }

    /**
     * Heap bytes that all threads have allocated so far. What a virtual thread allocates is counted with the thread that carries it. Before
     * Java 21 threads that have ended are not counted.
     */
    public static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try {
            return (long)
                    ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes").invoke(threads);
        } catch (ReflectiveOperationException e) {
            return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                    .filter(bytes -> bytes > 0)
                    .sum();
        }
    }

    /** Heap and direct memory since an earlier moment; at least one byte, since figures are compared by their ratio. */
    public double growth(Footprint before) {
        return Math.max(1, heap - before.heap + direct - before.direct);
    }

    /** The resident set since an earlier moment; at least one byte. */
    public double residentGrowth(Footprint before) {
        return Math.max(1, resident - before.resident);
    }

    static long residentBytes(Path status) throws IOException {
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("no VmRSS in " + status);
    }
}
