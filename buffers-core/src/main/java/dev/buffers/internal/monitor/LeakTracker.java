package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.internal.signals.Callbacks;
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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which leases keep a stack trace, and reports the leases that were lost.
 *
 * <p>{@link #trace} is called by any thread that acquires, {@link #lost} by any thread that finds a loss, {@link #report} by the tick. The
 * log and the listener are the user's code: the pool's own thread calls them ({@link Callbacks}).
 */
public final class LeakTracker {
    /*
     * Every n-th acquire is counted in stripes by thread id, in plain fields. Two threads on one stripe may lose a count of each other: a
     * sample comes a little later then, and no acquire pays an atomic step.
     *
     *   lost --> found --the tick: report, to Flight Recorder--> unreported --a callback: reportNow--> the log, then the listener
     *
     *   field                        written by                     mode                read by                mode
     *   found                        lost; the tick                 a concurrent queue  the tick
     *   unreported                   the tick; the callback         a concurrent queue  the tick, the callback
     *   pending                      lost; the callback, to 0       atomic              lost, the callback     volatile
     *   reporting                    report, to true; the callback, atomic              report                 volatile
     *                                as it ends, to false
     *   reported, logged, lastLog,   the callback                   plain               the callback; report, once `reporting` says
     *   listenerFailed                                                                  that it has ended
     *
     * Both queues are bounded: `pending` admits MOST_UNREPORTED from one callback to the next, and each callback reports all that it finds.
     */
    private static final int STRIPES = 64;
    private static final int SPACING = 16;
    private static final int MOST_A_SECOND = 100;
    private static final int MOST_UNREPORTED = 10_000;
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final PoolState pool;
    private final LeakTracking tracking;
    private final @Nullable Consumer<LeakReport> listener;
    private final int every;
    private final int[] counts;
    private final long[] seconds;
    private final ConcurrentLinkedQueue<LeakReport> found = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<LeakReport> unreported = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicBoolean reporting = new AtomicBoolean();
    private final Callbacks.Callback due = new Callbacks.Callback("a leak report", this::reportNow);
    private long reported;
    private long logged;
    private long lastLog;
    private boolean listenerFailed;

    public LeakTracker(PoolState pool, LeakTracking tracking, @Nullable Consumer<LeakReport> listener) {
        boolean samples = tracking.kind() == LeakTracking.Kind.SAMPLE;
        this.pool = pool;
        this.tracking = tracking;
        this.listener = listener;
        this.every = tracking.kind() == LeakTracking.Kind.COUNT ? 0 : tracking.every();
        this.counts = new int[samples ? STRIPES * SPACING : 0];
        this.seconds = new long[samples ? STRIPES * SPACING : 0];
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
            if (pending.incrementAndGet() <= MOST_UNREPORTED) {
                found.add(reportOf(slot, state, System.nanoTime()));
            }
        } catch (OutOfMemoryError e) {
            // The next report says how many there were.
        }
    }

    private static void record(LeakReport report) {
        int size = report.acquisition().map(LeakReport.Acquisition::size).orElse(-1);
        long age = report.acquisition().map(known -> known.age().toNanos()).orElse(-1L);
        String thread = report.acquisition().map(LeakReport.Acquisition::thread).orElse("");
        FlightEvents.leaked(report.pool(), report.capacity(), size, age, thread, report.stackText());
    }

    /** Called by the tick: reports the leases lost since the last time. The log gets the first, and then a line at most once a minute. */
    public void report() {
        for (LeakReport report = found.poll(); report != null; report = found.poll()) {
            try {
                record(report);
            } finally {
                unreported.add(report);
            }
        }
        if (!reporting.get() && (!unreported.isEmpty() || isLogDue()) && reporting.compareAndSet(false, true)) {
            pool.call(due);
        }
    }

    /** Whether no report is left for the listener. */
    public boolean isAllReported() {
        return found.isEmpty() && unreported.isEmpty();
    }

    private boolean isLogDue() {
        return reported > logged && (logged == 0 || System.nanoTime() - lastLog >= LOG_EVERY);
    }

    private void reportNow() {
        try {
            reported += pending.getAndSet(0);
            if (isLogDue()) {
                String line = line(unreported.peek());
                logged = reported;
                lastLog = System.nanoTime();
                Callbacks.warn(line, null);
            }
            for (int left = unreported.size(); left > 0; left--) { // and no more, so that the log has its turn
                report(unreported.remove());
            }
        } finally {
            reporting.set(false);
        }
    }

    private void report(LeakReport report) {
        try {
            if (listener != null) {
                listener.accept(report);
            }
        } catch (Throwable e) {
            if (!listenerFailed) {
                listenerFailed = true;
                Callbacks.warn("the leak listener has thrown: pool=" + pool.name(), e);
            }
        }
    }

    private String line(@Nullable LeakReport first) {
        long more = reported - logged - (first == null ? 0 : 1);
        String hint = tracking.kind() == LeakTracking.Kind.COUNT
                ? "; set -Dbuffers." + pool.settings().name()
                        + ".leaks=sample:128, or all, to see where such leases were acquired"
                : "";
        return "a lease was lost, dropped without release: " + (first == null ? "pool=" + pool.name() : first)
                + (more > 0 ? "; and " + more + " more" : "") + hint;
    }

    /** What is known of the tenancy in which a slot is, with its age at {@code now}, a {@link System#nanoTime}. */
    static LeakReport reportOf(Slot slot, long state, long now) {
        AcquireTrace trace = slot.trace;
        Optional<LeakReport.Acquisition> acquisition = trace == null || !trace.isOf(state)
                ? Optional.empty()
                : Optional.of(new LeakReport.Acquisition(
                        trace.size, Duration.ofNanos(Math.max(0, now - trace.nanoTime)), trace.thread, trace.stack()));
        return new LeakReport(slot.pool().name(), slot.size(), acquisition);
    }

    /** What is known of the open leases, the oldest first, those of unknown age last. */
    public static List<LeakReport> open(SlabStore slabs) {
        List<LeakReport> open = new ArrayList<>();
        long now = System.nanoTime(); // one time for all, since making a report takes longer than many an acquire
        for (Slab slab : slabs.all()) {
            slabs.eachOut(slab, slot -> {
                long state = slot.stateVolatile();
                if (SlotState.isHeld(state)) {
                    open.add(reportOf(slot, state, now));
                }
            });
        }
        open.sort(Comparator.comparing(
                report -> report.acquisition().map(LeakReport.Acquisition::age).orElse(Duration.ZERO),
                Comparator.reverseOrder()));
        return open;
    }
}
