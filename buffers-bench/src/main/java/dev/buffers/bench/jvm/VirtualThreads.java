package dev.buffers.bench.jvm;

import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Virtual threads, which the Java 17 that this code is compiled for does not know. */
public final class VirtualThreads {
    private VirtualThreads() {}

    /** Why there are none; empty when there are. */
    public static Optional<String> obstacle() {
        return Runtime.version().feature() < 21
                ? Optional.of("virtual threads need Java 21 or later")
                : Optional.empty();
    }

    /** Makes virtual threads. */
    public static ThreadFactory factory() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(obstacle().orElse("no virtual threads"), e);
        }
    }
}
