package dev.buffers.internal.monitor;

import dev.buffers.LeakReport;
import dev.buffers.LeakReport.Acquisition;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Slab;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotState;
import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The leases of a pool that are out: how many of each age, and the oldest. Ages are known of those leases whose stack was kept.
 *
 * <p>One thread. A report, which has the stack, is made of the oldest alone.
 */
public final class OpenLeases {
    /** The bounds between the ages that are counted together, in the form of a setting. */
    static final List<String> BOUNDS = List.of("1s", "10s", "1m", "10m", "1h");

    private static final int MOST = 10;

    private final long[] ages = new long[BOUNDS.size() + 1];
    private final List<LeakReport> oldest = new ArrayList<>();
    private long ageless;

    private OpenLeases() {}

    /** Those of a pool with these slabs. */
    public static OpenLeases in(SlabStore slabs) {
        OpenLeases open = new OpenLeases();
        long now = System.nanoTime();
        for (Slab slab : slabs.all()) {
            slabs.eachOut(slab, slot -> open.add(slot, now));
        }
        return open;
    }

    /** Those that these reports describe. */
    public static OpenLeases of(List<LeakReport> reports) {
        OpenLeases open = new OpenLeases();
        for (LeakReport report : reports) {
            Optional<Duration> age = report.acquisition().map(Acquisition::age);
            if (open.count(age.map(Duration::toNanos).orElse(-1L))) {
                open.keep(report);
            }
        }
        return open;
    }

    private void add(Slot slot, long now) {
        long state = slot.stateVolatile();
        AcquireTrace trace = slot.trace;
        if (SlotState.isHeld(state)) {
            long age = trace != null && trace.isOf(state) ? Math.max(0, now - trace.nanoTime) : -1;
            if (count(age)) {
                keep(LeakTracker.reportOf(slot, state, false, now));
            }
        }
    }

    /** Counts a lease of that age, less than 0 when it is not known; whether it is among the oldest so far. */
    private boolean count(long nanos) {
        if (nanos < 0) {
            ageless++;
            return false;
        }
        int at = 0;
        while (at < BOUNDS.size() && nanos >= DurationText.parse(BOUNDS.get(at)).toNanos()) {
            at++;
        }
        ages[at]++;
        return oldest.size() < MOST || nanos > age(oldest.get(MOST - 1)).toNanos();
    }

    private void keep(LeakReport report) {
        int at = oldest.size();
        while (at > 0 && age(report).compareTo(age(oldest.get(at - 1))) > 0) {
            at--;
        }
        oldest.add(at, report);
        if (oldest.size() > MOST) {
            oldest.remove(MOST);
        }
    }

    private static Duration age(LeakReport report) {
        return report.acquisition().map(Acquisition::age).orElse(Duration.ZERO);
    }

    /** How many are below the first bound, from there to the second, and so on. */
    long[] ages() {
        return ages.clone();
    }

    /** How many there are whose age is not known. */
    long ageless() {
        return ageless;
    }

    /** The oldest whose age is known, the oldest first. */
    List<LeakReport> oldest() {
        return List.copyOf(oldest);
    }

    /** The line for the log when the pool of that name closes while {@code count} leases are out. */
    public String atClose(String pool, String settingsName, long count, long bytes) {
        StringBuilder line = new StringBuilder("a pool was closed while leases are out: pool=" + pool + ", leases="
                + count + ", leased=" + bytes + "; the memory of each goes once it is released");
        if (oldest.isEmpty()) {
            return line.append("; set -Dbuffers.")
                    .append(settingsName)
                    .append(".leaks=all to see where such leases were acquired")
                    .toString();
        }
        Map<String, List<LeakReport>> places = new LinkedHashMap<>();
        oldest.forEach(report -> places.computeIfAbsent(report.stackText(), stack -> new ArrayList<>())
                .add(report));
        line.append(oldest.size() < count ? "; the oldest of them that are known:" : ":");
        places.forEach((stack, reports) -> {
            LeakReport first = reports.get(0);
            line.append(System.lineSeparator())
                    .append(reports.size())
                    .append(reports.size() == 1 ? " lease, " : " leases, the oldest ")
                    .append(describe(first))
                    .append(System.lineSeparator())
                    .append(stack);
        });
        return line.toString();
    }

    /** In one line, without its stack. */
    static String describe(LeakReport report) {
        return report.acquisition()
                .map(known -> known.size() + " of " + report.capacity() + " bytes for " + inSeconds(known.age())
                        + ", acquired by thread " + known.thread())
                .orElse(report.capacity() + " bytes");
    }

    private static String inSeconds(Duration age) {
        return DurationText.of(
                age.toSeconds() == 0
                        ? Duration.ofMillis(Math.max(1, age.toMillis()))
                        : Duration.ofSeconds(age.toSeconds()));
    }
}
