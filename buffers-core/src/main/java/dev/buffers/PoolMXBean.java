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

    /** {@return the pool's name} */
    String getName();

    /** {@return the policy's name} */
    String getPolicy();

    /** {@return all settings, a line each, with where they come from} */
    String getSettings();

    /** {@return the cap, in bytes} */
    long getMaxBytes();

    /** {@return bytes of all regions that are in use or kept for use} */
    long getReservedBytes();

    /** {@return bytes out on lease} */
    long getLeasedBytes();

    /** {@return bytes of free slots} */
    long getCachedBytes();

    /** {@return bytes that belong to no slot} */
    long getUncarvedBytes();

    /** {@return bytes of slots that are never used again} */
    long getLostBytes();

    /** {@return bytes let go of that the collector has not yet taken} */
    long getDroppedBytes();

    /** {@return how many buffers are out on lease} */
    long getLeases();

    /** {@return how many buffers are out on lease, by the bytes of a slot} */
    Map<Integer, Long> getLeasesBySize();

    /** {@return how many regions there are} */
    long getRegions();

    /** {@return how many regions are cut into slots} */
    long getSlabs();

    /** {@return how many are waiting for room} */
    long getWaiters();

    /** {@return how often a thread waited for room and waits no more} */
    long getWaits();

    /** {@return how long those waits took, in nanoseconds} */
    long getWaitedNanos();

    /** {@return how many leases were lost} */
    long getLeaks();

    /** {@return bytes given back for want of use} */
    long getTrimmedBytes();

    /** {@return how many acquires found their memory where, by the outcome's name} */
    Map<String, Long> getAcquires();

    /** {@return how many releases ended how, by the outcome's name} */
    Map<String, Long> getReleases();

    /**
     * Gives back what is not in use, as {@link BufferPool#trim} does.
     *
     * @return how many bytes
     */
    long trim();
}
