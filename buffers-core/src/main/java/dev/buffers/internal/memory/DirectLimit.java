// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.VMOption;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * How much direct memory the JVM allows, how much of it is in use, and how much memory there is at all. The only class of this folder that
 * touches the management beans: where their modules are missing, or have no such bean, the error stays here.
 */
public final class DirectLimit {

    /** Returned by {@link #used} and {@link #machine} when the JVM does not tell. */
    static final long UNKNOWN = -1;

    /** More than the JDK takes of direct memory when it reads the files of a control group, as Java 17 and 21 do for one of the beans. */
    private static final int FOR_JDK = 1 << 16;

    private DirectLimit() {}

    /**
     * The JVM's limit for direct memory, in bytes: {@code -XX:MaxDirectMemorySize}, which may be 0. Where that is not set or cannot be
     * read, it is the largest heap size, as in the JVM itself.
     */
    public static long limit() {
        VMOption option = option("MaxDirectMemorySize");
        return option == null || option.getOrigin() == VMOption.Origin.DEFAULT // its value is then 0
                ? Runtime.getRuntime().maxMemory()
                : Long.parseLong(option.getValue());
    }

    /** The largest heap, in bytes, with the space that {@link Runtime#maxMemory} leaves out. */
    static long heap() {
        VMOption option = option("MaxHeapSize");
        return option == null ? Runtime.getRuntime().maxMemory() : Long.parseLong(option.getValue());
    }

    /** Whether the JVM runs with this flag; false where it does not tell. */
    public static boolean flag(String name) {
        VMOption option = option(name);
        return option != null && Boolean.parseBoolean(option.getValue());
    }

    private static @Nullable VMOption option(String name) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption(name);
        } catch (LinkageError | RuntimeException e) {
            return null; // no such module, or no such option (not HotSpot)
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

    /**
     * Bytes of memory of the container, or of the machine where there is no container, or {@link #UNKNOWN}. Does not ask the JDK when its
     * reading could wait for direct memory.
     */
    static long machine() {
        if (limit() - used() < FOR_JDK) {
            return UNKNOWN;
        }
        try {
            return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getTotalMemorySize(); // that of the container, if it has a limit
        } catch (LinkageError | RuntimeException | OutOfMemoryError e) {
            return UNKNOWN; // no such module, not HotSpot, or other code has taken the memory
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
