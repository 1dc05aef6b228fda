package dev.buffers.internal.signals;

import dev.buffers.PoolStats;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder event types. Only {@link FlightEvents} may touch this class, and only where the module {@code jdk.jfr} exists.
 *
 * <p>Any thread. An instance made beforehand tells whether an event is enabled, so nothing is allocated when it is not recorded.
 */
final class FlightEventTypes {
    /*
     * Users' queries depend on names, fields and units: add, do not rename.
     *
     * An event caused by the thread that it happens on carries that thread's stack. A leak, a guard finding and a dropped region are found
     * by a thread that has nothing to do with them; a leak and a guard finding carry the stacks that were kept, as text.
     *
     * All events are enabled by default. A wait is recorded from 1 ms on: from there the users of a server notice it, and this bounds the
     * cost to a thousand events per second and waiting thread. A shorter wait that was refused is recorded as exhausted.
     */
    private static final RegionReserved REGION_RESERVED = new RegionReserved();
    private static final RegionDropped REGION_DROPPED = new RegionDropped();
    private static final Exhausted EXHAUSTED = new Exhausted();
    private static final Waited WAITED = new Waited();
    private static final Leak LEAK = new Leak();
    private static final GuardFinding GUARD_FINDING = new GuardFinding();

    private FlightEventTypes() {}

    /** Only initialises this class. */
    static void load() {}

    static void regionReserved(String pool, String policy, long bytes, boolean adopted) {
        if (REGION_RESERVED.isEnabled()) {
            RegionReserved event = new RegionReserved();
            event.pool = pool;
            event.policy = policy;
            event.bytes = bytes;
            event.adopted = adopted;
            event.commit();
        }
    }

    static void regionDropped(String pool, String policy, long bytes) {
        if (REGION_DROPPED.isEnabled()) {
            RegionDropped event = new RegionDropped();
            event.pool = pool;
            event.policy = policy;
            event.bytes = bytes;
            event.commit();
        }
    }

    static void exhausted(String pool, int size, String reason, @Nullable PoolStats stats) {
        if (EXHAUSTED.isEnabled()) {
            Exhausted event = new Exhausted();
            event.pool = pool;
            event.size = size;
            event.reason = reason;
            if (stats != null) {
                event.maxBytes = stats.maxBytes();
                event.reservedBytes = stats.reservedBytes();
                event.leasedBytes = stats.leasedBytes();
                event.cachedBytes = stats.cachedBytes();
                event.uncarvedBytes = stats.uncarvedBytes();
                event.lostBytes = stats.lostBytes();
                event.droppedBytes = stats.droppedBytes();
                event.leases = stats.leases();
                event.waiters = stats.waiters();
            }
            event.commit();
        }
    }

    static @Nullable Object waitBegins() {
        if (!WAITED.isEnabled()) {
            return null;
        }
        Waited event = new Waited();
        event.begin();
        return event;
    }

    static void waitEnded(Object begun, String pool, int size, boolean succeeded) {
        Waited event = (Waited) begun;
        event.pool = pool;
        event.size = size;
        event.succeeded = succeeded;
        event.commit();
    }

    static void leaked(String pool, int capacity, int size, long ageNanos, String thread, String acquiredAt) {
        if (LEAK.isEnabled()) {
            Leak event = new Leak();
            event.pool = pool;
            event.capacity = capacity;
            event.size = size;
            event.age = ageNanos;
            event.thread = thread;
            event.acquiredAt = acquiredAt;
            event.commit();
        }
    }

    static void guardFinding(
            String pool, String kind, int capacity, String acquiredAt, String releasedAt, String foundAt) {
        if (GUARD_FINDING.isEnabled()) {
            GuardFinding event = new GuardFinding();
            event.pool = pool;
            event.kind = kind;
            event.capacity = capacity;
            event.acquiredAt = acquiredAt;
            event.releasedAt = releasedAt;
            event.foundAt = foundAt;
            event.commit();
        }
    }

    @Name("dev.buffers.RegionReserved")
    @Label("Region Reserved")
    @Description("A pool took a region of memory into use")
    @Category("Buffers")
    @Enabled
    @StackTrace
    static final class RegionReserved extends Event {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

