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

    private static final String WAIT_PREFIX = "wait:";
    private static final Exhaustion FAIL = new Exhaustion(Kind.FAIL, Duration.ZERO);
    private static final Exhaustion UNPOOLED = new Exhaustion(Kind.UNPOOLED, Duration.ZERO);

    private final Kind kind;
    private final Duration patience;

    private Exhaustion(Kind kind, Duration patience) {
        this.kind = kind;
        this.patience = patience;
    }

    /**
     * At the cap, fail at once.
     *
     * @return {@code fail}
     */
    public static Exhaustion fail() {
        return FAIL;
    }

    /**
     * At the cap, wait for room.
     *
     * @param patience how long at most; more than zero
     * @return {@code wait:<duration>}
     * @throws IllegalArgumentException when {@code patience} is zero, negative, or beyond 292 years
     */
    public static Exhaustion waiting(Duration patience) {
        return new Exhaustion(Kind.WAIT, DurationText.checked(patience));
    }

    /**
     * At the cap, hand out plain heap buffers.
     *
     * @return {@code unpooled}
     */
    public static Exhaustion unpooled() {
        return UNPOOLED;
    }

    /**
     * Which kind it is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * How long a caller waits for room.
     *
     * @return the patience; zero unless the kind is {@code Kind#WAIT}
     */
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
            case WAIT -> WAIT_PREFIX + DurationText.of(patience);
            case UNPOOLED -> "unpooled";
        };
    }
}
