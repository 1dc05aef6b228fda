package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
     *   listenerFailed                                                                  that it has ended
     *
     * Both queues are bounded: `pending` admits MOST_UNREPORTED from one callback to the next, and each callback reports all that it finds.
     */
    private static final int MOST_UNREPORTED = 10_000;
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final PoolState pool;
    private final Supplier<String> what;
    private final Supplier<String> advice;
    private final int shown;
    private final @Nullable Consumer<LeakReport> listener;
    private final ConcurrentLinkedQueue<LeakReport> found = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<LeakReport> unreported = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicBoolean reporting = new AtomicBoolean();
    private final Callbacks.Callback due = new Callbacks.Callback("a leak report", this::reportNow);
    private long reported;
    private long logged;
    private long lastLog;
    private boolean listenerFailed;

    /**
     * @param what text for such a lease in the log
     * @param advice what the log says at the end
     * @param shown how many of them a line of the log shows
     */
    public LeakReports(
            PoolState pool,
            Supplier<String> what,
            Supplier<String> advice,
            int shown,
            @Nullable Consumer<LeakReport> listener) {
        this.pool = pool;
        this.what = what;
        this.advice = advice;
        this.shown = shown;
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

    /** Called by the tick: reports what was added since the last time. The log gets the first, and then a line at most once a minute. */
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
            if (isLogDue()) {
                String line = line();
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

    private String line() {
        String begin = what.get();
        StringBuilder line = new StringBuilder(begin);
        long more = reported - logged;
        Iterator<LeakReport> waiting = unreported.iterator();
        for (int i = 0; i < shown && waiting.hasNext(); i++) {
            line.append(i == 0 ? "" : System.lineSeparator()).append(waiting.next());
            more--;
        }
        if (line.length() == begin.length()) {
            line.append("pool=").append(pool.name());
        }
        return line + (more > 0 ? "; and " + more + " more" : "") + advice.get();
    }
}
