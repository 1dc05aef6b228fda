package dev.buffers.internal.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much direct memory the JVM allows, and how much of it is in use. The only class that touches the management
 * beans: their modules are {@code requires static}, and a missing one is a {@link LinkageError} that stays in here.
 */
public final class DirectLimit {

    /** What {@link #used} says when the JVM does not tell. */
    static final long UNKNOWN = -1;

    private DirectLimit() {}

    /**
     * The JVM's limit for direct memory, in bytes: {@code -XX:MaxDirectMemorySize}, or where that is not set or cannot
     * be read, the largest heap, which is what the JVM itself then uses.
     */
    public static long limit() {
        long option = 0;
        try {
            option = Option.read();
        } catch (LinkageError | IllegalArgumentException | UnsupportedOperationException e) {
            // No such module, no such option (not HotSpot), no such bean: the fallback below is the JVM's own default.
        }
        return option > 0 ? option : Runtime.getRuntime().maxMemory();
    }

    /**
     * Bytes of direct memory in use by the whole JVM, by whoever allocated it, or {@link #UNKNOWN}. A plain read of
     * one counter after the first call.
     */
    public static long used() {
        try {
            return Counter.read();
        } catch (LinkageError e) {
            return UNKNOWN;
        }
    }

    // Nested, so that neither linking nor verifying the outer class needs a management type.

    private static final class Option {
        static long read() {
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            if (bean == null) {
                throw new UnsupportedOperationException("no HotSpotDiagnosticMXBean");
            }
            return Long.parseLong(bean.getVMOption("MaxDirectMemorySize").getValue());
        }
    }

    private static final class Counter {
        private static final BufferPoolMXBean DIRECT =
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .filter(bean -> bean.getName().equals("direct"))
                        .findFirst()
                        .orElseThrow(() -> new LinkageError("no BufferPoolMXBean: name=direct"));

        static long read() {
            return DIRECT.getTotalCapacity(); // what the JVM holds against its limit; getMemoryUsed adds page alignment
        }
    }
}
