package dev.buffers.internal.pool;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import org.jspecify.annotations.Nullable;

/**
 * Refuses an acquire: counts it, and throws with the numbers that explain it.
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

    /** How many bytes an acquire of this size takes. */
    int bytesFor(int size, int sizeClass) {
        return sizeClass == SizeClasses.OVERSIZE || !pooled ? size : classes.sizeOf(sizeClass);
    }

    /** Whether the cap is large enough for this size at all. */
    boolean canBeHad(int size, int sizeClass) {
        return bytesFor(size, sizeClass) <= regions.max();
    }

    /** Throws for an acquire that the cap can never serve. */
    void checkCanBeHad(int size, int sizeClass) {
        if (!canBeHad(size, sizeClass)) {
            throw refusedFor(size, never(size, sizeClass), null);
        }
    }

    /** Throws for a wake-up that the cap can never have room for. A wake-up is no acquire, so it is not counted. */
    void checkCanBeWaitedFor(int size, int sizeClass) {
        if (!canBeHad(size, sizeClass)) {
            throw new PoolExhaustedException(pool.name(), size, never(size, sizeClass), pool.stats());
        }
    }

    private String never(int size, int sizeClass) {
        return "it can never be had: it takes " + bytesFor(size, sizeClass) + " bytes";
    }

    /** Makes the error of an acquire at the cap; {@code because} comes before the reason why the last region was refused. */
    PoolExhaustedException refused(int size, String because, @Nullable Slot revoked) {
        return refusedFor(size, because + regions.refusal(), revoked);
    }

    private PoolExhaustedException refusedFor(int size, String reason, @Nullable Slot revoked) {
        count(size, revoked);
        PoolStats stats = pool.stats();
        FlightEvents.exhausted(pool.name(), size, reason, stats);
        return new PoolExhaustedException(pool.name(), size, reason, stats);
    }

    /**
     * Counts a refusal.
     *
     * @param revoked the revoked slot that the caller was given before, if any: the size listeners were notified then
     */
    void count(int size, @Nullable Slot revoked) {
        pool.counters.acquired(AcquireOutcome.REJECTED, SizeClasses.OVERSIZE);
        if (revoked == null) {
            pool.notifySizeListeners(size);
        }
    }
}
