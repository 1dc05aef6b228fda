// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlabStore;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One sum of all that was counted. Releases are read before acquires, so that the number of open leases is never negative. */
public final class Statistics {
    private final Counters counters;
    private final SizeClasses classes;
    private final int oversize;
    private final long leaks;
    private final long[] hits;
    private final long[] leased;
    private final Map<AcquireOutcome, Long> acquires = new EnumMap<>(AcquireOutcome.class);
    private final Map<ReleaseOutcome, Long> releasesByOutcome = new EnumMap<>(ReleaseOutcome.class);

    /** The counts of now; {@code magazines} is null in a pool without. */
    public Statistics(Counters counters, SizeClasses classes, @Nullable ThreadCaches magazines) {
        this.counters = counters;
        this.classes = classes;
        this.oversize = classes.count();
        this.leaks = counters.leaks.get(); // read first, because it is counted last
        this.hits = new long[oversize + 1];
        this.leased = new long[oversize + 1];
        if (magazines == null) {
            add(null);
        } else {
            magazines.whileNoCountsMove(() -> add(magazines));
        }
    }

    private void add(@Nullable ThreadCaches magazines) {
        long[] channelHits = new long[hits.length];
        long[] releases = new long[hits.length];
        for (int row = 0; row <= oversize; row++) {
            leased[row] = -counters.ended(row);
        }
        long recycled = counters.recycled.get();
        if (magazines != null) {
            magazines.addUp(hits, channelHits, releases);
        }
        releasesByOutcome.put(ReleaseOutcome.RECYCLED, recycled + sum(releases));
        releasesByOutcome.put(ReleaseOutcome.DISCARDED, counters.discarded.get());
        releasesByOutcome.put(ReleaseOutcome.INVALID, counters.invalid.get());
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            long[] magazineHits = outcome == AcquireOutcome.THREAD ? hits : channelHits;
            boolean isHit = outcome == AcquireOutcome.THREAD || outcome == AcquireOutcome.CHANNEL;
            acquires.put(outcome, counters.acquires(outcome) + (isHit ? sum(magazineHits) : 0));
        }
        for (int row = 0; row <= oversize; row++) {
            hits[row] += channelHits[row];
            leased[row] += counters.begun(row) + hits[row] - releases[row];
            hits[row] += counters.hits(row);
        }
    }

    /** The figures of a pool with this memory, which was looked at after the counts. */
    public PoolStats stats(SlabStore.Figures figures, long max, long waiters) {
        long leasedBytes = Math.max(0, figures.slotBytes[oversize] - figures.retiredBytes[oversize]);
        long cachedBytes = 0;
        long leases = Math.max(0, leased[oversize]);
        List<PoolStats.SizeClass> sizeClasses = new ArrayList<>();
        for (int c = 0; c < oversize; c++) {
            if (figures.slabs[c] > 0) {
                int size = classes.sizeOf(c);
                long slots = (figures.slotBytes[c] - figures.retiredBytes[c]) / size;
                long out = Math.max(0, Math.min(leased[c], slots));
                leases += out;
                leasedBytes += out * size;
                cachedBytes += (slots - out) * size;
                sizeClasses.add(
                        new ClassFigures(size, out, slots - out, figures.slabs[c], hits[c], counters.misses(c)));
            }
        }
        long slabs = sum(figures.slabs);
        return new PoolFigures(
                max,
                figures.reservedBytes,
                leasedBytes,
                cachedBytes,
                figures.uncarvedBytes,
                sum(figures.retiredBytes),
                figures.droppedBytes,
                leases,
                slabs,
                slabs,
                waiters,
                counters.waits.get(), // read before the waited time, because it is counted after that
                counters.waitedNanos.get(),
                leaks,
                counters.trimmedBytes.get(),
                counters.collections.get(),
                acquires,
                releasesByOutcome,
                sizeClasses);
    }

    /** All figures of a pool at one moment. */
    public record PoolFigures(
            long maxBytes,
            long reservedBytes,
            long leasedBytes,
            long cachedBytes,
            long uncarvedBytes,
            long lostBytes,
            long droppedBytes,
            long leases,
            long regions,
            long slabs,
            long waiters,
            long waits,
            long waitedNanos,
            long leaks,
            long trimmedBytes,
            long collections,
            Map<AcquireOutcome, Long> acquiresByOutcome,
            Map<ReleaseOutcome, Long> releasesByOutcome,
            List<PoolStats.SizeClass> sizeClasses)
            implements PoolStats {
        /** Copies the maps and the list. */
        public PoolFigures {
            acquiresByOutcome = Map.copyOf(acquiresByOutcome);
            releasesByOutcome = Map.copyOf(releasesByOutcome);
            sizeClasses = List.copyOf(sizeClasses);
        }
    }

    /** The figures of one size class. */
    public record ClassFigures(int size, long leased, long cached, long slabs, long hits, long misses)
            implements PoolStats.SizeClass {}

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
