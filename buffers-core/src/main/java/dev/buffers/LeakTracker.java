package dev.buffers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which leases keep a stack, and who is told of those that were lost.
 *
 * <p>{@link #trace} by any thread that acquires, {@link #lost} by any thread that hears of a loss; {@link #tell} by the tick alone, with
 * no lock held: the listener is the user's.
 */
final class LeakTracker {
    /*
     * Every n-th acquire is counted by stripes of the thread's id, in plain fields: two threads on one stripe may lose a
     * count to each other, which makes a sample come a little later and costs neither of them an atomic step.
     */
    private static final int STRIPES = 64;
    private static final int SPACING = 16;
    private static final int MOST_A_SECOND = 100;
    private static final int MOST_UNTOLD = 10_000;
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final SlabPool pool;
    private final LeakTracking tracking;
    private final @Nullable Consumer<LeakReport> listener;
    private final int every;
    private final int[] counts;
    private final long[] seconds;
    private final ConcurrentLinkedQueue<LeakReport> untold = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /* By the tick alone. */
    private long told;
    private long logged;
    private long lastLog;
    private boolean listenerFailed;

    LeakTracker(SlabPool pool, LeakTracking tracking, @Nullable Consumer<LeakReport> listener) {
        boolean samples = tracking.kind() == LeakTracking.Kind.SAMPLE;
        this.pool = pool;
        this.tracking = tracking;
        this.listener = listener;
        this.every = tracking.kind() == LeakTracking.Kind.COUNT ? 0 : tracking.every();
        this.counts = new int[samples ? STRIPES * SPACING : 0];
        this.seconds = new long[samples ? STRIPES * SPACING : 0];
    }

    boolean keepsStacks() {
        return every > 0;
    }

    /** What to keep of the lease that is just being acquired; mostly nothing. */
    @Nullable Trace trace(long stamp, int size) {
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
        return new Trace(stamp, size);
    }

    private boolean isWithinRate(int at) {
        long second = System.nanoTime() / 1_000_000_000;
        if (seconds[at] != second) {
            seconds[at] = second;
            seconds[at + 1] = 0;
        }
        return seconds[at + 1]++ < MOST_A_SECOND;
    }

    /** A lease was lost, in the tenancy {@code state} of its slot. Without heap for a report it is only counted. */
    void lost(Slot slot, long state) {
        try {
            if (waiting.incrementAndGet() <= MOST_UNTOLD) {
                untold.add(LeakReport.of(slot, state, System.nanoTime()));
            }
        } catch (OutOfMemoryError e) {
            // The next report says how many there were.
        }
    }

    /** Tells whoever wants to know of all that was lost since; says the first of it, and then once a minute, to the log. */
    void tell() {
        List<LeakReport> due = new ArrayList<>();
        for (LeakReport report = untold.poll(); report != null; report = untold.poll()) {
            due.add(report);
        }
        if (!due.isEmpty()) {
            told += waiting.getAndSet(0);
            due.forEach(this::tell);
        }
        long now = System.nanoTime();
        if (told > logged && (logged == 0 || now - lastLog >= LOG_EVERY)) {
            log(due.isEmpty() ? null : due.get(0));
            logged = told;
            lastLog = now;
        }
    }

    private void tell(LeakReport report) {
        int size = report.acquisition().map(LeakReport.Acquisition::size).orElse(-1);
        long age = report.acquisition().map(known -> known.age().toNanos()).orElse(-1L);
        String thread = report.acquisition().map(LeakReport.Acquisition::thread).orElse("");
        FlightEvents.leaked(report.pool(), report.capacity(), size, age, thread, report.stackText());
        if (listener != null) {
            try {
                listener.accept(report);
            } catch (Throwable e) {
                if (!listenerFailed) {
                    listenerFailed = true;
                    logger().log(System.Logger.Level.WARNING, "the leak listener has thrown: pool=" + pool.name(), e);
                }
            }
        }
    }

    private void log(@Nullable LeakReport first) {
        long more = told - logged - (first == null ? 0 : 1);
        String hint = tracking.kind() == LeakTracking.Kind.COUNT
                ? "; set -Dbuffers." + pool.settings().name()
                        + ".leaks=sample:128, or all, to see where such leases were acquired"
                : "";
        logger().log(
                        System.Logger.Level.WARNING,
                        "a lease was lost, dropped without release: " + (first == null ? "pool=" + pool.name() : first)
                                + (more > 0 ? "; and " + more + " more" : "") + hint);
    }

    private static System.Logger logger() {
        return System.getLogger("dev.buffers");
    }

    /** What is known of the leases that are out, those that have been so for longest first, those of unknown age last. */
    static List<LeakReport> open(Slabs slabs) {
        List<LeakReport> open = new ArrayList<>();
        long now = System.nanoTime(); // the same for all, since making a report takes longer than many an acquire
        for (Slab slab : slabs.all()) {
            slabs.eachOut(slab, slot -> {
                long state = slot.stateVolatile();
                if (Slot.isHeld(state)) {
                    open.add(LeakReport.of(slot, state, now));
                }
            });
        }
        open.sort(Comparator.comparing(
                report -> report.acquisition().map(LeakReport.Acquisition::age).orElse(java.time.Duration.ZERO),
                Comparator.reverseOrder()));
        return open;
    }
}
