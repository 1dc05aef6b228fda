// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

/**
 * An acquire was refused: the pool is at its cap, and any free memory was out of reach. The message has the numbers, in bytes except those
 * of buffers and waiters. It also has the reason: the cap, the JVM's limit, an interrupt, a patience that has ended, or a size that the cap
 * could never hold.
 *
 * <p>The receiver of this exception holds no lease because of it. Any thread may read it.
 */
public final class PoolExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient PoolStats stats;

    /** The bytes that were asked for. */
    private final int size;

    /** Whether no release can ever make room. */
    private final boolean permanent;

    /**
     * The error of one acquire. For pools, and for fakes of them in tests.
     *
     * @param pool the pool's name
     * @param size bytes that were asked for
     * @param reason why there was no room, for the message
     * @param stats what the pool held at that moment
     */
    public PoolExhaustedException(String pool, int size, String reason, PoolStats stats) {
        this(pool, size, reason, stats, false);
    }

    /**
     * The error of one acquire that may be permanent.
     *
     * @param pool the pool's name
     * @param size bytes that were asked for
     * @param reason why there was no room, for the message
     * @param stats what the pool held at that moment
     * @param permanent whether the cap could never hold the size
     */
    public PoolExhaustedException(String pool, int size, String reason, PoolStats stats, boolean permanent) {
        super("pool has no room: pool=" + pool + ", size=" + size + ", reason=" + reason
                + ", max=" + stats.maxBytes() + ", reserved=" + stats.reservedBytes()
                + ", leased=" + stats.leasedBytes() + " in " + stats.leases() + " buffers"
                + ", free but out of reach=" + stats.cachedBytes() + ", uncarved=" + stats.uncarvedBytes()
                + ", lost=" + stats.lostBytes() + ", dropped=" + stats.droppedBytes()
                + ", waiters=" + stats.waiters());
        this.stats = stats;
        this.size = size;
        this.permanent = permanent;
    }

    /** {@return whether the cap could never hold the size, so that trying again is in vain; false when other leases hold the memory} */
    public boolean isPermanent() {
        return permanent;
    }

    /** {@return the bytes that were asked for, as given to the acquire} */
    public int size() {
        return size;
    }

    /** {@return what the pool held when it refused; it is not serialised, so null in an exception that was} */
    public PoolStats stats() {
        return stats;
    }
}
