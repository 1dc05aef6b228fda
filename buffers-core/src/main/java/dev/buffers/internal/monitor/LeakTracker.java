// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.internal.memory.CollectionSign;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.slab.SlotState;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which leases keep a stack trace, and finds the leases that were lost or are out for too long. {@link LeakReports} reports them.
 *
 * <p>{@link #trace} and {@link #isDue} are called by any thread; the rest by the tick.
 */
public final class LeakTracker {
    /*
     * Samples are taken at random, so that a program that always loses the same one of several leases is found. `rates` has two figures
     * for all threads whose ids end alike: the second of the last sample, and the samples in that second. They are plain: two such threads
     * may overwrite each other's figures, and then keep some stacks more.
     *
     * The tick alone polls the queue of lost slots, on a platform thread: on Java 21 a lock guards the queue, and the thread of the JVM
     * that enqueues the references of all code needs it. A virtual thread that was to have the lock might not run for long.
     *
     * An overdue lease is found through its slot, which is out and has the trace of its present tenancy. Nothing here refers to leases or
     * views.
     */
    private static final int RATES = 64;
    private static final int MOST_A_SECOND = 100;

    private final SlotOwner pool;
    private final SlabStore slabs;
    private final LeakReports lost;
    private final LeakReports overdue;
    private final long[] rates = new long[2 * RATES];
    private final CollectionSign sign = new CollectionSign();

    public LeakTracker(SlotOwner pool, SlabStore slabs, @Nullable Consumer<LeakReport> listener) {
        this.pool = pool;
        this.slabs = slabs;
        this.lost = new LeakReports(pool, true, listener);
        this.overdue = new LeakReports(pool, false, listener);
    }

    /** The trace to keep of the lease that is just being acquired; mostly null. */
    public @Nullable AcquireTrace trace(long stamp, int size) {
        LeakTracking now = pool.leaks();
        LeakTracking.Kind kind = now.kind(); // no switch: its class would have an initialiser
        boolean keeps = kind == LeakTracking.Kind.SAMPLE ? isSampled(now.every()) : kind != LeakTracking.Kind.COUNT;
        return keeps ? new AcquireTrace(stamp, size) : null;
    }

    private boolean isSampled(int every) {
        if (ThreadLocalRandom.current().nextInt(every) > 0) {
            return false;
        }
        int at = 2 * ((int) Thread.currentThread().getId() & RATES - 1);
        long second = System.nanoTime() / 1_000_000_000;
        if (rates[at] != second) {
            rates[at] = second;
            rates[at + 1] = 0;
        }
        return rates[at + 1]++ < MOST_A_SECOND;
    }

    /** Whether a collection has ended since the last {@link #collect}; true to one refused thread, which then requests a tick. */
    public boolean isDue() {
        return sign.takeSeen();
    }

    /** Takes from the collector's queue the slots whose view no lease holds any more, and retires those that were not given back. */
    public void collect() {
        WeakReference<Object> next = CollectionSign.next();
        for (Reference<?> found = pool.lost.poll(); found != null; found = pool.lost.poll()) {
            Slot slot = (Slot) found;
            long state = slot.stateVolatile();
            if (slabs.retire(slot)) { // its lease was forgotten or never made, or its release has failed
                pool.counters.leaked(slot.sizeClass());
                lost(slot, state);
                slot.trace = null;
            }
        }
        sign.set(next);
    }

    /** Notes a lost lease, in the tenancy {@code state} of its slot. */
    public void lost(Slot slot, long state) {
        lost.found(slot.size(), traceOf(slot, state), System.nanoTime());
    }

    /** Called by the tick, once a second: {@link LeakReports#findOverdue}. */
    public void findOverdue(long now) {
        overdue.findOverdue(this::openLeases, now);
    }

    /** Called by the tick: reports the leases that were noted since the last time. */
    public void report(boolean isLast) {
        lost.report(isLast);
        overdue.report(isLast);
    }

    /** Whether nothing is left for the listener and the log. */
    public boolean isAllReported() {
        return lost.isAllReported() && overdue.isAllReported();
    }

    /** The leases that are out, in a new list. A slot that is out may also be in some cache. */
    public List<OpenLease> openLeases() {
        List<OpenLease> open = new ArrayList<>();
        for (Slab slab : slabs.all()) {
            for (Slot slot : slabs.out(slab)) {
                long state = slot.stateVolatile();
                if (SlotState.isHeld(state)) {
                    open.add(new OpenLease(pool.name(), slot.size(), traceOf(slot, state)));
                }
            }
        }
        return open;
    }

    /** The trace of the slot's tenancy, if it is in this state; null if none was kept. The end of a tenancy raises the generation. */
    private static @Nullable AcquireTrace traceOf(Slot slot, long state) {
        AcquireTrace trace = slot.trace;
        return trace != null && trace.isOf(state) ? trace : null;
    }
}
