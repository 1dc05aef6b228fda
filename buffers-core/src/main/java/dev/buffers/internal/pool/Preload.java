// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.LeakReport;
import dev.buffers.PoolExhaustedException;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.memory.Footprint;
import dev.buffers.internal.memory.PolicyMemory;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.monitor.OpenLease;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.WaitQueue;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Eraser;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.text.DurationText;
import java.lang.invoke.MethodHandles;
import java.util.BitSet;
import java.util.List;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Initialises and links, when the first pool is made, the classes that the slow paths need and that making a pool does not initialise. A
 * class whose initialiser overflows the stack or finds no heap can never be used afterwards.
 *
 * <p>One thread, the one that initialises {@link SlabPool}.
 */
final class Preload {
    private static final List<Class<?>> CLASSES = List.of(
            AcquireTrace.class,
            Depot.class,
            DurationText.class,
            Eraser.class,
            FlightEvents.class,
            LeakReport.Acquisition.class,
            LeakReport.Touch.class,
            LeakReport.class,
            LeakTracker.class,
            Lease.class,
            Magazine.class,
            OpenLease.class,
            OpenLeases.class,
            PolicyMemory.class,
            PoolExhaustedException.class,
            Region.Charge.class,
            Footprint.class,
            Region.class,
            ReturnStack.class,
            Slab.class,
            Slot.class,
            SlotState.class,
            SlowAcquire.AtCap.class,
            Statistics.ClassFigures.class,
            Statistics.PoolFigures.class,
            Statistics.class,
            WaitQueue.Waiter.class);

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
        Counters counters = new Counters(1); // links what runs in the midst of a tenancy, or under a monitor
        counters.acquired(AcquireOutcome.DEPOT, 0);
        counters.recycled(0);
        counters.refused(counters.takeLeastRefused());
        counters.waited(counters.begun(0) + counters.ended(0));
    }
}
