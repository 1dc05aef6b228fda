package dev.buffers.internal.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes garbage collections: one in ten seconds at most, for all pools of this JVM.
 *
 * <p>Called by the daemon thread, with no lock held, or by a test; any thread. A collection takes as long as the heap needs.
 */
public final class HeapCollection {
    /** Nanoseconds between two collections. */
    public static final long LEAST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private static final AtomicLong LAST = new AtomicLong(System.nanoTime() - LEAST_PAUSE);

    private HeapCollection() {}

    /** Whether the last one was long enough ago, at {@code now}, a {@link System#nanoTime}. */
    public static boolean isAllowed(long now) {
        return now - LAST.get() >= LEAST_PAUSE;
    }

    /** Makes one; false when the JVM ignores such requests, or another thread was first. */
    public static boolean make(long now) {
        long last = LAST.get();
        if (now - last < LEAST_PAUSE || !LAST.compareAndSet(last, now) || areDisabled()) {
            return false;
        }
        System.gc();
        return true;
    }

    /** Whether the JVM runs with {@code -XX:+DisableExplicitGC}. */
    public static boolean areDisabled() {
        return DirectLimit.flag("DisableExplicitGC");
    }
}
