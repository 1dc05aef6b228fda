// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
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
        sizes.add(new OneSize(size, leased));
        return this;
    }

    Figures others(long leased) {
        otherLeases = leased;
        return this;
    }

    PoolStats stats() {
        long leases = otherLeases
                + sizes.stream().mapToLong(PoolStats.SizeClass::leased).sum();
        return new AllFigures(
                leases,
                counted,
                Map.of(AcquireOutcome.THREAD, counted),
                Map.of(ReleaseOutcome.RECYCLED, counted),
                List.copyOf(sizes));
    }

    private record OneSize(int size, long leased) implements PoolStats.SizeClass {
        @Override
        public long slabs() {
            return 1;
        }
    }

    private record AllFigures(
            long leases,
            long counted,
            Map<AcquireOutcome, Long> acquiresByOutcome,
            Map<ReleaseOutcome, Long> releasesByOutcome,
            List<PoolStats.SizeClass> sizeClasses)
            implements PoolStats {
        @Override
        public long maxBytes() {
            return 1 << 20;
        }

        @Override
        public long waits() {
            return counted;
        }

        @Override
        public long waitedNanos() {
            return counted;
        }

        @Override
        public long leaks() {
            return counted;
        }

        @Override
        public long trimmedBytes() {
            return counted;
        }

        @Override
        public long collections() {
            return counted;
        }
    }
}