        @Label("Policy")
        @Description("Policy that allocates the pool's memory")
        String policy = "";

        @Label("Bytes")
        @Description("Size of the region")
        @DataAmount
        long bytes;

        @Label("Adopted")
        @Description("Whether it was dropped before and is used again, instead of new memory")
        boolean adopted;
    }

    @Name("dev.buffers.RegionDropped")
    @Label("Region Dropped")
    @Description("A pool gave up a region of memory, for the garbage collector to take")
    @Category("Buffers")
    @Enabled
    @StackTrace(false)
    static final class RegionDropped extends Event {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

        @Label("Policy")
        @Description("Policy that allocates the pool's memory")
        String policy = "";

        @Label("Bytes")
        @Description("Size of the region")
        @DataAmount
        long bytes;
    }

    @Name("dev.buffers.Exhausted")
    @Label("Pool Exhausted")
    @Description("A pool refused a buffer, because it may not reserve more memory; the figures say where its memory is")
    @Category("Buffers")
    @Enabled
    @StackTrace
    static final class Exhausted extends Event {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

        @Label("Size")
        @Description("Size that was asked for")
        @DataAmount
        long size;

        @Label("Reason")
        @Description("What stood in the way of more memory")
        String reason = "";

        @Label("Maximum")
        @Description("The cap; -1 when unknown, as for all figures below")
        @DataAmount
        long maxBytes = -1;

        @Label("Reserved")
        @Description("Memory of all regions that are in use or kept for use")
        @DataAmount
        long reservedBytes = -1;

        @Label("Leased")
        @Description("Memory of the buffers that are out on lease")
        @DataAmount
        long leasedBytes = -1;

        @Label("Cached")
        @Description("Memory of all free buffers, wherever they are")
        @DataAmount
        long cachedBytes = -1;

        @Label("Uncarved")
        @Description("Memory of regions that belongs to no buffer")
        @DataAmount
        long uncarvedBytes = -1;

        @Label("Lost")
        @Description("Memory of buffers that will never be used again: their lease was lost or discarded")
        @DataAmount
        long lostBytes = -1;

        @Label("Dropped")
        @Description("Memory that the pool has given up and the garbage collector has not yet taken")
        @DataAmount
        long droppedBytes = -1;

        @Label("Leases")
        @Description("Buffers out on lease")
        long leases = -1;

        @Label("Waiters")
        @Description("Who is waiting for memory")
        long waiters = -1;
    }

    @Name("dev.buffers.Waited")
    @Label("Buffer Wait")
    @Description("A thread waited for a pool to have memory")
    @Category("Buffers")
    @Enabled
    @StackTrace
    @Threshold("1 ms")
    static final class Waited extends Event {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

        @Label("Size")
        @Description("Size that was asked for")
        @DataAmount
        long size;

        @Label("Succeeded")
        @Description("Whether the wait ended with a buffer")
        boolean succeeded;
    }

    @Name("dev.buffers.Leak")
    @Label("Buffer Leak")
    @Description("A buffer was dropped without a release; found some time after, by the garbage collector")
    @Category("Buffers")
    @Enabled
    @StackTrace(false)
    static final class Leak extends Event {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

        @Label("Capacity")
        @Description("Size of the buffer's memory")
        @DataAmount
        long capacity;

        @Label("Size")
        @Description("Size that was asked for; -1 when it was not kept: see the setting 'leaks'")
        @DataAmount
        long size;

        @Label("Age")
        @Description("Time since the buffer was acquired; -1 ns when it was not kept: see the setting 'leaks'")
        @Timespan(Timespan.NANOSECONDS)
        long age;

        @Label("Acquired By")
        @Description("Thread that acquired the buffer; empty when it was not kept: see the setting 'leaks'")
        String thread = "";

        @Label("Acquired At")
        @Description("Stack that acquired the buffer; empty when it was not kept: see the setting 'leaks'")
        String acquiredAt = "";
    }

    @Name("dev.buffers.GuardFinding")
    @Label("Guard Finding")
    @Description("The setting 'guard' found that a buffer was used wrongly")
    @Category("Buffers")
    @Enabled
    @StackTrace(false)
    static final class GuardFinding extends Event {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

        @Label("Kind")
        @Description("What was wrong")
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
}
