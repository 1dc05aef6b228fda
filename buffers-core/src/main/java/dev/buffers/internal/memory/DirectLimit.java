// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much direct memory the JVM allows, how much of it is in use, and how much memory there is at all. The only class of this folder that
 * touches the management beans: where their modules are missing, or have no such bean, the error stays here.
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
        return bytes("MaxDirectMemorySize");
    }

    /** The largest heap, in bytes, with the space that {@link Runtime#maxMemory} leaves out. */
    static long heap() {
        return bytes("MaxHeapSize");
    }

    private static long bytes(String name) {
        long bytes = Long.parseLong(option(name, "0"));
        return bytes > 0 ? bytes : Runtime.getRuntime().maxMemory(); // the JVM's own default
    }

    /** Whether the JVM runs with this flag; false where it does not tell. */
    public static boolean flag(String name) {
        return Boolean.parseBoolean(option(name, "false"));
    }

    private static String option(String name, String otherwise) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption(name)
                    .getValue();
        } catch (LinkageError | RuntimeException e) {
            return otherwise; // no such module, or no such option (not HotSpot)
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
            return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getTotalMemorySize(); // that of the container, if it has a limit
        } catch (LinkageError | RuntimeException e) {
            return UNKNOWN; // no such module, or not HotSpot
        }
    }

    /** Nested, because it initialises itself when it is first used. */
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
}
