// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import java.util.Map;

/**
 * A pool over JMX, registered with {@code jmx=true} as {@code dev.buffers:type=Pool,name=<pool>}. If a pool of that name is registered
 * already, which only a second copy of this library in another class loader can do, {@code copy=2} follows, and so on. A second bean,
 * {@code dev.buffers:type=BufferPool,name=<pool>}, gives the figures that the JVM gives for its buffers ({@link
 * java.lang.management.BufferPoolMXBean}). Both end when the pool is closed or collected.
 *
 * <p><b>Threads.</b> Any. <b>Cost.</b> Each attribute adds up the pool's figures anew, as {@link BufferPool#stats} does; {@link
 * #getAcquires} and {@link #getReleases} give all outcomes at once.
 *
 * <p><b>Errors.</b> Every call throws {@link IllegalStateException} once the pool has been collected.
 *
 * @see PoolStats for what each figure means
 */
public interface PoolMXBean {

    /** {@return the pool's name} */
    String getName();

    /** {@return the policy's name} */
    String getPolicy();

    /** {@return all settings, one a line, with where they come from} */
    String getSettings();

    /** {@return the cap, in bytes} */
    long getMaxBytes();

    /** {@return bytes of all regions that are in use or kept for use} */
    long getReservedBytes();

    /** {@return bytes of leased slots} */
    long getLeasedBytes();

    /** {@return bytes of free slots} */
    long getCachedBytes();

    /** {@return bytes that belong to no slot} */
    long getUncarvedBytes();

    /** {@return bytes of slots that are never used again} */
    long getLostBytes();

    /** {@return bytes of dropped regions that the collector has not taken yet} */
    long getDroppedBytes();

    /** {@return how many buffers are leased} */
    long getLeases();

    /** {@return how many buffers are leased, by the bytes of a slot} */
    Map<Integer, Long> getLeasesBySize();

    /** {@return how many regions there are} */
    long getRegions();

    /** {@return how many regions are cut into slots} */
    long getSlabs();

    /** {@return how many threads and wake-ups wait for room} */
    long getWaiters();

    /** {@return how often a thread waited for room and no longer waits} */
    long getWaits();

    /** {@return how long those waits took, in nanoseconds} */
    long getWaitedNanos();

    /** {@return how many leases were lost} */
    long getLeaks();

    /** {@return bytes given back because they were unused} */
    long getTrimmedBytes();

    /** {@return collections that the pool has asked the JVM for} */
    long getCollections();

    /** {@return how many acquires found their memory at each place, by the outcome's name} */
    Map<String, Long> getAcquires();

    /** {@return how many releases had each outcome, by the outcome's name} */
    Map<String, Long> getReleases();

    /** {@return how much is kept of each lease: the setting {@code leaks}, as it is now} */
    String getLeakTracking();

    /**
     * Changes how much is kept of each lease, for the acquires from now on, as {@link BufferPool#leaks(LeakTracking)} does.
     *
     * @param leaks a value of the setting {@code leaks}, such as {@code sample:128}
     * @throws IllegalArgumentException for any other text; it names the accepted ones
     */
    void setLeakTracking(String leaks);

    /**
     * Gives back unused memory, as {@link BufferPool#trim} does.
     *
     * @return how many bytes
     */
    long trim();

    /** {@return a table for a person to read, as {@link BufferPool#dump} gives it} */
    String dump();
}
