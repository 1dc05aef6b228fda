// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import dev.buffers.PoolStats;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One look at a pool, from which all meters of a scrape take their values.
 *
 * <p>Immutable, any thread; each is made from the one before it.
 *
 * @param takenAt when, by the registry's clock, in nanoseconds
 * @param stats for all that may fall as well as rise
 * @param counts of acquires and releases by outcome, and of each {@link Counter}
 * @param apart the sizes whose leases are not among the others
 * @param announced the sizes that have a meter of their own, or get one now
 */
record Reading(long takenAt, PoolStats stats, Map<Enum<?>, Long> counts, Set<Integer> apart, Set<Integer> announced) {
    /*
     * Under load a pool's figures are each one thread's recent truth, and while the counts of a thread that ended change hands a
     * sum may for a moment lack them or have them twice.
     *
     * R1  No counter is less than in the reading before: one that would be stays as it is until the pool has caught up.
     * R2  A size is counted apart one reading after it was announced, so that its meter exists before anything leaves
     *     `other` for it: the leases of all sizes add up to PoolStats.leases() in every scrape.
     * R3  At most MOST_SIZES sizes are ever announced, and none is taken back: a series that comes and goes is of no use on a
     *     graph, and its last value is 0.
     */

    /** More than the 37 classes of the default settings; with {@code max-size=16m} there could be 61. */
    static final int MOST_SIZES = 48;

    /** The counters that have no outcome. */
    enum Counter {
        LEAKS,
        TRIMMED_BYTES,
        COLLECTIONS,
        WAITS,
        WAITED_NANOS
    }

    /** The first look. Its sizes are announced and counted apart at once, since no meter has been read yet. */
    static Reading first(long takenAt, PoolStats stats) {
        Set<Integer> sizes = withSizesOf(stats, Set.of());
        return new Reading(takenAt, stats, countsOf(stats), sizes, sizes);
    }

    /** The look after this one. */
    Reading next(long at, PoolStats now) {
        Map<Enum<?>, Long> next = countsOf(now);
        counts.forEach((counter, before) -> next.merge(counter, before, Math::max));
        return new Reading(at, now, next, announced, withSizesOf(now, announced));
    }

    private static Map<Enum<?>, Long> countsOf(PoolStats stats) {
        Map<Enum<?>, Long> counts = new HashMap<>(stats.acquiresByOutcome());
        counts.putAll(stats.releasesByOutcome());
        counts.put(Counter.LEAKS, stats.leaks());
        counts.put(Counter.TRIMMED_BYTES, stats.trimmedBytes());
        counts.put(Counter.COLLECTIONS, stats.collections());
        counts.put(Counter.WAITS, stats.waits());
        counts.put(Counter.WAITED_NANOS, stats.waitedNanos());
        return counts;
    }

    private static Set<Integer> withSizesOf(PoolStats stats, Set<Integer> known) {
        Set<Integer> sizes = new TreeSet<>(known);
        for (PoolStats.SizeClass sizeClass : stats.sizeClasses()) {
            if (sizes.size() == MOST_SIZES) {
                break;
            }
            sizes.add(sizeClass.size());
        }
        return Set.copyOf(sizes);
    }

    /** An outcome's count, or a {@link Counter}'s. */
    long count(Enum<?> counter) {
        return counts.getOrDefault(counter, 0L);
    }

    /** Leases on slots of that size; 0 as long as they are counted among the others. */
    long leases(int size) {
        return leased(apart.contains(size) ? Set.of(size) : Set.of());
    }

    /** All other leases: oversize and unpooled ones, and sizes that have no meter. */
    long otherLeases() {
        return stats.leases() - leased(apart);
    }

    private long leased(Set<Integer> sizes) {
        return stats.sizeClasses().stream()
                .filter(sizeClass -> sizes.contains(sizeClass.size()))
                .mapToLong(PoolStats.SizeClass::leased)
                .sum();
    }
}
