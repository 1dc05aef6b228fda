package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.Exhaustion;
import dev.buffers.LeakReport;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.cache.ThreadCache;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.DaemonThreads;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabLists;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.text.DurationText;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Initialises and links, when the first pool is made, the classes that the slow paths need. A class whose initialiser overflows the stack
 * or finds no heap can never be used afterwards.
 *
 * <p>One thread, the one that initialises {@link SlabPool}.
 */
final class Preload {
    private static final List<Class<?>> CLASSES = List.of(
            AcquireOutcome.class,
            BuiltInPolicy.class,
            Callbacks.class,
            Callbacks.Callback.class,
            Counters.class,
            DaemonThreads.class,
            Depot.class,
            DurationText.class,
            Exhaustion.class,
            FlightEvents.class,
            SlabGrowth.class,
            LeakReport.class,
            LeakReport.Acquisition.class,
            Magazine.class,
            ThreadCache.class,
            PoolExhaustedException.class,
            PoolStats.class,
            PoolStats.SizeClass.class,
            PooledBuffer.class,
            Revocation.class,
            Region.class,
            Region.Footprint.class,
            RegionAllocator.class,
            ReleaseOutcome.class,
            SlowRelease.class,
            HandOff.class,
            Slab.class,
            SlabLists.class,
            SlabStore.class,
            Slot.class,
            StackProbe.class,
            SlowAcquire.class,
            Statistics.class,
            ThreadCaches.class,
            AcquireTrace.class,
            MaintenanceThread.class,
            WaitQueue.class,
            WaitQueue.Waiter.class,
            WakeUps.class,
            WaitingAcquire.class);

    private Preload() {}

    static void all() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (Class<?> each : CLASSES) {
            try {
                lookup.ensureInitialized(each);
            } catch (IllegalAccessException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
        // These must link nothing between their two stores: an element that never comes would block the queue.
        MpmcVarHandleArrayQueue<Object> queue = new MpmcVarHandleArrayQueue<>(2);
        queue.relaxedOffer(queue);
        queue.relaxedPoll();
        StackProbe.check();
    }
}
