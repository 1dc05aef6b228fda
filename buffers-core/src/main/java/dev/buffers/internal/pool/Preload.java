// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.memory.Footprint;
import dev.buffers.internal.memory.PolicyMemory;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.monitor.OpenLeases;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Eraser;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.Slot;
import java.lang.invoke.MethodHandles;
import java.util.BitSet;
import java.util.List;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Initialises, when the first pool is made, the classes with an initialiser that making a pool does not initialise, and those that would
 * else be loaded under a monitor. A class whose initialiser overflows the stack or finds no heap can never be used afterwards.
 *
 * <p>One thread, the one that initialises {@link SlabPool}.
 */
final class Preload {
    private Preload() {}

    static void all() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            for (Class<?> each : List.of(
                    AcquireTrace.class,
                    Cutting.Reach.class,
                    Depot.class,
                    Eraser.class,
                    FlightEvents.class,
                    Footprint.class,
                    OpenLeases.class,
                    PolicyMemory.class,
                    Region.Charge.class,
                    ReturnStack.class,
                    Slot.class,
                    SlowAcquire.AtCap.class)) {
                lookup.ensureInitialized(each);
            }
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
        // These must link nothing between their two stores: an element that never comes would block the queue.
        MpmcVarHandleArrayQueue<Object> queue = new MpmcVarHandleArrayQueue<>(2);
        queue.relaxedOffer(queue);
        queue.relaxedPoll();
        new BitSet(1);
        Counters counters = new Counters(1); // links what runs in the midst of a tenancy, or under a monitor
        counters.acquired(AcquireOutcome.DEPOT, 0);
        counters.recycled(0);
        counters.refused(counters.takeLeastRefused());
        counters.waited(counters.begun(0) + counters.ended(0));
    }
}
