package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.ChannelBuffers;
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
import dev.buffers.internal.monitor.LostLeases;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.DaemonThreads;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Fill;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabLists;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.text.DurationText;
import java.lang.invoke.MethodHandles;
import java.util.BitSet;
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
            AcquireTrace.class,
            BuiltInPolicy.class,
            Caches.class,
            Callbacks.Callback.class,
            Callbacks.class,
            ChannelBuffers.class,
            Counters.class,
            DaemonThreads.class,
            Depot.class,
            DurationText.class,
            Exhaustion.class,
            Fill.class,
            FlightEvents.class,
            HandOff.class,
            LeakReport.Acquisition.class,
            LeakReport.Touch.class,
            LeakReport.class,
            Lease.class,
            LostLeases.class,
            Magazine.class,
            MaintenanceThread.class,
            OpenLeases.class,
            PoolExhaustedException.class,
            PoolStats.SizeClass.class,
            PoolStats.class,
            PooledBuffer.class,
            Reclaiming.class,
            Refusals.class,
            Region.Charge.class,
            Region.Footprint.class,
            Region.class,
            RegionAllocator.class,
            ReleaseOutcome.class,
            ReturnStack.class,
            Revocation.class,
            Slab.class,
            SlabGrowth.class,
            SlabLists.class,
            SlabStore.class,
            Slot.class,
            SlotState.class,
            SlowAcquire.AtCap.class,
            SlowAcquire.class,
            SlowRelease.class,
            StackProbe.class,
            Statistics.class,
            ThreadCache.class,
            ThreadCaches.class,
            WaitQueue.Waiter.class,
            WaitQueue.class,
            WaitingAcquire.class,
            WakeUps.class);

    private Preload() {}

    /**
     * Does it.
     *
     * @param more a class that this one must not name
     */
    static void all(Class<?> more) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            lookup.ensureInitialized(more);
            for (Class<?> each : CLASSES) {
                lookup.ensureInitialized(each);
            }
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
        // These must link nothing between their two stores: an element that never comes would block the queue.
        MpmcVarHandleArrayQueue<Object> queue = new MpmcVarHandleArrayQueue<>(2);
        queue.relaxedOffer(queue);
        queue.relaxedPoll();
        StackProbe.check();
        new BitSet(1);
    }
}
