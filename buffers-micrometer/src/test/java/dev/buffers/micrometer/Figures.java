package dev.buffers.micrometer;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figures that no pool has to produce first. */
final class Figures {
    private final List<PoolStats.SizeClass> sizes = new ArrayList<>();
    private long counted;
    private long otherLeases;

    static Figures none() {
        return new Figures();
    }

    /** Every counter stands there. */
    Figures counted(long counted) {
        this.counted = counted;
        return this;
    }

    Figures leased(int size, long leased) {
        sizes.add(new PoolStats.SizeClass(size, leased, 0, 1, 0, 0));
        return this;
    }

    Figures others(long leased) {
        otherLeases = leased;
        return this;
    }

    PoolStats stats() {
        long leases = otherLeases
                + sizes.stream().mapToLong(PoolStats.SizeClass::leased).sum();
        return new PoolStats(
                1 << 20,
                0,
                0,
                0,
                0,
                0,
                0,
                leases,
                0,
                0,
                0,
                counted,
                counted,
                counted,
                counted,
                Map.of(AcquireOutcome.THREAD, counted),
                Map.of(ReleaseOutcome.RECYCLED, counted),
                sizes);
    }
}
