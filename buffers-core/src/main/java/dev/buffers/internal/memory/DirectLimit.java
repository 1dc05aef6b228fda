// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much direct memory the JVM allows, how much of it is in use, and how much memory there is at all. The only class of this folder that
 * touches the management beans: their modules are {@code requires static}, and the {@link LinkageError} of a missing module stays here.
 */
public final class DirectLimit {

    /** Returned by {@link #used} and {@link #machine} when the JVM does not tell. */
    static final long UNKNOWN = -1;

    private DirectLimit() {}

    /**
     * The JVM's limit for direct memory, in bytes: {@code -XX:MaxDirectMemorySize}. Where that is not set or cannot be read, it is the
     * largest heap size, as in the JVM itself.
     */
    public static long limit() {
        return option("MaxDirectMemorySize");
    }

    /** The largest heap, in bytes, with the space that {@link Runtime#maxMemory} leaves out. */
    static long heap() {
        return option("MaxHeapSize");
    }

    private static long option(String name) {
        long option = 0;
        try {
            option = Option.read(name);
        } catch (LinkageError | IllegalArgumentException e) {
            // No such module or no such option (not HotSpot): the fallback is the JVM's own default.
        }
        return option > 0 ? option : Runtime.getRuntime().maxMemory();
    }

    /** Whether the JVM runs with this flag; false where it does not tell. */
    public static boolean flag(String name) {
        try {
            return Option.isSet(name);
        } catch (LinkageError | IllegalArgumentException e) {
            return false;
        }
    }

    /** Bytes of direct memory in use in the JVM, or {@link #UNKNOWN}. After the first call, a plain read of one counter. */
    public static long used() {
        try {
            return Counter.read();
        } catch (LinkageError e) {
            return UNKNOWN;
        }
    }

    /** Bytes of memory of the container, or of the machine where there is no container, or {@link #UNKNOWN}. */
    static long machine() {
        try {
            return Machine.read();
        } catch (LinkageError | RuntimeException e) {
            return UNKNOWN; // no such module, or not HotSpot
        }
    }

    // Nested, so that linking and verifying the outer class need no management type.

    private static final class Option {
        static boolean isSet(String name) {
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            return bean != null && Boolean.parseBoolean(bean.getVMOption(name).getValue());
        }

        static long read(String name) {
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            return bean == null ? 0 : Long.parseLong(bean.getVMOption(name).getValue());
        }
    }

    private static final class Counter {
        private static final BufferPoolMXBean DIRECT =
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .filter(bean -> bean.getName().equals("direct"))
                        .findFirst()
                        .orElseThrow(() -> new LinkageError("no BufferPoolMXBean: name=direct"));

        static long read() {
            return DIRECT.getTotalCapacity(); // the JVM compares this with its limit; getMemoryUsed adds page alignment
        }
    }

    private static final class Machine {
        static long read() {
            OperatingSystemMXBean bean = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            return bean == null ? UNKNOWN : bean.getTotalMemorySize(); // that of the container, if it has a limit
        }
    }
}
