// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports leases of one kind, lost or overdue, to Flight Recorder, the log and the leak listener. The log and the listener are the user's
 * code: the pool's own thread calls them ({@link Callbacks}).
 *
 * <p>{@link #count} and {@link #add} are called by any thread that finds such a lease, {@link #report} by the tick.
 */
public final class LeakReports {
    /*
     *   add --> found --the tick: report, to Flight Recorder--> unreported --a callback: reportNow--> the log, then the listener
     *
     *   field                        written by                     mode                read by                mode
     *   found                        add; the tick                  a concurrent queue  the tick
     *   unreported                   the tick; the callback         a concurrent queue  the tick, the callback
     *   pending                      count; the callback, to 0      atomic              count, the callback    volatile
     *   reporting                    report, to true; the callback, atomic              report                 volatile
     *                                as it ends, to false
     *   reported, logged, lastLog,   the callback                   plain               the callback; report, once `reporting` says
     *   places, listenerFailed                                                          that it has ended
     *
     * Both queues are bounded: `pending` admits MOST_UNREPORTED from one callback to the next, and each callback reports all that it finds.
     * `places` is bounded too, and emptied by each line of the log.
     */
    private static final int MOST_UNREPORTED = 10_000;
    private static final int MOST_PLACES = 200;
    private static final int MOST_SHOWN = 10;
    private static final Comparator<Place> MOST_FIRST =
            Comparator.comparingLong((Place place) -> -place.leases).thenComparingLong(place -> place.number);
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final PoolState pool;
    private final Supplier<String> what;
    private final Function<Boolean, String> advice;
    private final @Nullable Consumer<LeakReport> listener;
    private final ConcurrentLinkedQueue<LeakReport> found = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<LeakReport> unreported = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicBoolean reporting = new AtomicBoolean();
    private final Callbacks.Callback due = new Callbacks.Callback("a leak report", this::reportNow);
    private long reported;
    private long logged;
    private long lastLog;

    /** The stacks that were found since the last line of the log. */
    private final Map<List<StackTraceElement>, Place> places = new HashMap<>();

    private boolean listenerFailed;

    /** The leases of one stack. */
    private static final class Place {
        final LeakReport first;
        final int number;
        long leases;

        Place(LeakReport first, int number) {
            this.first = first;
            this.number = number;
        }
    }

    /**
     * @param what text for such a lease in the log
     * @param advice the end of a log line; it gets whether none of the leases has a stack
     */
    public LeakReports(
            PoolState pool,
            Supplier<String> what,
            Function<Boolean, String> advice,
            @Nullable Consumer<LeakReport> listener) {
        this.pool = pool;
        this.what = what;
        this.advice = advice;
        this.listener = listener;
    }

    /** Counts one more lease of this kind. Returns false when so many wait for their report that no more may be added. */
    public boolean count() {
        return pending.incrementAndGet() <= MOST_UNREPORTED;
    }

    /** Whether {@link #count} would return false. */
    public boolean isFull() {
        return pending.get() >= MOST_UNREPORTED;
    }

    /** Adds the report of a lease that was counted, for the next tick. */
    public void add(LeakReport report) {
        found.add(report);
    }

    /**
     * Called by the tick: reports the leases that were added since the last time. The log gets a line for the first, and then at most one a
     * minute: with each stack since the line before and how many leases it stands for, those with the most leases first.
     */
    public void report() {
        for (LeakReport report = found.poll(); report != null; report = found.poll()) {
            unreported.add(report);
            FlightEvents.leaseFound(report);
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
            int left = unreported.size(); // and no more, so that the log has its turn
            unreported.stream().limit(left).forEach(this::count);
            if (isLogDue()) {
                String line = line();
                places.clear();
                logged = reported;
                lastLog = System.nanoTime();
                Callbacks.warn(line, null);
            }
            for (; left > 0; left--) {
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

    private void count(LeakReport report) {
        List<StackTraceElement> stack =
                report.acquisition().map(LeakReport.Acquisition::stack).orElse(List.of());
        Place place = places.get(stack);
        if (place == null && places.size() < MOST_PLACES) {
            place = new Place(report, places.size());
            places.put(stack, place);
        }
        if (place != null) {
            place.leases++;
        }
    }

    private String line() {
        long more = reported - logged;
        StringBuilder line = new StringBuilder(what.get());
        Place unknown = places.remove(List.of());
        String separator = "";
        for (Place place :
                places.values().stream().sorted(MOST_FIRST).limit(MOST_SHOWN).toList()) {
            line.append(separator).append(place.first);
            if (place.leases > 1) {
                line.append(System.lineSeparator())
                        .append("\t(and ")
                        .append(place.leases - 1)
                        .append(" more with this stack)");
            }
            separator = System.lineSeparator();
            more -= place.leases;
        }
        boolean withoutStack = places.isEmpty();
        if (withoutStack) {
            line.append(unknown == null ? "pool=" + pool.name() : unknown.first);
            more -= unknown == null ? 0 : 1;
        }
        return line + (more > 0 ? "; and " + more + " more" : "") + advice.apply(withoutStack);
    }
}
