// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * What {@link BufferPool#acquire(int)} does when the pool's cap is reached: the setting {@code at-limit}.
 *
 * <p>Immutable, and equal to another of the same kind and patience. {@link #toString} gives the setting's text, such as {@code wait:10s}.
 */
public final class Exhaustion {

    /** What a pool can do at its cap. */
    public enum Kind {
        /** Throw a {@code PoolExhaustedException}. */
        FAIL,
        /** Wait for room, first come, first served, and throw when the patience ends. */
        WAIT,
        /** Hand out a heap buffer that is counted but not charged, and never reused. */
        UNPOOLED
    }

    private static final Exhaustion FAIL = new Exhaustion(Kind.FAIL, Duration.ZERO);
    private static final Exhaustion UNPOOLED = new Exhaustion(Kind.UNPOOLED, Duration.ZERO);

    private final Kind kind;
    private final Duration patience;

    private Exhaustion(Kind kind, Duration patience) {
        this.kind = kind;
        this.patience = patience;
    }

    /** {@return {@code fail}: at the cap, fail at once} */
    public static Exhaustion fail() {
        return FAIL;
    }

    /**
     * {@return {@code wait:<duration>}: at the cap, wait for room}
     *
     * @param patience how long at most; more than zero
     * @throws IllegalArgumentException when {@code patience} is zero, negative, or beyond 292 years
     */
    public static Exhaustion waiting(Duration patience) {
        return new Exhaustion(Kind.WAIT, DurationText.checked(patience));
    }

    /** {@return {@code unpooled}: at the cap, hand out plain heap buffers} */
    public static Exhaustion unpooled() {
        return UNPOOLED;
    }

    /** {@return which kind it is} */
    public Kind kind() {
        return kind;
    }

    /** {@return how long a caller waits for room; zero unless the kind is {@link Kind#WAIT}} */
    public Duration patience() {
        return patience;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Exhaustion that && kind == that.kind && patience.equals(that.patience);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, patience);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case FAIL -> "fail";
            case WAIT -> "wait:" + DurationText.of(patience);
            case UNPOOLED -> "unpooled";
        };
    }
}
