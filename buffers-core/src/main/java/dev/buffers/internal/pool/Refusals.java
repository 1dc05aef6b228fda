package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;

/**
 * Refuses an acquire, with the numbers that explain it, and counts it.
 *
 * <p>Any thread.
 */
final class Refusals {
    private final PoolState pool;
    private final RegionAllocator regions;
    private final SizeClasses classes;
    private final boolean pooled;

    Refusals(PoolState pool, RegionAllocator regions, SizeClasses classes) {
        this.pool = pool;
        this.regions = regions;
        this.classes = classes;
        this.pooled = BuiltInPolicy.pools(pool.settings().policy());
    }

    /** How many bytes it takes to serve an acquire. */
    int bytesFor(int size, int sizeClass) {
        return sizeClass == SizeClasses.OVERSIZE || !pooled ? size : classes.sizeOf(sizeClass);
    }

    /** Whether the cap is large enough. */
    boolean canBeHad(int size, int sizeClass) {
        return bytesFor(size, sizeClass) <= regions.max();
    }

    /** Refuses an acquire that the cap can never serve. */
    void checkCanBeHad(int size, int sizeClass) {
        if (!canBeHad(size, sizeClass)) {
            throw refusedFor(size, never(size, sizeClass));
        }
    }

    /** Refuses a wake-up for which the cap can never have room. It is no acquire, and not counted as one. */
    void checkCanBeWaitedFor(int size, int sizeClass) {
        if (!canBeHad(size, sizeClass)) {
            throw new PoolExhaustedException(pool.name(), size, never(size, sizeClass), pool.stats());
        }
    }

    private String never(int size, int sizeClass) {
        return "it can never be had: it takes " + bytesFor(size, sizeClass) + " bytes";
    }

    /** The error of an acquire at the cap; {@code because} comes before the reason that the last region was refused for. */
    PoolExhaustedException refused(int size, String because) {
        return refusedFor(size, because + regions.refusal());
    }

    private PoolExhaustedException refusedFor(int size, String reason) {
        count(size);
        PoolStats stats = pool.stats();
        FlightEvents.exhausted(pool.name(), size, reason, stats);
        return new PoolExhaustedException(pool.name(), size, reason, stats);
    }

    /** Counts a refusal for which nothing is thrown. */
    void count(int size) {
        pool.counters.acquired(AcquireOutcome.REJECTED, SizeClasses.OVERSIZE);
        pool.notifySizeListeners(size);
    }
}
