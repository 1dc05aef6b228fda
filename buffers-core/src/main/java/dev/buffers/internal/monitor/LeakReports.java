// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.AcquireTrace;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports leases of one kind, lost or overdue, to Flight Recorder, the log and the leak listener. The log and the listener are the user's
 * code: the pool's own thread calls them ({@link Callbacks}).
 *
 * <p>{@link #found} is called by any thread that finds such a lease, with no lock held; the rest by the tick.
 */
public final class LeakReports {
    /*
     *   found: Flight Recorder --> unreported --the tick: report--> a callback: reportNow--> the log, then the listener
     *
     *   field                        written by                     mode                read by                mode
     *   unreported                   found; the callback            a concurrent queue  the tick, the callback
     *   pending                      found, up; the callback, down  atomic              any thread             volatile
     *   reporting                    report, to true; the callback, volatile            the tick               volatile
     *                                as it ends, to false
     *   isLast                       report                         plain               the callback, which begins after that
     *   overdue                      the tick                       volatile            the callback           volatile
     *   unlogged                     the callback                   volatile            the tick, the callback volatile
     *   lastLog, places,             the callback                   plain               the callback; report, once `reporting` says
     *   listenerFailed                                                                  that it has ended
     *
     * `unreported` is bounded: `pending` admits MOST_UNREPORTED from one callback to the next, and one more for each thread that is in
     * `found`. Each callback reports all that it finds. `places` is bounded too, and emptied by each line of the log.
     *
     * A lease is pending after its report is in `unreported`, and until it is unlogged. So a callback that logs a lease finds its report,
     * if there is one, and the tick sees each lease that is not in the log yet.
     */
    private static final int MOST_UNREPORTED = 10_000;
    private static final int MOST_PLACES = 200;
    private static final int MOST_SHOWN = 10;
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final PoolState pool;
    private final boolean ofLost;
    private final @Nullable Consumer<LeakReport> listener;
    private final ConcurrentLinkedQueue<LeakReport> unreported = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final Callbacks.Callback due = new Callbacks.Callback("a leak report", this::reportNow);
    private volatile boolean reporting;
    private boolean isLast;

    /** By which the last overdue lease was found. */
    private volatile @Nullable LeakTracking overdue;

    private volatile long unlogged;
    private long lastLog = System.nanoTime() - LOG_EVERY;

    /** The stacks that were found since the last line of the log, in the order in which they were found. */
    private final Map<List<StackTraceElement>, Place> places = new LinkedHashMap<>();

    private boolean listenerFailed;

    /** The leases of one stack. */
    private record Place(LeakReport first, int leases) {

        /** The first of them with its stack, and how many there are. */
        @Override
        public String toString() {
            String more = System.lineSeparator() + "\t(and " + (leases - 1) + " more with this stack)";
            return first + (leases > 1 ? more : "");
        }
    }

    /** @param ofLost whether it reports lost leases, or else overdue ones */
    public LeakReports(PoolState pool, boolean ofLost, @Nullable Consumer<LeakReport> listener) {
        this.pool = pool;
        this.ofLost = ofLost;
        this.listener = listener;
    }

    /**
     * Notes a lease of this kind: an event, and a report for the log and the listener. Returns false when there is no heap for the report,
     * or so many wait that no more may be added. A lost lease is counted all the same; an overdue one is as if it was not found.
     */
    public boolean found(int capacity, @Nullable AcquireTrace trace, long now) {
        boolean added = false;
        try {
            if (pending.get() < MOST_UNREPORTED) {
                LeakReport report = new OpenLease(pool.name(), capacity, trace).report(ofLost, now);
                unreported.add(report);
                added = true;
                FlightEvents.leaseFound(report);
            }
        } catch (OutOfMemoryError e) {
            // The next line of the log says how many were lost.
        } finally {
            if (added || ofLost) {
                pending.incrementAndGet();
            }
        }
        return added;
    }

    /**
     * Notes those of the open leases that are out for longer than {@code leaks=older} allows, each of them once. Those for which there is
     * no room or heap are found again by the next call.
     */
    public void findOverdue(Supplier<List<OpenLease>> open, long now) {
        LeakTracking present = pool.leaks();
        if (present.kind() != LeakTracking.Kind.OLDER) {
            return;
        }
        long threshold = present.threshold().toNanos();
        try {
            for (OpenLease lease : open.get()) {
                AcquireTrace trace = lease.trace();
                if (trace != null && !trace.reported && now - trace.nanoTime > threshold) {
                    overdue = present;
                    if (!found(lease.capacity(), trace, now)) {
                        return;
                    }
                    trace.reported = true;
                }
            }
        } catch (OutOfMemoryError e) {
            // The next call has the list.
        }
    }

    /**
     * Reports the leases that were noted since the last time. The log gets a line for the first, and then at most one a minute: with each
     * stack since the line before and how many leases it stands for, those with the most leases first.
     *
     * @param isLast whether the pool is closed and no lease is out: the log gets the last line at once, because such a pool may be
     *     collected at any time
     */
    public void report(boolean isLast) {
        if (!reporting) {
            this.isLast = isLast;
            if (pending.get() > 0 || !unreported.isEmpty() || isLogDue()) {
                reporting = true;
                pool.call(due);
            }
        }
    }

    /** Whether nothing is left for the listener and the log. */
    public boolean isAllReported() {
        return unreported.isEmpty() && pending.get() == 0 && unlogged == 0;
    }

    private boolean isLogDue() {
        return unlogged > 0 && (isLast || System.nanoTime() - lastLog >= LOG_EVERY);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one callback at a time writes it
    private void reportNow() {
        try {
            int found = pending.get();
            unlogged += found;
            pending.addAndGet(-found);
            int left = unreported.size(); // and no more, so that the log has its turn
            unreported.stream().limit(left).forEach(this::count);
            if (isLogDue()) {
                String line = line();
                places.clear();
                unlogged = 0;
                lastLog = System.nanoTime();
                Callbacks.warn(line, null);
            }
            for (; left > 0; left--) {
                report(unreported.remove());
            }
        } finally {
            reporting = false;
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

    private void count(LeakReport report) {
        List<StackTraceElement> stack =
                report.acquisition().map(LeakReport.Acquisition::stack).orElse(List.of());
        if (places.size() < MOST_PLACES || places.containsKey(stack)) {
            places.merge(stack, new Place(report, 1), (place, one) -> new Place(place.first, place.leases + 1));
        }
    }

    private String line() {
        Place unknown = places.remove(List.of());
        List<Place> shown = places.values().stream()
                .sorted(Comparator.comparingInt(Place::leases).reversed()) // stable
                .limit(MOST_SHOWN)
                .toList();
        String text = shown.stream().map(Place::toString).collect(Collectors.joining(System.lineSeparator()));
        long more = unlogged - shown.stream().mapToLong(Place::leases).sum();
        if (shown.isEmpty()) {
            text = unknown == null ? "pool=" + pool.name() : unknown.first.toString();
            more -= unknown == null ? 0 : 1;
        }
        String what = ofLost
                ? "a lease was lost, dropped without release: "
                : "a lease is out for longer than leaks=" + overdue + " allows: ";
        return what + text + (more > 0 ? "; and " + more + " more" : "") + (ofLost ? advice(shown.isEmpty()) : "");
    }

    private String advice(boolean withoutStack) {
        if (pool.settings().guard()) {
            return ""; // every stack is kept
        }
        String all = "set " + pool.settings().where("leaks", "all");
        return switch (pool.leaks().kind()) {
            case COUNT -> "; " + all + " to see where such leases were acquired";
            case SAMPLE -> withoutStack ? "; none of them had its stack kept: wait for more, or " + all : "";
            default -> "";
        };
    }
}
