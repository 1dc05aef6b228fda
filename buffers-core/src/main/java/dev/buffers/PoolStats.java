// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import java.util.List;
import java.util.Map;

/**
 * What a pool holds and has done, at one moment. Under load the figures are recent, but each comes from another moment. When nothing moves
 * all are exact, and {@code reserved = leased + cached + uncarved + lost}. {@code reserved + dropped} is never more than {@code max}.
 *
 * <pre>{@code
 * PoolStats stats = pool.stats();
 * String line = stats.leasedBytes() + " of " + stats.maxBytes() + " bytes are leased";
 * }</pre>
 *
 * <p>What a pool returns is immutable, for any thread. A fake pool in a test returns {@code new PoolStats() {}}, or overrides the figures
 * that the test needs: each one is 0 or empty by default, and later versions may add figures.
 */
public interface PoolStats {
    /** {@return the cap, which pools that set no {@code max} share} */
    default long maxBytes() {
        return 0;
    }

    /** {@return bytes of all regions that are in use or kept for use} */
    default long reservedBytes() {
        return 0;
    }

    /** {@return bytes of the leased slots, counted as whole slots} */
    default long leasedBytes() {
        return 0;
    }

    /** {@return bytes of all free slots, wherever they are} */
    default long cachedBytes() {
        return 0;
    }

    /** {@return bytes of regions that belong to no slot} */
    default long uncarvedBytes() {
        return 0;
    }

    /** {@return bytes of slots that are never used again: their lease was lost or discarded} */
    default long lostBytes() {
        return 0;
    }

    /** {@return bytes of regions that the pool has dropped and the collector has not taken yet} */
    default long droppedBytes() {
        return 0;
    }

    /** {@return leased buffers} */
    default long leases() {
        return 0;
    }

    /** {@return regions that make up the reserved bytes} */
    default long regions() {
        return 0;
    }

    /** {@return regions that are cut into slots} */
    default long slabs() {
        return 0;
    }

    /** {@return threads and wake-ups that wait for room} */
    default long waiters() {
        return 0;
    }

    /**
     * {@return waits of threads for room in an acquire that have ended: served, refused, interrupted, or the pool was closed; wake-ups do
     * not count}
     */
    default long waits() {
        return 0;
    }

    /** {@return how long all those waits took, in nanoseconds} */
    default long waitedNanos() {
        return 0;
    }

    /** {@return leases that were lost: dropped without a release} */
    default long leaks() {
        return 0;
    }

    /** {@return bytes of regions dropped because they were unused, so far} */
    default long trimmedBytes() {
        return 0;
    }

    /** {@return collections that the pool has asked the JVM for, to get lost or dropped memory back; see the setting {@code collect}} */
    default long collections() {
        return 0;
    }

    /** {@return how many acquires found their memory at each place} */
    default Map<AcquireOutcome, Long> acquiresByOutcome() {
        return Map.of();
    }

    /** {@return how many releases had each outcome} */
    default Map<ReleaseOutcome, Long> releasesByOutcome() {
        return Map.of();
    }

    /** {@return the size classes that have slabs} */
    default List<SizeClass> sizeClasses() {
        return List.of();
    }

    /**
     * {@return how many acquires found their memory at this place so far; never falls}
     *
     * @param outcome the place
     */
    default long acquires(AcquireOutcome outcome) {
        return acquiresByOutcome().getOrDefault(outcome, 0L);
    }

    /**
     * {@return how many releases had this outcome so far; never falls}
     *
     * @param outcome the outcome
     */
    default long releases(ReleaseOutcome outcome) {
        return releasesByOutcome().getOrDefault(outcome, 0L);
    }

    /** One size class that has slabs. */
    interface SizeClass {
        /** {@return bytes of a slot} */
        default int size() {
            return 0;
        }

        /** {@return leased slots} */
        default long leased() {
            return 0;
        }

        /** {@return free slots} */
        default long cached() {
            return 0;
        }

        /** {@return slabs cut for this class} */
        default long slabs() {
            return 0;
        }

        /** {@return acquires so far that a thread or a channel served from what it had cached; never falls} */
        default long hits() {
            return 0;
        }

        /** {@return all other acquires so far that got a slot of this class; never falls} */
        default long misses() {
            return 0;
        }
    }
}
