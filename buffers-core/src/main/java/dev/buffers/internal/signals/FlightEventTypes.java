// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.AcquireOutcome;
import dev.buffers.LeakReport;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import java.util.Objects;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder event types. Only {@link FlightEvents} may touch this class, and only where the module {@code jdk.jfr} exists.
 *
 * <p>Any thread. The instances that are made in advance tell whether an event is enabled, and are copied then: nothing is allocated when
 * it is not recorded.
 */
final class FlightEventTypes {
    /*
     * Users' queries depend on names, fields and units: add, do not rename. The recorder shows inherited fields last. Without an annotation
     * the default holds: an event is enabled, and carries the stack of the thread that it happens on.
     *
     * A leak, an overdue lease, a guard finding and a dropped region are found by a thread that has nothing to do with them. All but the
     * last carry the stacks that were kept, as text.
     *
     * The recorder's own thread asks for the periodic event. It has one hook for all pools: when one of several is removed, the JDK treats
     * the event as not periodic. The recorder holds the hook, and with it our class loader, only while the daemon runs. Before JDK 24 it
     * also keeps the protection domains of the thread that gives it the hook: the daemon has those of this library alone (DaemonThreads).
     *
     * A wait is recorded from 1 ms on, so there are at most a thousand events per second and waiting thread. A shorter wait that was
     * refused is recorded as exhausted.
     */
    static final RegionReserved REGION_RESERVED = new RegionReserved();
    static final RegionDropped REGION_DROPPED = new RegionDropped();
    static final Exhausted EXHAUSTED = new Exhausted();
    static final Waited WAITED = new Waited();
    static final Leak LEAK = new Leak();
    static final Overdue OVERDUE = new Overdue();
    static final GuardFinding GUARD_FINDING = new GuardFinding();
    static final PoolStatistics POOL_STATISTICS = new PoolStatistics();

    /** Whether the recorder has the hook. Used by the daemon alone; one hands it to the next (MaintenanceThread, T2). */
    private static boolean hooked;

    private FlightEventTypes() {}

    /** Only initialises this class. */
    static void load() {}

    static void hook(Runnable hook, boolean wanted) {
        if (wanted && !hooked) {
            FlightRecorder.addPeriodicEvent(PoolStatistics.class, hook);
        } else if (!wanted && hooked) {
            FlightRecorder.removePeriodicEvent(hook);
        }
        hooked = wanted;
    }

    @Category("Buffers")
    abstract static class PoolEvent extends Event implements Cloneable {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

