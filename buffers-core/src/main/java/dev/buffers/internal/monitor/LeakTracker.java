package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which leases keep a stack trace, and finds the leases that are out for too long. They and the lost ones are reported
 * ({@link LeakReports}).
 *
 * <p>{@link #trace} is called by any thread that acquires, {@link #lost} by any thread that finds a loss, {@link #findOverdue} and
 * {@link #report} by the tick.
 */
public final class LeakTracker {
    /*
     * Every n-th acquire is counted in stripes by thread id, in plain fields. Two threads on one stripe may overwrite each other's count: the
     * next sample then comes a little later. In return no acquire pays an atomic step.
     *
     * An overdue lease is found through its slot, which is out and has the trace of its present tenancy. Nothing here refers to leases or
     * views.
     */
    private static final int STRIPES = 64;
    private static final int SPACING = 16;
    private static final int MOST_A_SECOND = 100;
    private static final int OVERDUE_SHOWN = 10;

    private final int every;
    private final int[] counts;
    private final long[] seconds;
    private final LeakReports lost;
    private final @Nullable LeakReports overdue;
    private final long threshold;

    public LeakTracker(PoolState pool, LeakTracking tracking, @Nullable Consumer<LeakReport> listener) {
        LeakTracking.Kind kind = tracking.kind();
        int sampled = kind == LeakTracking.Kind.SAMPLE ? STRIPES * SPACING : 0;
        this.every = kind == LeakTracking.Kind.COUNT ? 0 : tracking.every();
        this.counts = new int[sampled];
        this.seconds = new long[sampled];
        String advice = kind == LeakTracking.Kind.COUNT
                ? "; set -Dbuffers." + pool.settings().name()
                        + ".leaks=sample:128, or all, to see where such leases were acquired"
                : "";
        this.lost = new LeakReports(
                pool, "a lease was lost, dropped without release: ", advice, 1, FlightEvents::leaseFound, listener);
        if (kind == LeakTracking.Kind.OLDER) {
            threshold = tracking.threshold().toNanos();
            String what = "a lease is out for longer than leaks=" + tracking + " allows: ";
            overdue = new LeakReports(pool, what, "", OVERDUE_SHOWN, FlightEvents::leaseFound, listener);
        } else {
            threshold = Long.MAX_VALUE;
            overdue = null;
        }
    }

    public boolean keepsStacks() {
        return every > 0;
    }

    /** The trace to keep of the lease that is just being acquired; mostly null. */
    public @Nullable AcquireTrace trace(long stamp, int size) {
        if (counts.length > 0) {
            int at = ((int) Thread.currentThread().getId() & STRIPES - 1) * SPACING;
            int n = counts[at] + 1;
            if (n < every) {
                counts[at] = n;
                return null;
            }
            counts[at] = 0;
            if (!isWithinRate(at)) {
                return null;
            }
        }
        return new AcquireTrace(stamp, size);
    }

    private boolean isWithinRate(int at) {
        long second = System.nanoTime() / 1_000_000_000;
        if (seconds[at] != second) {
            seconds[at] = second;
            seconds[at + 1] = 0;
        }
        return seconds[at + 1]++ < MOST_A_SECOND;
    }

    /** Notes a lost lease, in the tenancy {@code state} of its slot. Without heap for a report the lease is only counted. */
    public void lost(Slot slot, long state) {
        try {
            if (lost.count()) {
                lost.add(reportOf(slot, state, true, System.nanoTime()));
            }
        } catch (OutOfMemoryError e) {
            // The next report says how many there were.
        }
    }

    /** Called by the tick, once a second: notes the leases that are out for longer than {@code leaks=older} allows, each of them once. */
    public void findOverdue(SlabStore slabs, long now) {
        if (overdue == null) {
            return;
        }
        try {
            List<Slot> found = new ArrayList<>();
            for (Slab slab : slabs.all()) {
                slabs.eachOut(slab, slot -> {
                    if (overdueTrace(slot, now) != null) {
                        found.add(slot);
                    }
                });
            }
            for (Slot slot : found) { // with no lock held: to read a stack takes long
                AcquireTrace trace = overdueTrace(slot, now);
                if (trace != null && !overdue.isFull()) { // else the next look finds it again
                    LeakReport report = new LeakReport(
                            slot.pool().name(), slot.size(), false, Optional.of(acquisition(trace, now)));
                    overdue.count();
                    overdue.add(report);
                    trace.reported = true;
                }
            }
        } catch (OutOfMemoryError e) {
            // The next look finds those that were not noted.
        }
    }

    /** The trace of the tenancy in which this slot is, if it has lasted too long and was not reported; mostly null. */
    private @Nullable AcquireTrace overdueTrace(Slot slot, long now) {
        AcquireTrace trace = slot.trace;
        if (trace == null || trace.reported || now - trace.nanoTime <= threshold) {
            return null;
        }
        return trace.isOf(slot.stateVolatile()) ? trace : null; // the end of a tenancy raises the generation
    }

    /** Called by the tick: reports the leases that were noted since the last time. */
    public void report() {
        lost.report();
        if (overdue != null) {
            overdue.report();
        }
    }

    /** Whether no report is left for the listener. */
    public boolean isAllReported() {
        return lost.isAllReported() && (overdue == null || overdue.isAllReported());
    }

    /** What is known of the tenancy in which a slot is, with its age at {@code now}, a {@link System#nanoTime}. */
    static LeakReport reportOf(Slot slot, long state, boolean lost, long now) {
        AcquireTrace trace = slot.trace;
        return new LeakReport(
                slot.pool().name(),
                slot.size(),
                lost,
                trace == null || !trace.isOf(state) ? Optional.empty() : Optional.of(acquisition(trace, now)));
    }

    private static LeakReport.Acquisition acquisition(AcquireTrace trace, long now) {
        return new LeakReport.Acquisition(trace.size, trace.age(now), trace.thread, trace.stack(), trace.touches());
    }

    /** What is known of the open leases, the oldest first, those of unknown age last. */
    public static List<LeakReport> open(SlabStore slabs) {
        List<LeakReport> open = new ArrayList<>();
        long now = System.nanoTime(); // one time for all, since making a report takes longer than many an acquire
        for (Slab slab : slabs.all()) {
            slabs.eachOut(slab, slot -> {
                long state = slot.stateVolatile();
                if (SlotState.isHeld(state)) {
                    open.add(reportOf(slot, state, false, now));
                }
            });
        }
        open.sort(Comparator.comparing(
                report -> report.acquisition().map(LeakReport.Acquisition::age).orElse(Duration.ZERO),
                Comparator.reverseOrder()));
        return open;
    }
}
