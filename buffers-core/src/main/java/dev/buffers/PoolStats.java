package dev.buffers;

import java.util.List;
import java.util.Map;

/**
 * What a pool holds and has done, at one moment. Under load the figures are recent, but each comes from another moment. When nothing moves
 * all are exact, and {@code reserved = leased + cached + uncarved + lost}. {@code reserved + dropped} is never more than {@code max}.
 *
 * <p>Immutable, for any thread.
 *
 * @param maxBytes the cap, which pools that set no {@code max} share
 * @param reservedBytes bytes of all regions that are in use or kept for use
 * @param leasedBytes bytes of the leased slots, counted as whole slots
 * @param cachedBytes bytes of all free slots, wherever they are
 * @param uncarvedBytes bytes of regions that belong to no slot
 * @param lostBytes bytes of slots that are never used again: their lease was lost or discarded
 * @param droppedBytes bytes of regions that the pool has dropped and the collector has not taken yet
 * @param leases leased buffers
 * @param regions regions that make up the reserved bytes
 * @param slabs regions that are cut into slots
 * @param waiters how many threads and wake-ups wait for room
 * @param waits how often a thread waited for room in an acquire and no longer waits: it was served, refused in the end or interrupted, or
 *     the pool was closed. An acquire that was served or refused at once has not waited, nor has a wake-up
 * @param waitedNanos how long all those waits took, in nanoseconds
 * @param leaks leases that were lost: dropped without a release
 * @param trimmedBytes bytes of regions dropped because they were unused, so far
 * @param acquiresByOutcome how many acquires found their memory at each place
 * @param releasesByOutcome how many releases had each outcome
 * @param sizeClasses the size classes that have slabs
 */
public record PoolStats(
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
        Map<AcquireOutcome, Long> acquiresByOutcome,
        Map<ReleaseOutcome, Long> releasesByOutcome,
        List<SizeClass> sizeClasses) {

    /**
     * One size class that has slabs.
     *
     * @param size bytes of a slot
     * @param leased leased slots
     * @param cached free slots
     * @param slabs slabs cut for this class
     * @param hits acquires so far that a thread or a channel served from what it had cached; never falls
     * @param misses all other acquires so far that got a slot of this class; never falls
     */
    public record SizeClass(int size, long leased, long cached, long slabs, long hits, long misses) {}

    /**
     * Copies the maps and the list. For tests of code that reads such figures; a pool makes its own.
     *
     * @param maxBytes as above
     * @param reservedBytes as above
     * @param leasedBytes as above
     * @param cachedBytes as above
     * @param uncarvedBytes as above
     * @param lostBytes as above
     * @param droppedBytes as above
     * @param leases as above
     * @param regions as above
     * @param slabs as above
     * @param waiters as above
     * @param waits as above
     * @param waitedNanos as above
     * @param leaks as above
     * @param trimmedBytes as above
     * @param acquiresByOutcome as above
     * @param releasesByOutcome as above
     * @param sizeClasses as above
     */
    public PoolStats {
        acquiresByOutcome = Map.copyOf(acquiresByOutcome);
        releasesByOutcome = Map.copyOf(releasesByOutcome);
        sizeClasses = List.copyOf(sizeClasses);
    }

    /**
     * {@return how many acquires found their memory at this place so far; never falls}
     *
     * @param outcome the place
     */
    public long acquires(AcquireOutcome outcome) {
        return acquiresByOutcome.getOrDefault(outcome, 0L);
    }

    /**
     * {@return how many releases had this outcome so far; never falls}
     *
     * @param outcome the outcome
     */
    public long releases(ReleaseOutcome outcome) {
        return releasesByOutcome.getOrDefault(outcome, 0L);
    }
}
