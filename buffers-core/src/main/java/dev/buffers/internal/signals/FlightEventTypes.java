package dev.buffers.internal.signals;

import dev.buffers.AcquireOutcome;
import dev.buffers.LeakReport;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
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
 * <p>Any thread. The instances that are made beforehand only tell whether an event is enabled: nothing is allocated when it is not recorded.
 */
final class FlightEventTypes {
    /*
     * Users' queries depend on names, fields and units: add, do not rename. Each event has its own field for the pool, because the recorder
     * shows inherited fields last.
     *
     * An event caused by the thread that it happens on carries that thread's stack. A leak, an overdue lease, a guard finding and a dropped
     * region are found by a thread that has nothing to do with them; all but the last carry the stacks that were kept, as text.
     *
     * The recorder's own thread asks for the periodic event, at the period that the recording sets. It has one hook for all pools: when
     * one of several is removed, the JDK then treats the event as not periodic, and shows other settings. The recorder holds the hook,
     * and with it our class loader, only while there is a pool.
     *
     * All events are enabled by default. A wait is recorded from 1 ms on: from there the users of a server notice it, and this bounds the
     * cost to a thousand events per second and waiting thread. A shorter wait that was refused is recorded as exhausted.
     */
    static final RegionReserved REGION_RESERVED = new RegionReserved();
    static final RegionDropped REGION_DROPPED = new RegionDropped();
    static final Exhausted EXHAUSTED = new Exhausted();
    static final Waited WAITED = new Waited();
    static final Leak LEAK = new Leak();
    static final Overdue OVERDUE = new Overdue();
    static final GuardFinding GUARD_FINDING = new GuardFinding();
    private static final PoolStatistics POOL_STATISTICS = new PoolStatistics();

    private static final Set<Runnable> SAMPLES = ConcurrentHashMap.newKeySet();
    private static @Nullable Runnable hook;

    private FlightEventTypes() {}

    /** Only initialises this class. */
    static void load() {}

    /** Calls {@code sample} at the period of the event {@link PoolStatistics}. */
    static synchronized void sample(Runnable sample) {
        SAMPLES.add(sample);
        if (hook == null) {
            Runnable all = () -> SAMPLES.forEach(Runnable::run);
            FlightRecorder.addPeriodicEvent(PoolStatistics.class, all);
            hook = all;
        }
    }

    static synchronized void sampleNoMore(Runnable sample) {
        SAMPLES.remove(sample);
        if (hook != null && SAMPLES.isEmpty()) {
            FlightRecorder.removePeriodicEvent(hook);
            hook = null;
        }
    }

    static void leaseFound(LeakReport report) {
        if (report.lost() && LEAK.isEnabled()) {
            new Leak().commit(report);
        } else if (!report.lost() && OVERDUE.isEnabled()) {
            new Overdue().commit(report);
        }
    }

    static void sampled(String pool, PoolSettings settings, Supplier<PoolStats> figures) {
        if (POOL_STATISTICS.isEnabled()) {
            PoolStats stats = figures.get();
            PoolStatistics event = new PoolStatistics();
            event.pool = pool;
            event.policy = settings.policy().name();
            event.of(stats);
            event.waits = stats.waits();
            event.waited = stats.waitedNanos();
            event.leaks = stats.leaks();
            event.hits = stats.acquires(AcquireOutcome.THREAD) + stats.acquires(AcquireOutcome.CHANNEL);
            event.misses = stats.acquires(AcquireOutcome.DEPOT)
                    + stats.acquires(AcquireOutcome.CARVED)
                    + stats.acquires(AcquireOutcome.OVERSIZE)
                    + stats.acquires(AcquireOutcome.UNPOOLED);
            event.refused = stats.acquires(AcquireOutcome.REJECTED);
            event.settings = settings.toString();
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

    /** What a pool holds at the moment. */
    abstract static class Figures extends Event {
        @Label("Maximum")
        @Description("The cap, which pools that set none share; -1 when unknown, as for the other figures of the pool")
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
        @Description("Threads and wake-ups that wait for memory")
        long waiters = -1;

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
    @Description("A pool refused a buffer, because it may not reserve more memory; the figures say where its memory is")
    @Category("Buffers")
    @Enabled
    @StackTrace
    static final class Exhausted extends Figures {
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

    @Category("Buffers")
    @Enabled
    @StackTrace(false)
    abstract static class LeaseEvent extends Event {
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

        @Label("Touched")
        @Description("What the users of the buffer said of it, by 'touch'; empty when that was not kept")
        String touched = "";

        void commit(LeakReport report) {
            Optional<LeakReport.Acquisition> known = report.acquisition();
            pool = report.pool();
            capacity = report.capacity();
            size = known.map(LeakReport.Acquisition::size).orElse(-1);
            age = known.map(its -> its.age().toNanos()).orElse(-1L);
            thread = known.map(LeakReport.Acquisition::thread).orElse("");
            acquiredAt = report.stackText();
            touched = report.touchText();
            commit();
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

    @Name("dev.buffers.PoolStatistics")
    @Label("Pool Statistics")
    @Description("What an open pool holds and has done so far")
    @Category("Buffers")
    @Enabled
    @StackTrace(false)
    @Period("10 s")
    static final class PoolStatistics extends Figures {
        @Label("Pool")
        @Description("Name of the pool")
        String pool = "";

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
        @Description("Acquires so far that were refused")
        long refused;

        @Label("Settings")
        @Description("All settings of the pool, each with where it comes from")
        String settings = "";
    }
}