        /** A new event like this one, which was made in advance; null when it is not recorded, or there is no memory for it. */
        final @Nullable PoolEvent copy() {
            try {
                return isEnabled() ? (PoolEvent) clone() : null;
            } catch (OutOfMemoryError e) {
                return null;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        /** Sets the fields that need memory. */
        void fill() {}

        /** Records it; without memory for that the event is lost. */
        final void record() {
            try {
                fill();
                commit();
            } catch (OutOfMemoryError e) {
                // The event is lost.
            }
        }
    }

    abstract static class RegionEvent extends PoolEvent {
        @Label("Policy")
        @Description("Policy that allocates the pool's memory")
        String policy = "";

        @Label("Bytes")
        @Description("Size of the region")
        @DataAmount
        long bytes;
    }

    @Name("dev.buffers.RegionReserved")
    @Label("Region Reserved")
    @Description("A pool took a region of memory into use")
    static final class RegionReserved extends RegionEvent {
        @Label("Adopted")
        @Description("Whether it was dropped before and is used again, instead of new memory")
        boolean adopted;
    }

    @Name("dev.buffers.RegionDropped")
    @Label("Region Dropped")
    @Description("A pool gave up a region of memory, for the garbage collector to take")
    @StackTrace(false)
    static final class RegionDropped extends RegionEvent {}

    /** What a pool holds at the moment. */
    abstract static class Figures extends PoolEvent {
        @Label("Maximum")
        @Description("The cap, which pools that set none share")
        @DataAmount
        long maxBytes;

        @Label("Reserved")
        @Description("Memory of all regions that are in use or kept for use")
        @DataAmount
        long reservedBytes;

        @Label("Leased")
        @Description("Memory of the buffers that are out on lease")
        @DataAmount
        long leasedBytes;

        @Label("Cached")
        @Description("Memory of all free buffers, wherever they are")
        @DataAmount
        long cachedBytes;

        @Label("Uncarved")
        @Description("Memory of regions that belongs to no buffer")
        @DataAmount
        long uncarvedBytes;

        @Label("Lost")
        @Description("Memory of buffers that will never be used again: their lease was lost or discarded")
        @DataAmount
        long lostBytes;

        @Label("Dropped")
        @Description("Memory that the pool has given up and the garbage collector has not yet taken")
        @DataAmount
        long droppedBytes;

        @Label("Leases")
        @Description("Buffers out on lease")
        long leases;

        @Label("Waiters")
        @Description("Threads and wake-ups that wait for memory")
        long waiters;

        void of(PoolStats stats) {
            maxBytes = stats.maxBytes();
            reservedBytes = stats.reservedBytes();
            leasedBytes = stats.leasedBytes();
            cachedBytes = stats.cachedBytes();
            uncarvedBytes = stats.uncarvedBytes();
            lostBytes = stats.lostBytes();
            droppedBytes = stats.droppedBytes();
            leases = stats.leases();
            waiters = stats.waiters();
        }
    }

    @Name("dev.buffers.Exhausted")
    @Label("Pool Exhausted")
    @Description(
            "An acquire threw, because its pool may not reserve more memory; the figures say where its memory is, and how many wait")
    static final class Exhausted extends Figures {
        @Label("Size")
        @Description("Size that was asked for")
        @DataAmount
        long size;

        @Label("Reason")
        @Description("What stood in the way of more memory")
        String reason = "";
    }

    @Name("dev.buffers.Waited")
    @Label("Buffer Wait")
    @Description("A thread waited for a pool to have memory")
    @Threshold("1 ms")
    static final class Waited extends PoolEvent {
        @Label("Size")
        @Description("Size that was asked for")
        @DataAmount
        long size;

        @Label("Succeeded")
        @Description("Whether the wait ended with a buffer")
        boolean succeeded;
    }

    @StackTrace(false)
    abstract static class LeaseEvent extends PoolEvent {
        @Label("Capacity")
        @Description("Size of the buffer's memory")
        @DataAmount
        long capacity;

        @Label("Size")
        @Description("Size that was asked for; -1 when it was not kept: see the setting 'leaks'")
        @DataAmount
        long size = -1;

        @Label("Age")
        @Description("Time since the buffer was acquired; -1 ns when it was not kept: see the setting 'leaks'")
        @Timespan(Timespan.NANOSECONDS)
        long age = -1;

        @Label("Acquired By")
        @Description("Thread that acquired the buffer; empty when it was not kept: see the setting 'leaks'")
        String thread = "";

        @Label("Acquired At")
        @Description("Stack that acquired the buffer; empty when it was not kept: see the setting 'leaks'")
        String acquiredAt = "";

        @Label("Touched")
        @Description("What the users of the buffer said of it, by 'touch'; empty when that was not kept")
        String touched = "";

        transient @Nullable LeakReport report;

        @Override
        void fill() {
            LeakReport its = Objects.requireNonNull(report);
            pool = its.pool();
            capacity = its.capacity();
            LeakReport.Acquisition known = its.acquisition().orElse(null);
            if (known != null) {
                size = known.size();
                age = known.age().toNanos();
                thread = known.thread();
            }
            acquiredAt = its.stackText();
            touched = its.touchText();
        }
    }

    @Name("dev.buffers.Leak")
    @Label("Buffer Leak")
    @Description("A buffer was dropped without a release; found some time after, by the garbage collector")
    static final class Leak extends LeaseEvent {}

    @Name("dev.buffers.Overdue")
    @Label("Buffer Overdue")
    @Description("A buffer is in use for longer than the setting 'leaks=older' allows")
    static final class Overdue extends LeaseEvent {}

    @Name("dev.buffers.GuardFinding")
    @Label("Guard Finding")
    @Description("The setting 'guard' found that a buffer was used wrongly")
    @StackTrace(false)
    static final class GuardFinding extends PoolEvent {
        @Label("Kind")
        @Description("The fault that was found")
        String kind = "";

        @Label("Capacity")
        @Description("Size of the buffer's memory")
        @DataAmount
        long capacity;

        @Label("Acquired At")
        @Description("Stack that acquired the buffer; empty when unknown")
        String acquiredAt = "";

        @Label("Released At")
        @Description("Stack that released the buffer; empty when unknown")
        String releasedAt = "";

        @Label("Found At")
        @Description("Stack of the use that was wrong, or of the check that found it")
        String foundAt = "";
    }

    @Name("dev.buffers.PoolStatistics")
    @Label("Pool Statistics")
    @Description("What an open pool holds and has done so far")
    @StackTrace(false)
    @Period("10 s")
    static final class PoolStatistics extends Figures {
        @Label("Policy")
        @Description("Policy that allocates the pool's memory")
        String policy = "";

        @Label("Waits")
        @Description("Waits that have ended so far, with or without memory")
        long waits;

        @Label("Waited")
        @Description("How long those waits took in all")
        @Timespan(Timespan.NANOSECONDS)
        long waited;

        @Label("Leaks")
        @Description("Leases that were lost so far: dropped without a release")
        long leaks;

        @Label("Hits")
        @Description("Acquires so far that a thread or a channel served from what it had cached")
        long hits;

        @Label("Misses")
        @Description("All other acquires so far that got memory")
        long misses;

        @Label("Refused")
        @Description("Acquires so far that were refused, those that returned null included")
        long refused;

        @Label("Settings")
        @Description("All settings of the pool, each with where it comes from")
        String settings = "";

        transient @Nullable PoolSettings its;
        transient @Nullable Supplier<PoolStats> figures;

        @Override
        void fill() {
            policy = Objects.requireNonNull(its).policy().name();
            settings = its.toString();
            of(Objects.requireNonNull(figures).get());
        }

        @Override
        void of(PoolStats stats) {
            super.of(stats);
            waits = stats.waits();
            waited = stats.waitedNanos();
            leaks = stats.leaks();
            hits = stats.acquires(AcquireOutcome.THREAD) + stats.acquires(AcquireOutcome.CHANNEL);
            misses = stats.acquires(AcquireOutcome.DEPOT)
                    + stats.acquires(AcquireOutcome.CARVED)
                    + stats.acquires(AcquireOutcome.OVERSIZE)
                    + stats.acquires(AcquireOutcome.UNPOOLED);
            refused = stats.acquires(AcquireOutcome.REJECTED);
        }
    }
}
