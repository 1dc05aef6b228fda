package dev.buffers.internal.signals;

import dev.buffers.PoolStats;
import org.jspecify.annotations.Nullable;

/**
 * Reports a pool's events to Java Flight Recorder. Does nothing without the module {@code jdk.jfr} or without a recording.
 *
 * <p>Any thread. Takes no lock of ours. Without a recording it costs a few nanoseconds and allocates nothing. No call throws: an event for
 * which there is no memory is lost. The first call loads classes, so it must not be made under a stripe's claim.
 */
public final class FlightEvents {
    /*
     * The module is `requires static`. Only FlightEventTypes names its classes, and recordable() is the first to touch FlightEventTypes,
     * after it has found the module.
     */
    private static final boolean RECORDABLE = recordable();

    private FlightEvents() {}

    /** Loads every event type now: if class loading fails for lack of memory, it fails for ever after. */
    private static boolean recordable() {
        try {
            Class.forName("jdk.jfr.Event", false, FlightEvents.class.getClassLoader());
            FlightEventTypes.load();
            return true;
        } catch (ClassNotFoundException | LinkageError | OutOfMemoryError e) {
            return false;
        }
    }

    /** A region was allocated, or adopted after it had been dropped. */
    public static void regionReserved(String pool, String policy, long bytes, boolean adopted) {
        try {
            if (RECORDABLE) {
                FlightEventTypes.regionReserved(pool, policy, bytes, adopted);
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** A region was dropped. */
    public static void regionDropped(String pool, String policy, long bytes) {
        try {
            if (RECORDABLE) {
                FlightEventTypes.regionDropped(pool, policy, bytes);
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** An acquire was refused. Without {@code stats} the event's figures are -1. */
    public static void exhausted(String pool, int size, String reason, @Nullable PoolStats stats) {
        try {
            if (RECORDABLE) {
                FlightEventTypes.exhausted(pool, size, reason, stats);
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** Returns the argument for {@link #waitEnded}; null without a recording. */
    public static @Nullable Object waitBegins() {
        try {
            return RECORDABLE ? FlightEventTypes.waitBegins() : null;
        } catch (OutOfMemoryError e) {
            return null; // the event is lost
        }
    }

    /** A wait is over, with or without memory. Must be called by the thread that waited: the event shows its stack. */
    public static void waitEnded(@Nullable Object begun, String pool, int size, boolean succeeded) {
        try {
            if (begun != null) {
                FlightEventTypes.waitEnded(begun, pool, size, succeeded);
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /**
     * A lease was lost: dropped without a release.
     *
     * @param size the size asked for, -1 when unknown
     * @param ageNanos the lease's age, -1 when unknown
     * @param thread the thread that acquired it, empty when unknown
     * @param acquiredAt the stack that acquired it, as text; empty when unknown
     */
    public static void leaked(String pool, int capacity, int size, long ageNanos, String thread, String acquiredAt) {
        try {
            if (RECORDABLE) {
                FlightEventTypes.leaked(pool, capacity, size, ageNanos, thread, acquiredAt);
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** The guard found a use after release or a similar mistake; the stacks are text, empty when unknown. */
    public static void guardFinding(
            String pool, String kind, int capacity, String acquiredAt, String releasedAt, String foundAt) {
        try {
            if (RECORDABLE) {
                FlightEventTypes.guardFinding(pool, kind, capacity, acquiredAt, releasedAt, foundAt);
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }
}
