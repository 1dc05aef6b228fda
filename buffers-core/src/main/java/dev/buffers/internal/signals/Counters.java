// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.AcquireOutcome;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntBinaryOperator;

/**
 * Counts what happens outside the path of a hit, and keeps the counts of magazines whose threads have ended. Hits are counted in the
 * magazines, in plain fields of their owners.
 *
 * <p>Any thread. Counts never go down.
 */
public final class Counters {
    /** What {@link #takeLeastRefused} returns when no acquire was refused. */
    public static final int NONE_REFUSED = Integer.MAX_VALUE;

    private static final int OUTCOMES = AcquireOutcome.values().length;
    private static final IntBinaryOperator LEAST = Math::min;

    private final int sizeClasses;
    private final AtomicLongArray acquires;
    private final AtomicLongArray ends;
    private final AtomicInteger leastRefused = new AtomicInteger(NONE_REFUSED);

    public final AtomicLong recycled = new AtomicLong();
    public final AtomicLong discarded = new AtomicLong();
    public final AtomicLong invalid = new AtomicLong();
    public final AtomicLong leaks = new AtomicLong();
    public final AtomicLong trimmedBytes = new AtomicLong();
    public final AtomicLong collections = new AtomicLong();
    public final AtomicLong waits = new AtomicLong();
    public final AtomicLong waitedNanos = new AtomicLong();

    public Counters(int sizeClasses) {
        this.sizeClasses = sizeClasses;
        this.acquires = new AtomicLongArray(OUTCOMES * (sizeClasses + 1));
        this.ends = new AtomicLongArray(sizeClasses + 1);
    }

    /** Counts an acquire of a class; slabs without a class have a row of their own. */
    public void acquired(AcquireOutcome outcome, int sizeClass) {
        acquires.incrementAndGet(index(outcome, sizeClass));
    }

    /** Notes the size of an acquire that was refused, or served beyond the cap, though it fits the cap. */
    public void refused(int size) {
        leastRefused.accumulateAndGet(size, LEAST);
    }

    /** The smallest size noted since the last call. */
    public int takeLeastRefused() {
        return leastRefused.getAndSet(NONE_REFUSED);
    }

    /** Counts a tenancy that ended by its last release. */
    public void recycled(int sizeClass) {
        recycled.incrementAndGet();
        ends.incrementAndGet(row(sizeClass));
    }

    public void discarded(int sizeClass) {
        discarded.incrementAndGet();
        ends.incrementAndGet(row(sizeClass));
    }

    public void leaked(int sizeClass) {
        ends.incrementAndGet(row(sizeClass));
        leaks.incrementAndGet(); // last: a thread that sees it sees the rest
    }

    /** Counts a wait that has ended, with or without success. */
    public void waited(long nanos) {
        waitedNanos.addAndGet(nanos);
        waits.incrementAndGet(); // last: a thread that sees it sees its time
    }

    /** Takes over the counts of a magazine whose thread has ended. */
    public void inherit(int sizeClass, long hits, long channelHits, long releases) {
        recycled.addAndGet(releases);
        ends.addAndGet(row(sizeClass), releases);
        acquires.addAndGet(index(AcquireOutcome.THREAD, sizeClass), hits);
        acquires.addAndGet(index(AcquireOutcome.CHANNEL, sizeClass), channelHits);
    }

    public long acquires(AcquireOutcome outcome) {
        long sum = 0;
        for (int row = 0; row <= sizeClasses; row++) {
            sum += acquires(outcome, row);
        }
        return sum;
    }

    /** The hits of a class that no magazine counts any more, or never did. */
    public long hits(int sizeClass) {
        return acquires(AcquireOutcome.THREAD, sizeClass) + acquires(AcquireOutcome.CHANNEL, sizeClass);
    }

    /** The acquires of a class that were no hits. */
    public long misses(int sizeClass) {
        return acquires(AcquireOutcome.DEPOT, sizeClass) + acquires(AcquireOutcome.CARVED, sizeClass);
    }

    /** Tenancies that began in a row. A refused acquire began none. */
    public long begun(int row) {
        long sum = 0;
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            if (outcome != AcquireOutcome.REJECTED) {
                sum += acquires(outcome, row);
            }
        }
        return sum;
    }

    /** Tenancies that ended in a row. */
    public long ended(int row) {
        return ends.get(row);
    }

    private long acquires(AcquireOutcome outcome, int sizeClass) {
        return acquires.get(index(outcome, sizeClass));
    }

    private int index(AcquireOutcome outcome, int sizeClass) {
        return outcome.ordinal() * (sizeClasses + 1) + row(sizeClass);
    }

    private int row(int sizeClass) {
        return sizeClass < 0 ? sizeClasses : sizeClass;
    }
}
