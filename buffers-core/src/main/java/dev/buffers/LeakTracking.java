// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * How much a pool keeps of each lease, so that it can report where a lost one was acquired: the setting {@code leaks}. Losses are counted
 * in every case.
 *
 * <p>Immutable, and equal to another of the same kind, rate and threshold. {@link #toString} gives the setting's text, such as
 * {@code sample:100}.
 */
public final class LeakTracking {

    /** The data that is kept about leases. */
    public enum Kind {
        /** Nothing: losses are counted, at no cost per acquire. */
        COUNT,
        /** The stack of one acquire in n on average, at random, at most 100 a second for each of 64 groups of threads. */
        SAMPLE,
        /** The stack of every acquire. */
        ALL,
        /** The stack of every acquire; and a lease that is out for too long is reported while it still is. */
        OLDER
    }

    private static final LeakTracking COUNT = new LeakTracking(Kind.COUNT, 0, Duration.ZERO);
    private static final LeakTracking ALL = new LeakTracking(Kind.ALL, 1, Duration.ZERO);

    private final Kind kind;
    private final int every;
    private final Duration threshold;

    private LeakTracking(Kind kind, int every, Duration threshold) {
        this.kind = kind;
        this.every = every;
        this.threshold = threshold;
    }

    /** {@return {@code count}: losses are counted, and no stacks are kept} */
    public static LeakTracking count() {
        return COUNT;
    }

    /**
     * {@return {@code sample:<n>}: the stack of one acquire in n on average is kept, chosen at random}
     *
     * @param every the n, at least 1
     * @throws IllegalArgumentException when {@code every} is less than 1
     */
    public static LeakTracking sample(int every) {
        if (every < 1) {
            throw new IllegalArgumentException("sample rate not positive: every=" + every + "; accepted: 1 or more");
        }
        return new LeakTracking(Kind.SAMPLE, every, Duration.ZERO);
    }

    /** {@return {@code all}: the stack of every acquire is kept} */
    public static LeakTracking all() {
        return ALL;
    }

    /**
     * {@return {@code older:<duration>}: the stack of every acquire is kept, and each lease that is out for longer than that is reported,
     * once, while it still is} The pool looks once a second.
     *
     * @param threshold for how long a lease may be out, more than zero
     * @throws IllegalArgumentException when {@code threshold} is not more than zero, or its nanoseconds are more than a long can hold
     */
    public static LeakTracking older(Duration threshold) {
        return new LeakTracking(Kind.OLDER, 1, DurationText.checked(threshold));
    }

    /** {@return which kind it is} */
    public Kind kind() {
        return kind;
    }

    /**
     * {@return n: one in n acquires keeps its stack; that of {@code sample:<n>}, 1 for {@code all} and {@code older}}
     *
     * @throws IllegalStateException when no stacks are kept
     */
    public int every() {
        if (kind == Kind.COUNT) {
            throw new IllegalStateException("no stacks are kept: leaks=count");
        }
        return every;
    }

    /**
     * {@return for how long a lease may be out before it is reported: the duration of {@code older:<duration>}}
     *
     * @throws IllegalStateException when no such lease is reported
     */
    public Duration threshold() {
        if (kind != Kind.OLDER) {
            throw new IllegalStateException("a lease may be out for any time: leaks=" + this);
        }
        return threshold;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LeakTracking that
                && kind == that.kind
                && every == that.every
                && threshold.equals(that.threshold);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, every, threshold);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case COUNT -> "count";
            case SAMPLE -> "sample:" + every;
            case ALL -> "all";
            case OLDER -> "older:" + DurationText.of(threshold);
        };
    }
}
