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
     * the module. The verifier, too, loads none of them: no event is passed as an argument of another type.
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
        var event = RECORDABLE ? (FlightEventTypes.RegionReserved) FlightEventTypes.REGION_RESERVED.copy() : null;
        if (event != null) {
            event.pool = pool;
            event.policy = policy;
            event.bytes = bytes;
            event.adopted = adopted;
            event.record();
        }
    }

    /** A region was dropped. */
    public static void regionDropped(String pool, String policy, long bytes) {
        var event = RECORDABLE ? (FlightEventTypes.RegionDropped) FlightEventTypes.REGION_DROPPED.copy() : null;
        if (event != null) {
            event.pool = pool;
            event.policy = policy;
            event.bytes = bytes;
            event.record();
        }
    }

    /** An acquire was refused. */
    public static void exhausted(String pool, int size, String reason, PoolStats stats) {
        var event = RECORDABLE ? (FlightEventTypes.Exhausted) FlightEventTypes.EXHAUSTED.copy() : null;
        if (event != null) {
            event.pool = pool;
            event.size = size;
            event.reason = reason;
            event.of(stats);
            event.record();
        }
    }

    /** Returns the argument for {@link #waitEnded}; null without a recording. */
    public static @Nullable Object waitBegins() {
        var event = RECORDABLE ? (FlightEventTypes.Waited) FlightEventTypes.WAITED.copy() : null;
        if (event != null) {
            event.begin();
        }
        return event;
    }

    /** A wait is over, with or without memory. Must be called by the thread that waited: the event shows its stack. */
    public static void waitEnded(@Nullable Object begun, String pool, int size, boolean succeeded) {
        if (begun != null) {
            var event = (FlightEventTypes.Waited) begun;
            event.pool = pool;
            event.size = size;
            event.succeeded = succeeded;
            event.record();
        }
    }

    /** A lease was found lost, or out for longer than {@code leaks=older} allows. */
    public static void leaseFound(LeakReport report) {
        if (RECORDABLE) {
            var event = (FlightEventTypes.LeaseEvent)
                    (report.lost() ? FlightEventTypes.LEAK.copy() : FlightEventTypes.OVERDUE.copy());
            if (event != null) {
                event.report = report;
                event.record();
            }
        }
    }

    /** The guard found a use after release or a similar mistake; the stacks are text, empty when unknown. */
    public static void guardFinding(
            String pool, String kind, int capacity, String acquiredAt, String releasedAt, String foundAt) {
        var event = RECORDABLE ? (FlightEventTypes.GuardFinding) FlightEventTypes.GUARD_FINDING.copy() : null;
        if (event != null) {
            event.pool = pool;
            event.kind = kind;
            event.capacity = capacity;
            event.acquiredAt = acquiredAt;
            event.releasedAt = releasedAt;
            event.foundAt = foundAt;
            event.record();
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
        var event = RECORDABLE ? (FlightEventTypes.PoolStatistics) FlightEventTypes.POOL_STATISTICS.copy() : null;
        if (event != null) {
            event.pool = pool;
            event.its = settings;
            event.figures = figures;
            event.record();
        }
    }
}
