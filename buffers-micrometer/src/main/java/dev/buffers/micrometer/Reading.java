package dev.buffers.micrometer;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One look at a pool, from which all meters of a scrape take their values.
 *
 * <p>Immutable, any thread; each is made from the one before it.
 */
final class Reading {
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

    private final long takenAt;
    private final PoolStats stats;
    private final Map<AcquireOutcome, Long> acquires = new EnumMap<>(AcquireOutcome.class);
    private final Map<ReleaseOutcome, Long> releases = new EnumMap<>(ReleaseOutcome.class);
    private final Sums sums;
    private final Set<Integer> apart;
    private final Set<Integer> announced;

    /** The counters that have no outcome. */
    private record Sums(long leaks, long trimmedBytes, long waits, long waitedNanos) {
        static Sums of(PoolStats stats) {
            return new Sums(stats.leaks(), stats.trimmedBytes(), stats.waits(), stats.waitedNanos());
        }

        Sums orMore(Sums other) {
            return new Sums(
                    Math.max(leaks, other.leaks),
                    Math.max(trimmedBytes, other.trimmedBytes),
                    Math.max(waits, other.waits),
                    Math.max(waitedNanos, other.waitedNanos));
        }
    }

    private Reading(long takenAt, PoolStats stats, Sums sums, Set<Integer> apart, Set<Integer> announced) {
        this.takenAt = takenAt;
        this.stats = stats;
        this.sums = sums;
        this.apart = apart;
        this.announced = announced;
    }

    /** The first look. Its sizes are announced and counted apart at once, since nobody has seen a meter yet. */
    static Reading first(long takenAt, PoolStats stats) {
        Set<Integer> sizes = withSizesOf(stats, Set.of());
        Reading first = new Reading(takenAt, stats, Sums.of(stats), sizes, sizes);
        first.acquires.putAll(stats.acquiresByOutcome());
        first.releases.putAll(stats.releasesByOutcome());
        return first;
    }

    /** The look after this one. */
    Reading next(long at, PoolStats now) {
        Reading next = new Reading(at, now, sums.orMore(Sums.of(now)), announced, withSizesOf(now, announced));
        next.acquires.putAll(acquires);
        now.acquiresByOutcome().forEach((outcome, count) -> next.acquires.merge(outcome, count, Math::max));
        next.releases.putAll(releases);
        now.releasesByOutcome().forEach((outcome, count) -> next.releases.merge(outcome, count, Math::max));
        return next;
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

    /** When, by the registry's clock, in nanoseconds. */
    long takenAt() {
        return takenAt;
    }

    /** For all that may fall as well as rise. */
    PoolStats stats() {
        return stats;
    }

    long acquires(AcquireOutcome outcome) {
        return acquires.getOrDefault(outcome, 0L);
    }

    long releases(ReleaseOutcome outcome) {
        return releases.getOrDefault(outcome, 0L);
    }

    long leaks() {
        return sums.leaks;
    }

    long trimmedBytes() {
        return sums.trimmedBytes;
    }

    long waits() {
        return sums.waits;
    }

    long waitedNanos() {
        return sums.waitedNanos;
    }

    /** The sizes that have a meter of their own, or get one now. */
    Set<Integer> announced() {
        return announced;
    }

    /** Leases on slots of that size; 0 as long as they are counted among the others. */
    long leases(int size) {
        if (!apart.contains(size)) {
            return 0;
        }
        for (PoolStats.SizeClass sizeClass : stats.sizeClasses()) {
            if (sizeClass.size() == size) {
                return sizeClass.leased();
            }
        }
        return 0;
    }

    /** All other leases: oversize and unpooled ones, and sizes that have no meter. */
    long otherLeases() {
        long others = stats.leases();
        for (PoolStats.SizeClass sizeClass : stats.sizeClasses()) {
            if (apart.contains(sizeClass.size())) {
                others -= sizeClass.leased();
            }
        }
        return others;
    }
}
