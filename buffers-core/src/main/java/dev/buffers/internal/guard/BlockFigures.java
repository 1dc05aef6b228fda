// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.guard.Block.Place;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.signals.Counters;
import dev.buffers.internal.slab.SizeClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The blocks and bytes of a guarded pool, by place and size class. Guarded by the lock of {@link BlockStore}. */
final class BlockFigures {
    private final SizeClasses classes;
    private final long[] bytes = new long[Place.values().length];
    private final long[] blocks = new long[Place.values().length];

    /** Blocks by row. */
    private final long[] leased;

    private final long[] cached;
    private long lentBytes;

    BlockFigures(SizeClasses classes) {
        this.classes = classes;
        this.leased = new long[classes.count() + 1];
        this.cached = new long[classes.count() + 1];
    }

    /** Adds a block in its place, or with -1 takes it out. */
    void count(Block block, int sign) {
        blocks[block.place.ordinal()] += block.bytes == 0 ? 0 : sign;
        bytes[block.place.ordinal()] += (long) sign * block.bytes;
        if (block.place == Place.LEASED) {
            leased[block.lentRow] += sign;
            lentBytes += block.bytes == 0 ? 0 : (long) sign * block.capacity;
        } else if (block.place == Place.ASIDE || block.place == Place.FREE) {
            cached[block.row] += sign;
        }
    }

    long bytes(Place place) {
        return bytes[place.ordinal()];
    }

    long blocks(Place place) {
        return blocks[place.ordinal()];
    }

    /** How many blocks are reserved: leased or kept. */
    long reserved() {
        return reserved(blocks);
    }

    private static long reserved(long[] figures) {
        return figures[Place.LEASED.ordinal()] + figures[Place.ASIDE.ordinal()] + figures[Place.FREE.ordinal()];
    }

    PoolStats stats(
            long max,
            Counters counters,
            long waiters,
            Map<AcquireOutcome, Long> acquires,
            Map<ReleaseOutcome, Long> releases) {
        List<PoolStats.SizeClass> sizes = new ArrayList<>();
        long leases = leased[classes.count()];
        long cachedBytes = 0;
        for (int row = 0; row < classes.count(); row++) {
            leases += leased[row];
            cachedBytes += cached[row] * classes.sizeOf(row);
            if (leased[row] + cached[row] > 0) {
                sizes.add(new Statistics.ClassFigures(
                        classes.sizeOf(row),
                        leased[row],
                        cached[row],
                        leased[row] + cached[row],
                        counters.hits(row),
                        counters.misses(row)));
            }
        }
        long reservedBytes = reserved(bytes);
        return new Statistics.PoolFigures(
                max,
                reservedBytes,
                lentBytes,
                cachedBytes,
                reservedBytes - lentBytes - cachedBytes,
                0,
                bytes(Place.DROPPED),
                leases,
                reserved(),
                reserved(),
                waiters,
                counters.waits.get(),
                counters.waitedNanos.get(),
                counters.leaks.get(),
                counters.trimmedBytes.get(),
                counters.collections.get(),
                acquires,
                releases,
                sizes);
    }
}
