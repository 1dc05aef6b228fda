package dev.buffers;

import java.util.Map;

/**
 * A pool over JMX, registered with {@code jmx=true} as {@code dev.buffers:type=Pool,name=<pool>}. Where a pool of that name is registered
 * already, which only a second copy of this library in another class loader can do, {@code copy=2} follows, and so on. Beside it,
 * {@code dev.buffers:type=BufferPool,name=<pool>} is what the JVM itself says of its own buffers ({@link
 * java.lang.management.BufferPoolMXBean}). Both go when the pool is closed, or is no more.
 *
 * <p><b>Threads.</b> Any. <b>Cost.</b> Each attribute adds up the pool's figures anew, as {@link BufferPool#stats} does; {@link
 * #getAcquires} and {@link #getReleases} say all outcomes at once.
 *
 * <p><b>Errors.</b> Every call throws {@link IllegalStateException} once nobody holds the pool any more.
 *
 * @see PoolStats for what each figure means
 */
public interface PoolMXBean {

    /** The pool's name. */
    String getName();

    /** The policy's name. */
    String getPolicy();

    /** All settings, a line each, with where they come from. */
    String getSettings();

    /** The cap, in bytes. */
    long getMaxBytes();

    /** Bytes of all regions that are in use or kept for use. */
    long getReservedBytes();

    /** Bytes out on lease. */
    long getLeasedBytes();

    /** Bytes of free slots. */
    long getCachedBytes();

    /** Bytes that belong to no slot. */
    long getUncarvedBytes();

    /** Bytes that are never used again. */
    long getLostBytes();

    /** Bytes let go of that the collector has not yet taken. */
    long getDroppedBytes();

    /** Buffers out on lease. */
    long getLeases();

    /** Buffers out on lease, by the bytes of a slot. */
    Map<Integer, Long> getLeasesBySize();

    /** How many regions there are. */
    long getRegions();

    /** How many regions are cut into slots. */
    long getSlabs();

    /** Who is waiting for room. */
    long getWaiters();

    /** How often a thread waited for room and waits no more. */
    long getWaits();

    /** How long those waits took, in nanoseconds. */
    long getWaitedNanos();

    /** How many leases were lost. */
    long getLeaks();

    /** Bytes given back for want of use. */
    long getTrimmedBytes();

    /** How many acquires found their memory where. */
    Map<String, Long> getAcquires();

    /** How many releases ended how. */
    Map<String, Long> getReleases();

    /** Gives back what is not in use; says how many bytes. */
    long trim();
}
