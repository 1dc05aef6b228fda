// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.LeakReport;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports a pool's events to Java Flight Recorder. Does nothing without the module {@code jdk.jfr} or without a recording.
 *
 * <p>Any thread. Takes none of our locks. Without a recording it costs a few nanoseconds and allocates nothing. No call throws: an event
 * for which there is no memory is lost. The first call loads classes, so it must not be made under a stripe's claim.
 */
public final class FlightEvents {
    /*
     * The module is `requires static`. Only FlightEventTypes names its classes, and no line here touches it before recordable() has found
     * the module.
     */
    private static final boolean RECORDABLE = recordable();

    private FlightEvents() {}

    /** Loads every event type now: if class loading fails for lack of memory, it fails forever after. */
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
            if (RECORDABLE && FlightEventTypes.REGION_RESERVED.isEnabled()) {
                FlightEventTypes.RegionReserved event = new FlightEventTypes.RegionReserved();
                event.pool = pool;
                event.policy = policy;
                event.bytes = bytes;
                event.adopted = adopted;
                event.commit();
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** A region was dropped. */
    public static void regionDropped(String pool, String policy, long bytes) {
        try {
            if (RECORDABLE && FlightEventTypes.REGION_DROPPED.isEnabled()) {
                FlightEventTypes.RegionDropped event = new FlightEventTypes.RegionDropped();
                event.pool = pool;
                event.policy = policy;
                event.bytes = bytes;
                event.commit();
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** An acquire was refused. */
    public static void exhausted(String pool, int size, String reason, PoolStats stats) {
        try {
            if (RECORDABLE && FlightEventTypes.EXHAUSTED.isEnabled()) {
                FlightEventTypes.Exhausted event = new FlightEventTypes.Exhausted();
                event.pool = pool;
                event.size = size;
                event.reason = reason;
                event.of(stats);
                event.commit();
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** Returns the argument for {@link #waitEnded}; null without a recording. */
    public static @Nullable Object waitBegins() {
        try {
            if (!RECORDABLE || !FlightEventTypes.WAITED.isEnabled()) {
                return null;
            }
            FlightEventTypes.Waited event = new FlightEventTypes.Waited();
            event.begin();
            return event;
        } catch (OutOfMemoryError e) {
            return null; // the event is lost
        }
    }

    /** A wait is over, with or without memory. Must be called by the thread that waited: the event shows its stack. */
    public static void waitEnded(@Nullable Object begun, String pool, int size, boolean succeeded) {
        try {
            if (begun != null) {
                FlightEventTypes.Waited event = (FlightEventTypes.Waited) begun;
                event.pool = pool;
                event.size = size;
                event.succeeded = succeeded;
                event.commit();
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** A lease was found lost, or out for longer than {@code leaks=older} allows. */
    public static void leaseFound(LeakReport report) {
        try {
            if (RECORDABLE && report.lost() && FlightEventTypes.LEAK.isEnabled()) {
                new FlightEventTypes.Leak().commit(report);
            } else if (RECORDABLE && !report.lost() && FlightEventTypes.OVERDUE.isEnabled()) {
                new FlightEventTypes.Overdue().commit(report);
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** The guard found a use after release or a similar mistake; the stacks are text, empty when unknown. */
    public static void guardFinding(
            String pool, String kind, int capacity, String acquiredAt, String releasedAt, String foundAt) {
        try {
            if (RECORDABLE && FlightEventTypes.GUARD_FINDING.isEnabled()) {
                FlightEventTypes.GuardFinding event = new FlightEventTypes.GuardFinding();
                event.pool = pool;
                event.kind = kind;
                event.capacity = capacity;
                event.acquiredAt = acquiredAt;
                event.releasedAt = releasedAt;
                event.foundAt = foundAt;
                event.commit();
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }

    /** Has the recorder call {@code hook} for its periodic event, with {@link #sampled} for each pool, or no more. */
    public static void hook(Runnable hook, boolean wanted) {
        try {
            if (RECORDABLE) {
                FlightEventTypes.hook(hook, wanted);
            }
        } catch (RuntimeException | Error e) {
            // The next round of the daemon tries again.
        }
    }

    /** Records a pool's figures; calls {@code figures} only when they are recorded. */
    public static void sampled(String pool, PoolSettings settings, Supplier<PoolStats> figures) {
        try {
            if (RECORDABLE && FlightEventTypes.POOL_STATISTICS.isEnabled()) {
                FlightEventTypes.PoolStatistics event = new FlightEventTypes.PoolStatistics();
                event.pool = pool;
                event.policy = settings.policy().name();
                event.settings = settings.toString();
                event.of(figures.get());
                event.commit();
            }
        } catch (OutOfMemoryError e) {
            // The event is lost.
        }
    }
}
